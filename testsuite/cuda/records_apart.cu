// transform/scalar_replace: sums, copies, choices and turns of records; each launch is compared with a loop on the host.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

struct complex_t { float re, im; };
struct mixed { int n; float x; double d; };
struct cell { float a, b, c; };

__host__ __device__ inline float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__host__ __device__ inline float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__host__ __device__ inline void operator+=(float3 &a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }

const int ROWS = 64, N = 1024;

__host__ __device__ inline void sums_of(int i, const float4 *p, float4 *out)
{
  float4 me = p[i];
  float3 a = {0, 0, 0};
  for (int j = 0; j < N; j++) {
    float4 o = p[j];
    float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
    float w = o.w / (1 + dx * dx + dy * dy + dz * dz);
    a.x += w * dx;
    a.y += w * dy;
    a.z += w * dz;
  }
  out[i] = make_float4(a.x, a.y, a.z, me.w);
}

__global__ void sums(const float4 *p, float4 *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  float4 me = p[i];
  float3 a = {0, 0, 0};
  for (int j = 0; j < N; j++) {
    float4 o = p[j];
    float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
    float w = o.w / (1 + dx * dx + dy * dy + dz * dz);
    a.x += w * dx;
    a.y += w * dy;
    a.z += w * dz;
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

template <class T> T *pair(size_t n)
{
  T *p;
  cudaMallocManaged(&p, n * sizeof(T));
  return p;
}

static float at(int i) { return (float)((i * 37 + 11) % 101 - 50); }

int main()
{
  int bad = 0;
  float4 *p = pair<float4>(N), *q = pair<float4>(N), *want = (float4 *)malloc(N * sizeof(float4));
  for (int i = 0; i < N; i++) p[i] = make_float4(at(i), at(i + 3), at(i + 7), at(i + 9));
  sums<<<N / 128, 128>>>(p, q);
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++) {
    sums_of(i, p, want);
    bad += !(q[i].w == want[i].w);
    float d = q[i].x - want[i].x;
    bad += d > 1 || d < -1;
  }
  int rows = 700;
  complex_t *m = pair<complex_t>(ROWS * rows), *mo = pair<complex_t>(rows);
  for (int i = 0; i < ROWS * rows; i++) m[i].re = at(i), m[i].im = at(i + 1);
  products<<<(rows + 127) / 128, 128>>>(m, mo, rows);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; r++) {
    complex_t s = {0, 0};
    float tx = 1, ty = 0;
    for (int k = 0; k < ROWS; k++) {
      complex_t v = m[k * rows + r];
      s.re += v.re * tx - v.im * ty;
      s.im += v.re * ty + v.im * tx;
      float t = tx;
      tx = -ty, ty = t;
    }
    bad += s.re != mo[r].re || s.im != mo[r].im;
  }
  float3 *v = pair<float3>(ROWS * rows), *vo = pair<float3>(rows);
  for (int i = 0; i < ROWS * rows; i++) v[i] = make_float3(at(i), at(i + 2), at(i + 5));
  operators<<<(rows + 127) / 128, 128>>>(v, vo, 2, rows);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; r++) {
    float3 s = {0, 0, 0}, l = {0, 0, 0};
    for (int k = 0; k < ROWS; k++) {
      float3 e = v[k * rows + r];
      s.x += 2 * e.x + l.x, s.y += 2 * e.y + l.y, s.z += 2 * e.z + l.z;
      l = e;
    }
    bad += s.x != vo[r].x || s.y != vo[r].y || s.z != vo[r].z;
  }
  float *x = pair<float>(ROWS * rows);
  int2 *lo = pair<int2>(rows);
  for (int i = 0; i < ROWS * rows; i++) x[i] = at(i * 3);
  least<<<(rows + 127) / 128, 128>>>(x, lo, rows);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; r++) {
    int best = 1 << 30, where = -1;
    for (int k = 0; k < ROWS; k++)
      if ((int)x[k * rows + r] < best) best = (int)x[k * rows + r], where = k;
    bad += lo[r].x != best || lo[r].y != where;
  }
  cell *c = pair<cell>(ROWS * rows), *co = pair<cell>(rows);
  for (int i = 0; i < ROWS * rows; i++) c[i] = {at(i), at(i + 4), at(i + 8)};
  parts<<<(rows + 127) / 128, 128>>>(c, co, rows);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; r++) {
    float a = c[r].a, b = c[r].b, d = c[r].c;
    for (int k = 1; k < ROWS; k++) {
      a += c[k * rows + r].a;
      b -= c[k * rows + r].b;
      d = a + b;
      if (k % 7 == 0) {
        float ta = d, tb = a, tc = b;
        a = ta, b = tb, d = tc;
      }
    }
    bad += co[r].a != a || co[r].b != b || co[r].c != d;
  }
  mixed *x3 = pair<mixed>(ROWS * rows), *xo = pair<mixed>(rows);
  for (int i = 0; i < ROWS * rows; i++) x3[i].n = i * 7, x3[i].x = at(i), x3[i].d = at(i + 1);
  kinds<<<(rows + 127) / 128, 128>>>(x3, xo, rows);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; r++) {
    mixed s = x3[r];
    for (int k = 1; k < ROWS; k++) s.n ^= x3[k * rows + r].n, s.x += x3[k * rows + r].x * 2 - 1, s.d += (double)x3[k * rows + r].n;
    bad += s.n != xo[r].n || s.x != xo[r].x || s.d != xo[r].d;
  }
  printf("%d wrong\n", bad);
  return bad != 0;
}
