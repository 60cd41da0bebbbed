// transform/scalar_replace: sums, copies, choices and turns of records; each launch is compared
// with a loop on the host.
#include <cstdio>
#include <cuda_runtime.h>

struct complex_t { float re, im; };
struct mixed { int n; float x; double d; };
struct cell { float a, b, c; };

__device__ inline float3 operator+(float3 a, float3 b)
{
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ inline float3 operator*(float s, float3 a)
{
  return make_float3(s * a.x, s * a.y, s * a.z);
}
__device__ inline void operator+=(float3 &a, float3 b)
{
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
}

const int ROWS = 64, N = 1024;

__global__ void sums(const float4 *p, float4 *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  float4 me = p[i];
  float3 a = {0, 0, 0};
  for (int j = 0; j < N; j++) {
    float4 o = p[j];
    float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
    a.x += o.w * dx;
    a.y += o.w * dy;
    a.z += o.w * dz;
  }
  out[i] = make_float4(a.x, a.y, a.z, me.w);
}

// a row each, with a product of complex numbers that names itself
__global__ void products(const complex_t *m, complex_t *out, int rows)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  complex_t sum = {0, 0};
  float2 turn = make_float2(1, 0);
  for (int k = 0; k < ROWS; k++) {
    complex_t v = m[k * rows + r];
    sum.re += v.re * turn.x - v.im * turn.y;
    sum.im += v.re * turn.y + v.im * turn.x;
    turn = make_float2(-turn.y, turn.x);
  }
  out[r] = sum;
}

__global__ void operators(const float3 *v, float3 *out, float s, int rows)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float3 sum = make_float3(0, 0, 0), last = {};
  for (int k = 0; k < ROWS; k++) {
    sum += s * v[k * rows + r] + last;
    last = v[k * rows + r];
  }
  out[r] = sum;
}

__global__ void least(const float *x, int2 *out, int rows)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int2 best = make_int2(1 << 30, -1), other;
  for (int k = 0; k < ROWS; k++) {
    other = make_int2((int)x[k * rows + r], k);
    best = other.x < best.x ? other : best;
  }
  out[r] = best;
}

__global__ void parts(const cell *c, cell *out, int rows)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  cell sum = c[r], swapped;
  for (int k = 1; k < ROWS; k++) {
    sum.a += c[k * rows + r].a;
    sum.b -= c[k * rows + r].b;
    swapped = sum;
    sum.c = swapped.a + swapped.b;
    if (k % 7 == 0) {
      cell turned = {sum.c, sum.a, sum.b};
      sum = turned;
    }
  }
  out[r] = sum;
}

__global__ void kinds(const mixed *m, mixed *out, int rows)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  mixed sum = m[r];
  float2 turn = make_float2(1, 2);
  turn = make_float2(turn.y, turn.x - turn.y); // 2, -1
  for (int k = 1; k < ROWS; k++) {
    sum.n ^= m[k * rows + r].n;
    sum.x += m[k * rows + r].x * turn.x + turn.y;
    sum.d += (double)m[k * rows + r].n;
  }
  out[r].n = sum.n;
  out[r].x = sum.x;
  out[r].d = sum.d;
}

template <class T> T *managed(size_t n)
{
  T *p;
  cudaMallocManaged(&p, n * sizeof(T));
  return p;
}

static float at(int i) { return (float)((i * 37 + 11) % 101 - 50); }

const int rows = 700, COUNT = ROWS * rows, BLOCKS = (rows + 127) / 128;

static int wrong_sums()
{
  int bad = 0;
  float4 *p = managed<float4>(N), *q = managed<float4>(N);
  for (int i = 0; i < N; i++) p[i] = make_float4(at(i), at(i + 3), at(i + 7), at(i + 9));
  sums<<<N / 128, 128>>>(p, q);
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++) {
    float x = 0, y = 0, z = 0;
    for (int j = 0; j < N; j++) {
      x += p[j].w * (p[j].x - p[i].x);
      y += p[j].w * (p[j].y - p[i].y);
      z += p[j].w * (p[j].z - p[i].z);
    }
    bad += q[i].x != x || q[i].y != y || q[i].z != z || q[i].w != p[i].w;
  }
  return bad;
}

