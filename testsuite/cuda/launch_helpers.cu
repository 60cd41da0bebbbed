// Launches through macros and variadic helpers: __VA_OPT__, packs, forwarding, a string of the launch, digraphs, names in namespaces.
#include <cstdio>
#include <cstring>
#include <utility>

namespace work { __global__ void add(int *p, int n, int v) <% int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p<:i:> += v; %> }
__device__ int table<:4:> = <% 1, 2, 3, 4 %>;
namespace other { __device__ int table[4] = {10, 20, 30, 40}; }
using namespace other;
__global__ void sum(int *p) { p[threadIdx.x] = ::table[threadIdx.x] + other::table[threadIdx.x]; }

static char said[100];
#define RUN(K, ...) K<<<2, 32>>>(data __VA_OPT__(,) __VA_ARGS__)
#define SAY(...) (strcpy(said, #__VA_ARGS__), __VA_ARGS__)
template <class F, class... A> void go(F f, A &&... x) { f<<<2, 32>>>(std::forward<A>(x)...); }
template <class... A> void twice(A... x) { work::add<<<dim3(2), 32>>>(x...); [=] { work::add<<<2, 32>>>(x...); }(); }

int main() {
  int *data, host[64];
  cudaMalloc(&data, sizeof host);
  cudaMemset(data, 0, sizeof host);
  RUN(work::add, 64, 1);
  go(work::add, data, 64, 2);
  twice(data, 32, 10);
  SAY(work::add<<<1, 64>>>(data, 64,  3));
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  if (host[0] != 26 || host[31] != 26 || host[32] != 6 || strcmp(said, "work::add<<<1, 64>>>(data, 64, 3)")) return 1;
  sum<<<1, 4>>>(data);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  if (host[3] != 44 || host[0] != 11) return 2;
  puts("ok");
  return 0;
}
