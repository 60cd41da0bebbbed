/* cpu_api.cpp - the runtime API: memory, copies, symbols, streams, events, errors, queries. */
#include "cpu_test.h"

#include <cstring>

static void test_memory()
{
  unsigned char *d = nullptr, *h = nullptr;
  CHECK_EQ(cudaMalloc(&d, 1000), cudaSuccess);
  CHECK_EQ(d[0], 0xA5);
  CHECK_EQ(d[999], 0xA5);
  CHECK_EQ((size_t)d % 256, 0u);
  cudaPointerAttributes a;
  CHECK_EQ(cudaPointerGetAttributes(&a, d + 999), cudaSuccess);
  CHECK_EQ(a.type, cudaMemoryTypeDevice);
  CHECK_EQ(cudaPointerGetAttributes(&a, &a), cudaSuccess);
  CHECK_EQ(a.type, cudaMemoryTypeUnregistered);
  CHECK_EQ(cudaFree(d + 1), cudaErrorInvalidValue);
  CHECK_EQ(cudaFreeHost(d), cudaErrorInvalidValue);
  CHECK_EQ(cudaFree(d), cudaSuccess);
  CHECK_EQ(cudaFree(d), cudaErrorInvalidValue);
  CHECK_EQ(cudaFree(nullptr), cudaSuccess);
  CHECK_EQ(cudaMalloc(&d, (size_t)1 << 60), cudaErrorMemoryAllocation);
  CHECK_EQ(cudaMallocHost(&h, 64), cudaSuccess);
  CHECK_EQ(cudaHostGetDevicePointer(&d, h, 0), cudaSuccess);
  CHECK(d == h);
  CHECK_EQ(cudaFreeHost(h), cudaSuccess);
  static char mine[100];
  CHECK_EQ(cudaHostRegister(mine, sizeof mine, 0), cudaSuccess);
  CHECK_EQ(cudaHostRegister(mine, sizeof mine, 0), cudaErrorHostMemoryAlreadyRegistered);
  CHECK_EQ(cudaHostUnregister(mine), cudaSuccess);
  CHECK_EQ(cudaHostUnregister(mine), cudaErrorHostMemoryNotRegistered);
  cudaGetLastError();
}

static void test_many_allocations()
{
  std::vector<int *> all(500);
  for (auto &p : all) CHECK_EQ(cudaMalloc(&p, 40), cudaSuccess);
  for (size_t i = 0; i < all.size(); i += 2) CHECK_EQ(cudaFree(all[i]), cudaSuccess);
  cudaPointerAttributes a;
  for (size_t i = 1; i < all.size(); i += 2) {
    CHECK_EQ(cudaPointerGetAttributes(&a, all[i] + 9), cudaSuccess);
    CHECK_EQ(a.type, cudaMemoryTypeDevice);
    CHECK_EQ(cudaFree(all[i]), cudaSuccess);
  }
}

static void test_copies()
{
  char a[6][8], b[6][5] = {};
  for (int i = 0; i < 48; i++) a[i / 8][i % 8] = (char)i;
  CHECK_EQ(cudaMemcpy2D(b, 5, a, 8, 5, 6, cudaMemcpyDefault), cudaSuccess);
  for (int y = 0; y < 6; y++) CHECK_EQ(b[y][4], 8 * y + 4);
  CHECK_EQ(cudaMemcpy2D(b, 5, a, 8, 6, 6, cudaMemcpyDefault), cudaErrorInvalidPitchValue);
  CHECK_EQ(cudaMemcpy(b, a, 1, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
  CHECK_EQ(cudaMemcpy(nullptr, a, 1, cudaMemcpyDefault), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemset2D(a, 8, 7, 3, 2), cudaSuccess);
  CHECK(a[0][2] == 7 && a[0][3] == 3 && a[1][0] == 7 && a[2][0] == 16);
  cudaPitchedPtr p;
  CHECK_EQ(cudaMalloc3D(&p, make_cudaExtent(10, 4, 3)), cudaSuccess);
  CHECK_EQ(cudaMemset3D(p, 1, make_cudaExtent(10, 4, 3)), cudaSuccess);
  cudaMemcpy3DParms m = {};
  char out[2 * 3 * 10] = {};
  m.srcPtr = p;
  m.srcPos = make_cudaPos(1, 1, 1);
  m.dstPtr = make_cudaPitchedPtr(out, 10, 10, 3);
  m.extent = make_cudaExtent(9, 3, 2);
  m.kind = cudaMemcpyDeviceToHost;
  CHECK_EQ(cudaMemcpy3D(&m), cudaSuccess);
  CHECK(out[8] == 1 && out[9] == 0 && out[58] == 1);
  CHECK_EQ(cudaFree(p.ptr), cudaSuccess);
  cudaGetLastError();
}

__constant__ int table[4];

static void test_symbols()
{
  int in[2] = {5, 6}, out[4] = {};
  void *address = nullptr;
  size_t size = 0;
  CHECK_EQ(cudaMemcpyToSymbol(table, in, sizeof in, 2 * sizeof(int)), cudaSuccess);
  CHECK_EQ(cudaMemcpyFromSymbol(out, table, sizeof out), cudaSuccess);
  CHECK(out[0] == 0 && out[2] == 5 && out[3] == 6);
  CHECK_EQ(cudaGetSymbolAddress(&address, table), cudaSuccess);
  CHECK(address == table);
  CHECK_EQ(cudaGetSymbolSize(&size, table), cudaSuccess);
  CHECK_EQ(size, sizeof table);
}

static void test_streams()
{
  cudaStream_t stream;
  cudaEvent_t a, b;
  float ms = -1;
  CHECK_EQ(cudaStreamCreate(&stream), cudaSuccess);
  CHECK_EQ(cudaEventCreate(&a), cudaSuccess);
  CHECK_EQ(cudaEventCreate(&b, cudaEventBlockingSync), cudaSuccess);
  CHECK_EQ(cudaEventElapsedTime(&ms, a, b), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaEventRecord(a, stream), cudaSuccess);
  CHECK_EQ(cudaEventRecord(b), cudaSuccess);
  CHECK_EQ(cudaEventElapsedTime(&ms, a, b), cudaSuccess);
  CHECK(ms >= 0 && ms < 1000);
  CHECK_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorNotSupported);
  CHECK_EQ(cudaStreamDestroy(stream), cudaSuccess);
  CHECK_EQ(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaEventDestroy(a), cudaSuccess);
  CHECK_EQ(cudaEventDestroy(b), cudaSuccess);
  CHECK(std::strcmp(cudaGetErrorName(cudaGetLastError()), "cudaErrorInvalidResourceHandle") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
}

static void test_device()
{
  int value = 0;
  CHECK_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  CHECK_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), cudaSuccess);
  CHECK_EQ(value, 227 * 1024);
  cudaGetLastError();
}

int main()
{
  test_memory();
  test_many_allocations();
  test_copies();
  test_symbols();
  test_streams();
  test_device();
  return failures != 0;
}
