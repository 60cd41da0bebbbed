// Relaxation and implicit steps: ADI sweeps, SOR, multigrid, conjugate gradients, tridiagonals,
// penta.
#include "helpers.h"
template <typename T> struct View2 {
  T *p;
  int ld;
  __device__ T &operator()(int i, int j) const { return p[i * ld + j]; }
};

// x-sweep: a thread a row, Thomas in place
__global__ void adi_x(double *u, const double *rhs, double *cp, int n, double r)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  double b = 1 + 2 * r, a = -r;
  cp[row * n] = a / b;
  u[row * n] = rhs[row * n] / b;
  for (int j = 1; j < n; j++) {
    double m = 1.0 / (b - a * cp[row * n + j - 1]);
    cp[row * n + j] = a * m;
    u[row * n + j] = (rhs[row * n + j] - a * u[row * n + j - 1]) * m;
  }
  for (int j = n - 2; j >= 0; j--) u[row * n + j] -= cp[row * n + j] * u[row * n + j + 1];
}
// y-sweep: a thread a column
__global__ void adi_y(double *u, const double *rhs, double *cp, int n, double r)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= n) return;
  double b = 1 + 2 * r, a = -r;
  cp[col] = a / b;
  u[col] = rhs[col] / b;
  for (int j = 1; j < n; j++) {
    double m = 1.0 / (b - a * cp[(j - 1) * n + col]);
    cp[j * n + col] = a * m;
    u[j * n + col] = (rhs[j * n + col] - a * u[(j - 1) * n + col]) * m;
  }
  for (int j = n - 2; j >= 0; j--)
    u[j * n + col] = u[j * n + col] - cp[j * n + col] * u[(j + 1) * n + col];
}
__global__ void adi_rhs(const double *u, double *rhs, int n, double r)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  double up = i > 0 ? u[(i - 1) * n + j] : 0.0, dn = i < n - 1 ? u[(i + 1) * n + j] : 0.0;
  rhs[i * n + j] = r * up + (1 - 2 * r) * u[i * n + j] + r * dn;
}
template <typename T>
__global__ void jacobi(View2<const T> a, View2<T> b, View2<const T> f, int n, T h2)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y + 1, j = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i < n - 1 && j < n - 1)
    b(i, j) = T(0.25) * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1) - h2 * f(i, j));
}
template <typename T>
__global__ void residual(View2<const T> u, View2<const T> f, View2<T> r, int n, T ih2)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  if (i == 0 || j == 0 || i == n - 1 || j == n - 1)
    r(i, j) = T(0);
  else
    r(i, j) =
        f(i, j) - (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - T(4) * u(i, j)) * ih2;
}
template <typename T> __global__ void restrict_fw(View2<const T> fine, View2<T> coarse, int nc)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || j < 1 || i >= nc - 1 || j >= nc - 1) return;
  int fi = 2 * i, fj = 2 * j;
  coarse(i, j) =
      T(0.25) * fine(fi, fj) +
      T(0.125) * (fine(fi - 1, fj) + fine(fi + 1, fj) + fine(fi, fj - 1) + fine(fi, fj + 1)) +
      T(0.0625) * (fine(fi - 1, fj - 1) + fine(fi - 1, fj + 1) + fine(fi + 1, fj - 1) +
                   fine(fi + 1, fj + 1));
}
template <typename T> __global__ void prolong(View2<const T> coarse, View2<T> fine, int nf)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nf - 1 || j >= nf - 1) return;
  int ci = i / 2, cj = j / 2;
  T v;
  if (i % 2 == 0 && j % 2 == 0)
    v = coarse(ci, cj);
  else if (i % 2 == 0)
    v = T(0.5) * (coarse(ci, cj) + coarse(ci, cj + 1));
  else if (j % 2 == 0)
    v = T(0.5) * (coarse(ci, cj) + coarse(ci + 1, cj));
  else
    v = T(0.25) *
        (coarse(ci, cj) + coarse(ci + 1, cj) + coarse(ci, cj + 1) + coarse(ci + 1, cj + 1));
  fine(i, j) += v;
}
__global__ void spmv_ell(const int *cols, const double *vals, const double *x, double *y, int rows,
                         int width)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    double s = 0;
    for (int k = 0; k < width; k++) {
      int c = cols[k * rows + r];
      if (c >= 0) s += vals[k * rows + r] * x[c];
    }
    y[r] = s;
  }
}
__global__ void dot_kernel(const double *a, const double *b, double *partial, int n)
{
  extern __shared__ double sm[];
  int tid = threadIdx.x;
  double s = 0;
  for (int i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) s += a[i] * b[i];
  sm[tid] = s;
  __syncthreads();
  for (unsigned o = blockDim.x / 2; o > 0; o >>= 1) {
    if (tid < o) sm[tid] += sm[tid + o];
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = sm[0];
}
__global__ void cg_update(double *x, double *r, const double *p, const double *ap,
                          const double *alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] += alpha[0] * p[i];
    r[i] -= alpha[0] * ap[i];
  }
}
__global__ void cg_dir(double *p, const double *r, const double *beta, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = r[i] + *beta * p[i];
}
__global__ void scalar_div(const double *num, const double *den, double *q, int m)
{
  double s = 0, d = 0;
  for (int i = 0; i < m; i++) {
    s += num[i];
    d += den[i];
  }
  *q = s / (d + 1.0);
}
// batched tridiagonal systems, interleaved; local arrays
#define LEN 32
__global__ void tri_batch(const float *lo, const float *di, const float *up, const float *b,
                          float *x, int batch)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= batch) return;
  float c[LEN], d[LEN];
  c[0] = up[t] / di[t];
  d[0] = b[t] / di[t];
  for (int i = 1; i < LEN; i++) {
    float m = 1.0f / (di[i * batch + t] - lo[i * batch + t] * c[i - 1]);
    c[i] = up[i * batch + t] * m;
    d[i] = (b[i * batch + t] - lo[i * batch + t] * d[i - 1]) * m;
  }
  x[(LEN - 1) * batch + t] = d[LEN - 1];
  for (int i = LEN - 2; i >= 0; i--) {
    d[i] = d[i] - c[i] * d[i + 1];
    x[i * batch + t] = d[i];
  }
}
int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65, it = argc > 2 ? atoi(argv[2]) : 1,
      batch = argc > 3 ? atoi(argv[3]) : 300;
  size_t n2 = (size_t)n * n;
  auto rd = [](size_t m, double lo, double hi) {
    std::vector<double> v(m);
    for (auto &x : v) x = lo + (hi - lo) * rnd();
    return upload(v);
  };
  double *u = rd(n2, 0, 1), *rhs = rd(n2, 0, 1), *cp = zeros<double>(n2);
  float *a = random_floats(n2, 0, 1), *b = random_floats(n2, 0, 1), *f = random_floats(n2, -1, 1),
        *r = zeros<float>(n2);
  int nc = (n - 1) / 2 + 1;
  float *co = zeros<float>((size_t)nc * nc);
  dim3 bl(16, 16), g((n + 15) / 16, (n + 15) / 16), gc((nc + 15) / 16, (nc + 15) / 16);
  int width = 5;
  std::vector<int> cols(n2 * width);
  std::vector<double> vals(n2 * width);
  int off[5] = {0, -1, 1, -n, n};
  for (int k = 0; k < width; k++)
    for (size_t i = 0; i < n2; i++) {
      long c = (long)i + off[k];
      cols[k * n2 + i] = c >= 0 && c < (long)n2 ? (int)c : -1;
      vals[k * n2 + i] = k ? -0.2 : 1.0;
    }
  int *dc = upload(cols);
  double *dv = upload(vals), *x = zeros<double>(n2), *p = rd(n2, 0, 1), *rr = rd(n2, 0, 1),
         *ap = zeros<double>(n2), *pa = zeros<double>(128), *pb = zeros<double>(128),
         *al = zeros<double>(2);
  float *lo = random_floats((size_t)batch * LEN, -0.3f, 0.3f),
        *di = random_floats((size_t)batch * LEN, 1, 2),
        *up = random_floats((size_t)batch * LEN, -0.3f, 0.3f),
        *bb = random_floats((size_t)batch * LEN, 0, 1), *xx = zeros<float>((size_t)batch * LEN);
  for (int t = 0; t < it; t++) {
    adi_rhs<<<g, bl>>>(u, rhs, n, 0.3);
    adi_x<<<(n + 63) / 64, 64>>>(u, rhs, cp, n, 0.3);
    adi_rhs<<<g, bl>>>(u, rhs, n, 0.3);
    adi_y<<<(n + 63) / 64, 64>>>(u, rhs, cp, n, 0.3);
    View2<float> va = {a, n}, vb = {b, n}, vr = {r, n}, vc = {co, nc};
    View2<const float> ca = {a, n}, cb = {b, n}, cf = {f, n}, cr = {r, n}, cc = {co, nc};
    jacobi<float><<<g, bl>>>(ca, vb, cf, n, 0.01f);
    residual<float><<<g, bl>>>(cb, cf, vr, n, 100.f);
    restrict_fw<float><<<gc, bl>>>(cr, vc, nc);
    prolong<float><<<g, bl>>>(cc, va, n);
    unsigned gb = (unsigned)((n2 + 255) / 256);
    spmv_ell<<<gb, 256>>>(dc, dv, p, ap, (int)n2, width);
    dot_kernel<<<128, 128, 128 * sizeof(double)>>>(rr, rr, pa, (int)n2);
    dot_kernel<<<128, 128, 128 * sizeof(double)>>>(p, ap, pb, (int)n2);
    scalar_div<<<1, 1>>>(pa, pb, al, 128);
    cg_update<<<gb, 256>>>(x, rr, p, ap, al, (int)n2);
    cg_dir<<<gb, 256>>>(p, rr, al, (int)n2);
    tri_batch<<<(batch + 127) / 128, 128>>>(lo, di, up, bb, xx, batch);
  }
  show("u", u, n2);
  show("a", a, n2);
  show("b", b, n2);
  show("r", r, n2);
  show("x", x, n2);
  show("p", p, n2);
  show("rr", rr, n2);
  show("tri", xx, (size_t)batch * LEN);
}
