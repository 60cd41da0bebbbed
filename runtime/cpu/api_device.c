/* SPDX-License-Identifier: MIT */
/* api_device.c - one device, number 0: the host's cores as multiprocessors, limits of compute
 * capability 9.0. */
#include "api_internal.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static cudaError_t check_device(int device)
{
  return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceCount(int *count)
{
  if (!count) return api_return(cudaErrorInvalidValue);
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
  if (!device) return api_return(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) { return api_return(check_device(device)); }

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
  (void)device_flags, (void)flags;
  return api_return(check_device(device));
}

static unsigned device_flags;

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
  if (flags & ~(unsigned)cudaDeviceMask) return api_return(cudaErrorInvalidValue);
  device_flags = flags;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
  if (!flags) return api_return(cudaErrorInvalidValue);
  *flags = device_flags | cudaDeviceMapHost;
  return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
  if (!devices || count < 1) return api_return(cudaErrorInvalidValue);
  return api_return(check_device(devices[0]));
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
  (void)prop;
  return cudaGetDevice(device);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
  if (!p) return api_return(cudaErrorInvalidValue);
  if (check_device(device)) return api_return(cudaErrorInvalidDevice);
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "mesi CPU backend");
  p->totalGlobalMem = api_total_memory();
  p->sharedMemPerBlock = DEVICE_SHARED_DEFAULT;
  p->sharedMemPerBlockOptin = DEVICE_SHARED_OPTIN;
  p->sharedMemPerMultiprocessor = DEVICE_SHARED_SM;
  p->reservedSharedMemPerBlock = DEVICE_SHARED_RESERVED;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->warpSize = MESI_CPU_WARP;
  p->memPitch = INT_MAX;
  p->maxThreadsPerBlock = MESI_CPU_BLOCK_THREADS;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = INT_MAX;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->clockRate = 2000000;
  p->memoryClockRate = 2000000;
  p->memoryBusWidth = 128;
  p->totalConstMem = 65536;
  p->major = DEVICE_MAJOR;
  p->minor = DEVICE_MINOR;
  p->textureAlignment = p->surfaceAlignment = 512;
  p->texturePitchAlignment = 32;
  p->multiProcessorCount = (int)mesi_cpu_workers();
  p->integrated = p->canMapHostMemory = p->unifiedAddressing = p->managedMemory =
      p->concurrentManagedAccess = 1;
  p->pageableMemoryAccess = p->pageableMemoryAccessUsesHostPageTables =
      p->directManagedMemAccessFromHost = 1;
  p->hostNativeAtomicSupported = p->canUseHostPointerForRegisteredMem = p->hostRegisterSupported =
      1;
  p->concurrentKernels = p->asyncEngineCount = p->deviceOverlap = 1;
  p->streamPrioritiesSupported = p->globalL1CacheSupported = p->localL1CacheSupported = 1;
  p->l2CacheSize = 4 << 20;
  p->maxThreadsPerMultiProcessor = DEVICE_SM_THREADS;
  p->maxBlocksPerMultiProcessor = DEVICE_SM_BLOCKS;
  p->singleToDoublePrecisionPerfRatio = 2;
  p->cooperativeLaunch = p->memoryPoolsSupported = 1;
  return cudaSuccess;
}

