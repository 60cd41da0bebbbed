// args: --mapping=always
// Objects whose constructors, bases, members with initialisers and default arguments read the
// thread: each thread has its own.
#include <cstdio>
struct a { int x = 4 * blockIdx.y + threadIdx.y; };
template <class T> struct b { T x = 4 * blockIdx.y + threadIdx.y; int z = 0; };
struct c { b<int> in; __device__ c() {} };
struct base { int x; __device__ base() : x(4 * blockIdx.y + threadIdx.y) {} };
struct d : base { };
__device__ int idy() { return 4 * blockIdx.y + threadIdx.y; }
struct e { int x; __device__ e() { x = idy(); } };
struct f { int x; __device__ f(int i = 4 * blockIdx.y + threadIdx.y) : x(i) {} };
struct g { int y; __device__ int x() const { return 4 * blockIdx.y + threadIdx.y; } };
struct h { __device__ operator int() const { return 4 * blockIdx.y + threadIdx.y; } };
__constant__ int four = 4;
template <int W> __device__ int of()
{
  if (W == 0) return a().x;
  if (W == 1) return b<int>{}.x;
  if (W == 2) { c o; return o.in.x; }
  return 0;
}
#define K(NAME, Y) __global__ void NAME(unsigned *p0) { \
  int y = Y; \
  int x = blockIdx.x * 32 + threadIdx.x; \
  if (x >= 14) return; \
  atomicAnd(&p0[x], 1); \
  for (int k = 1; k < 6; k += 2) atomicAnd(p0 + (y), 1); \
}
K(k0, a().x) K(k1, b<int>{}.x) K(k2, c().in.x) K(k3, d().x) K(k4, e().x) K(k5, f().x) K(k6, g{1}.x()) K(k7, h()) K(k8, b<int>().x)
K(k9, a{}.x) K(k10, ([=] { return (int)(4 * blockIdx.y + threadIdx.y); }()))
__global__ void k11(unsigned *p0) {
  c o; int y = o.in.x;
  int x = blockIdx.x * 32 + threadIdx.x;
  if (x >= 14) return;
  atomicAnd(&p0[x], 1);
  for (int k = 1; k < 6; k += 2) atomicAnd(p0 + (y), 1);
}
__global__ void k12(unsigned *p0) {
  a o[2]; int y = o[1].x;
  int x = blockIdx.x * 32 + threadIdx.x;
  if (x >= 14) return;
  atomicAnd(&p0[x], 1);
  for (int k = 1; k < 6; k += 2) atomicAnd(p0 + (y), 1);
}
__global__ void k13(unsigned *p0) {
  int x = blockIdx.x * 32 + threadIdx.x;
  if (x >= 14) return;
  atomicAnd(&p0[x], 1);
  for (int k = 1; k < 6; k += g{2}.x() < 2 ? 2 : 1) atomicAnd(p0 + h(), 1);
}
static unsigned h[29];
static void start(unsigned *a)
{
  for (int i = 0; i < 29; i++) h[i] = i * 77777u + 1;
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
}
static bool check(int n, unsigned *a)
{
  bool wrong = false;
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 24; i++) if (h[i] > 1) wrong = true;
  if (wrong) printf("k%d is wrong\n", n);
  return wrong;
}
int main()
{
  bool wrong = false;
  unsigned *to;
  cudaMalloc(&to, sizeof h);
  start(to);
  k0<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(0, to);
  start(to);
  k1<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(1, to);
  start(to);
  k2<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(2, to);
  start(to);
  k3<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(3, to);
  start(to);
  k4<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(4, to);
  start(to);
  k5<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(5, to);
  start(to);
  k6<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(6, to);
  start(to);
  k7<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(7, to);
  start(to);
  k8<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(8, to);
  start(to);
  k9<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(9, to);
  start(to);
  k10<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(10, to);
  start(to);
  k11<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(11, to);
  start(to);
  k12<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(12, to);
  start(to);
  k13<<<dim3(1, 6), dim3(32, 4)>>>(to);
  wrong |= check(13, to);
  return wrong;
}