static int wrong_products()
{
  int bad = 0;
  complex_t *m = managed<complex_t>(COUNT), *out = managed<complex_t>(rows);
  for (int i = 0; i < COUNT; i++) m[i].re = at(i), m[i].im = at(i + 1);
  products<<<BLOCKS, 128>>>(m, out, rows);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; r++) {
    complex_t s = {0, 0};
    for (int k = 0; k < ROWS; k++) {
      const float turns[] = {1, 0, -1, 0};
      float x = turns[k % 4], y = turns[(k + 3) % 4];
      complex_t v = m[k * rows + r];
      s.re += v.re * x - v.im * y;
      s.im += v.re * y + v.im * x;
    }
    bad += s.re != out[r].re || s.im != out[r].im;
  }
  return bad;
}

static int wrong_operators()
{
  int bad = 0;
  float3 *v = managed<float3>(COUNT), *out = managed<float3>(rows);
  for (int i = 0; i < COUNT; i++) v[i] = make_float3(at(i), at(i + 2), at(i + 5));
  operators<<<BLOCKS, 128>>>(v, out, 2, rows);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; r++) {
    float3 s = {0, 0, 0}, l = {0, 0, 0};
    for (int k = 0; k < ROWS; k++) {
      float3 e = v[k * rows + r];
      s.x += 2 * e.x + l.x, s.y += 2 * e.y + l.y, s.z += 2 * e.z + l.z;
      l = e;
    }
    bad += s.x != out[r].x || s.y != out[r].y || s.z != out[r].z;
  }
  return bad;
}

static int wrong_least()
{
  int bad = 0;
  float *x = managed<float>(COUNT);
  int2 *out = managed<int2>(rows);
  for (int i = 0; i < COUNT; i++) x[i] = at(i * 3);
  least<<<BLOCKS, 128>>>(x, out, rows);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; r++) {
    int best = 1 << 30, where = -1;
    for (int k = 0; k < ROWS; k++)
      if ((int)x[k * rows + r] < best) best = (int)x[k * rows + r], where = k;
    bad += out[r].x != best || out[r].y != where;
  }
  return bad;
}

static int wrong_parts()
{
  int bad = 0;
  cell *c = managed<cell>(COUNT), *out = managed<cell>(rows);
  for (int i = 0; i < COUNT; i++) c[i] = {at(i), at(i + 4), at(i + 8)};
  parts<<<BLOCKS, 128>>>(c, out, rows);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; r++) {
    float a = c[r].a, b = c[r].b, d = c[r].c;
    for (int k = 1; k < ROWS; k++) {
      a += c[k * rows + r].a;
      b -= c[k * rows + r].b;
      d = a + b;
      if (k % 7 == 0) {
        float first = d;
        d = b, b = a, a = first;
      }
    }
    bad += out[r].a != a || out[r].b != b || out[r].c != d;
  }
  return bad;
}

static int wrong_kinds()
{
  int bad = 0;
  mixed *m = managed<mixed>(COUNT), *out = managed<mixed>(rows);
  for (int i = 0; i < COUNT; i++) m[i].n = i * 7, m[i].x = at(i), m[i].d = at(i + 1);
  kinds<<<BLOCKS, 128>>>(m, out, rows);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; r++) {
    mixed s = m[r];
    for (int k = 1; k < ROWS; k++) {
      s.n ^= m[k * rows + r].n;
      s.x += m[k * rows + r].x * 2 - 1;
      s.d += (double)m[k * rows + r].n;
    }
    bad += s.n != out[r].n || s.x != out[r].x || s.d != out[r].d;
  }
  return bad;
}

int main()
{
  int bad = wrong_sums() + wrong_products() + wrong_operators() + wrong_least() +
            wrong_parts() + wrong_kinds();
  printf("%d wrong\n", bad);
  return bad != 0;
}