/* The value of an attribute; -1: this device does not know it. */
static long attribute_value(const struct cudaDeviceProp *p, enum cudaDeviceAttr attr)
{
  switch (attr) {
  case cudaDevAttrMaxThreadsPerBlock: return p->maxThreadsPerBlock;
  case cudaDevAttrMaxBlockDimX: return p->maxThreadsDim[0];
  case cudaDevAttrMaxBlockDimY: return p->maxThreadsDim[1];
  case cudaDevAttrMaxBlockDimZ: return p->maxThreadsDim[2];
  case cudaDevAttrMaxGridDimX: return p->maxGridSize[0];
  case cudaDevAttrMaxGridDimY: return p->maxGridSize[1];
  case cudaDevAttrMaxGridDimZ: return p->maxGridSize[2];
  case cudaDevAttrMaxSharedMemoryPerBlock: return (long)p->sharedMemPerBlock;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin: return (long)p->sharedMemPerBlockOptin;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return (long)p->sharedMemPerMultiprocessor;
  case cudaDevAttrReservedSharedMemoryPerBlock: return (long)p->reservedSharedMemPerBlock;
  case cudaDevAttrTotalConstantMemory: return (long)p->totalConstMem;
  case cudaDevAttrWarpSize: return p->warpSize;
  case cudaDevAttrMaxPitch: return (long)p->memPitch;
  case cudaDevAttrMaxRegistersPerBlock: return p->regsPerBlock;
  case cudaDevAttrMaxRegistersPerMultiprocessor: return p->regsPerMultiprocessor;
  case cudaDevAttrClockRate: return p->clockRate;
  case cudaDevAttrMemoryClockRate: return p->memoryClockRate;
  case cudaDevAttrGlobalMemoryBusWidth: return p->memoryBusWidth;
  case cudaDevAttrTextureAlignment: return (long)p->textureAlignment;
  case cudaDevAttrTexturePitchAlignment: return (long)p->texturePitchAlignment;
  case cudaDevAttrSurfaceAlignment: return (long)p->surfaceAlignment;
  case cudaDevAttrMultiProcessorCount: return p->multiProcessorCount;
  case cudaDevAttrL2CacheSize: return p->l2CacheSize;
  case cudaDevAttrMaxThreadsPerMultiProcessor: return p->maxThreadsPerMultiProcessor;
  case cudaDevAttrMaxBlocksPerMultiprocessor: return p->maxBlocksPerMultiProcessor;
  case cudaDevAttrComputeCapabilityMajor: return p->major;
  case cudaDevAttrComputeCapabilityMinor: return p->minor;
  case cudaDevAttrSingleToDoublePrecisionPerfRatio: return p->singleToDoublePrecisionPerfRatio;
  case cudaDevAttrAsyncEngineCount: return p->asyncEngineCount;
  case cudaDevAttrIntegrated:
  case cudaDevAttrGpuOverlap:
  case cudaDevAttrCanMapHostMemory:
  case cudaDevAttrConcurrentKernels:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrStreamPrioritiesSupported:
  case cudaDevAttrGlobalL1CacheSupported:
  case cudaDevAttrLocalL1CacheSupported:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrHostNativeAtomicSupported:
  case cudaDevAttrPageableMemoryAccess:
  case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
  case cudaDevAttrDirectManagedMemAccessFromHost:
  case cudaDevAttrConcurrentManagedAccess:
  case cudaDevAttrCanUseHostPointerForRegisteredMem:
  case cudaDevAttrHostRegisterSupported:
  case cudaDevAttrMemoryPoolsSupported:
  case cudaDevAttrCooperativeLaunch: return 1;
  case cudaDevAttrComputeMode:
  case cudaDevAttrKernelExecTimeout:
  case cudaDevAttrEccEnabled:
  case cudaDevAttrPciBusId:
  case cudaDevAttrPciDeviceId:
  case cudaDevAttrPciDomainId:
  case cudaDevAttrTccDriver:
  case cudaDevAttrIsMultiGpuBoard:
  case cudaDevAttrMultiGpuBoardGroupID:
  case cudaDevAttrComputePreemptionSupported:
  case cudaDevAttrCanFlushRemoteWrites:
  case cudaDevAttrSparseCudaArraySupported:
  case cudaDevAttrGPUDirectRDMASupported:
  case cudaDevAttrHostRegisterReadOnlySupported:
  case cudaDevAttrMaxPersistingL2CacheSize:
  case cudaDevAttrMaxAccessPolicyWindowSize:
  case cudaDevAttrIpcEventSupport:
  case cudaDevAttrClusterLaunch: return 0;
  default: return -1;
  }
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
  struct cudaDeviceProp prop;
  if (!value) return api_return(cudaErrorInvalidValue);
  cudaError_t error = cudaGetDeviceProperties(&prop, device);
  if (error) return error;
  long v = attribute_value(&prop, attr);
  if (v < 0) return api_return(cudaErrorInvalidValue);
  *value = (int)v;
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }

cudaError_t cudaThreadSynchronize(void) { return cudaSuccess; }

/* Allocations stay: they are the host's memory and end with the process. */
cudaError_t cudaDeviceReset(void) { return cudaSuccess; }

cudaError_t cudaThreadExit(void) { return cudaSuccess; }

/* Limits are stored and have no effect: heap and printf are the host's, and MESI_STACK sets the
 * stack. */
static size_t limits[] = {
    [cudaLimitStackSize] = 256 << 10,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
    [cudaLimitDevRuntimeSyncDepth] = 2,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 64,
    [cudaLimitPersistingL2CacheSize] = 0,
};

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
  if (!value) return api_return(cudaErrorInvalidValue);
  if ((unsigned)limit >= sizeof limits / sizeof *limits)
    return api_return(cudaErrorUnsupportedLimit);
  *value = limits[limit];
  return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
  if ((unsigned)limit >= sizeof limits / sizeof *limits)
    return api_return(cudaErrorUnsupportedLimit);
  limits[limit] = value;
  return cudaSuccess;
}

static enum cudaFuncCache cache_config;

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
  if (!config) return api_return(cudaErrorInvalidValue);
  *config = cache_config;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
  cache_config = config;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
  if (!config) return api_return(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
  (void)config;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
  if (!can) return api_return(cudaErrorInvalidValue);
  if (check_device(device) || check_device(peer)) return api_return(cudaErrorInvalidDevice);
  *can = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
  (void)peer, (void)flags;
  return api_return(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
  (void)peer;
  return api_return(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device)
{
  if (!text || length < 13) return api_return(cudaErrorInvalidValue);
  if (check_device(device)) return api_return(cudaErrorInvalidDevice);
  snprintf(text, (size_t)length, "0000:00:00.0");
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
  if (!device || !text) return api_return(cudaErrorInvalidValue);
  if (strcmp(text, "0000:00:00.0") != 0) return api_return(cudaErrorInvalidDevice);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
  if (!version) return api_return(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }

cudaError_t cudaProfilerStart(void) { return cudaSuccess; }

cudaError_t cudaProfilerStop(void) { return cudaSuccess; }
