/* SPDX-License-Identifier: MIT */
/* nvToolsExt.h - profiler annotations, which do nothing here. */
#ifndef MESI_NVTX_H
#define MESI_NVTX_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum { NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_MESSAGE_TYPE_UNICODE = 2 };

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomain *nvtxDomainHandle_t;
typedef union {
  const char *ascii;
  const wchar_t *unicode;
} nvtxMessageValue_t;
typedef struct {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

static __inline__ int nvtxRangePushA(const char *name)
{
  (void)name;
  return 0;
}
static __inline__ int nvtxRangePushEx(const nvtxEventAttributes_t *a)
{
  (void)a;
  return 0;
}
static __inline__ int nvtxRangePop(void) { return 0; }
static __inline__ void nvtxMarkA(const char *name) { (void)name; }
static __inline__ void nvtxMarkEx(const nvtxEventAttributes_t *a) { (void)a; }
static __inline__ nvtxRangeId_t nvtxRangeStartA(const char *name)
{
  (void)name;
  return 0;
}
static __inline__ void nvtxRangeEnd(nvtxRangeId_t id) { (void)id; }
static __inline__ void nvtxNameOsThreadA(uint32_t id, const char *name)
{
  (void)id;
  (void)name;
}
static __inline__ nvtxDomainHandle_t nvtxDomainCreateA(const char *name)
{
  (void)name;
  return 0;
}
static __inline__ void nvtxDomainDestroy(nvtxDomainHandle_t domain) { (void)domain; }
static __inline__ int nvtxDomainRangePushEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a)
{
  (void)d;
  (void)a;
  return 0;
}
static __inline__ int nvtxDomainRangePop(nvtxDomainHandle_t domain)
{
  (void)domain;
  return 0;
}

#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA

#endif
