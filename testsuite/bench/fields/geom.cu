// Geometry: Mandelbrot, Julia, ray casting, point in polygon, Hausdorff, hulls, voxels, Delaunay
// tests, distances, clipping, triangles.
#include "helpers.h"
struct Vec3 {
  float x, y, z;
  __host__ __device__ Vec3() {}
  __host__ __device__ Vec3(float a, float b, float c) : x(a), y(b), z(c) {}
  __host__ __device__ Vec3 operator-(const Vec3 &o) const
  {
    return Vec3(x - o.x, y - o.y, z - o.z);
  }
  __host__ __device__ Vec3 operator+(const Vec3 &o) const
  {
    return Vec3(x + o.x, y + o.y, z + o.z);
  }
  __host__ __device__ Vec3 operator*(float s) const { return Vec3(x * s, y * s, z * s); }
};
__host__ __device__ inline float dot(const Vec3 &a, const Vec3 &b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__host__ __device__ inline Vec3 cross(const Vec3 &a, const Vec3 &b)
{
  return Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
template <typename T> struct Complex {
  T re, im;
  __device__ Complex(T a, T b) : re(a), im(b) {}
  __device__ T norm2() const { return re * re + im * im; }
  __device__ Complex operator*(const Complex &o) const
  {
    return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
  }
  __device__ Complex operator+(const Complex &o) const { return Complex(re + o.re, im + o.im); }
};
__global__ void julia(uchar4 *img, int w, int h, float cr, float ci, int maxit)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  Complex<float> z(3.0f * x / w - 1.5f, 2.0f * y / h - 1.0f), c(cr, ci);
  int k = 0;
  for (; k < maxit; k++) {
    z = z * z + c;
    if (z.norm2() > 4.0f) break;
  }
  img[y * w + x] = make_uchar4(k & 255, (k * 3) & 255, (k * 7) & 255, 255);
}
__global__ void mandel(int *out, unsigned w, unsigned h, double x0, double y0, double s, int maxit)
{
  unsigned p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= w * h) return;
  double cx = x0 + s * (p % w), cy = y0 + s * (p / w), x = 0, y = 0;
  int k = 0;
  while (x * x + y * y <= 4 && k < maxit) {
    double t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    k++;
  }
  out[p] = k;
}
__global__ void point_in_polygon(const float2 *pts, const float2 *poly, int *inside, int np, int nv)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= np) return;
  float2 p = pts[i];
  bool c = false;
  for (int a = 0, b = nv - 1; a < nv; b = a++) {
    if (((poly[a].y > p.y) != (poly[b].y > p.y)) &&
        (p.x < (poly[b].x - poly[a].x) * (p.y - poly[a].y) / (poly[b].y - poly[a].y) + poly[a].x))
      c = !c;
  }
  inside[i] = c;
}
__global__ void winding(const float *px, const float *py, const float *vx, const float *vy, int *wn,
                        int np, int nv)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < np) {
    int w = 0;
    float x = px[i], y = py[i];
    for (int k = 0; k < nv; k++) {
      int m = k + 1 < nv ? k + 1 : 0;
      float s = (vx[m] - vx[k]) * (y - vy[k]) - (x - vx[k]) * (vy[m] - vy[k]);
      if (vy[k] <= y) {
        if (vy[m] > y && s > 0) w++;
      } else if (vy[m] <= y && s < 0)
        w--;
    }
    wn[i] = w;
  }
}
__global__ void hausdorff(const Vec3 *a, const Vec3 *b, float *out, int na, int nb)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= na) return;
  float best = 1e30f;
  for (int j = 0; j < nb; j++) {
    Vec3 d = a[i] - b[j];
    float q = dot(d, d);
    if (q < best) best = q;
  }
  out[i] = sqrtf(best);
}
__global__ void knn_brute(const float *ref, const float *qry, int *idx, float *dst, int nr, int nq,
                          int dim)
{
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= nq) return;
  float bd[4];
  int bi[4];
  for (int k = 0; k < 4; k++) {
    bd[k] = 1e30f;
    bi[k] = -1;
  }
  for (int r = 0; r < nr; r++) {
    float s = 0;
    for (int d = 0; d < dim; d++) {
      float t = ref[r * dim + d] - qry[q * dim + d];
      s += t * t;
    }
    if (s < bd[3]) {
      int k = 3;
      while (k > 0 && bd[k - 1] > s) {
        bd[k] = bd[k - 1];
        bi[k] = bi[k - 1];
        k--;
      }
      bd[k] = s;
      bi[k] = r;
    }
  }
  for (int k = 0; k < 4; k++) {
    idx[q * 4 + k] = bi[k];
    dst[q * 4 + k] = bd[k];
  }
}
struct Sphere {
  Vec3 c;
  float r;
  unsigned color;
};
struct Ray {
  Vec3 o, d;
};
__device__ bool hit(const Sphere &s, const Ray &r, float &t)
{
  Vec3 oc = r.o - s.c;
  float b = dot(oc, r.d), c = dot(oc, oc) - s.r * s.r, disc = b * b - c;
  if (disc < 0) return false;
  float q = -b - sqrtf(disc);
  if (q < 1e-3f || q >= t) return false;
  t = q;
  return true;
}
__global__ void ray_cast(const Sphere *sp, int ns, unsigned *fb, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  Ray r;
  r.o = Vec3(0, 0, -5);
  Vec3 d((x - 0.5f * w) / w, (y - 0.5f * h) / h, 1);
  float l = 1 / sqrtf(dot(d, d));
  r.d = d * l;
  float t = 1e20f;
  int id = -1;
  for (int k = 0; k < ns; k++)
    if (hit(sp[k], r, t)) id = k;
  unsigned c = 0x202020u;
  if (id >= 0) {
    Vec3 n = (r.o + r.d * t - sp[id].c) * (1 / sp[id].r);
    float sh = fmaxf(0.1f, dot(n, Vec3(0.577f, 0.577f, -0.577f)));
    c = (unsigned)(sh * 255) * 0x010101u ^ sp[id].color;
  }
  fb[y * w + x] = c;
}
__global__ void tri_areas(const int3 *tri, const Vec3 *v, float *area, Vec3 *nrm, int nt)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= nt) return;
  int3 q = tri[t];
  Vec3 n = cross(v[q.y] - v[q.x], v[q.z] - v[q.x]);
  float a = sqrtf(dot(n, n));
  area[t] = 0.5f * a;
  nrm[t] = a > 0 ? n * (1 / a) : n;
}
__global__ void voxelize(const Vec3 *p, int *cnt, int n, int res, float inv)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int x = min(res - 1, (int)(p[i].x * inv)), y = min(res - 1, (int)(p[i].y * inv)),
        z = min(res - 1, (int)(p[i].z * inv));
    atomicAdd(&cnt[(z * res + y) * res + x], 1);
  }
}
__global__ void farthest_line(const float2 *p, float *d, int n, float2 a, float2 b)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d[i] = (b.x - a.x) * (p[i].y - a.y) - (b.y - a.y) * (p[i].x - a.x);
}
__global__ void transform(const float4 *in, float4 *out, const float *m, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 v = in[i];
    out[i] = make_float4(m[0] * v.x + m[1] * v.y + m[2] * v.z + m[3] * v.w,
                         m[4] * v.x + m[5] * v.y + m[6] * v.z + m[7] * v.w,
                         m[8] * v.x + m[9] * v.y + m[10] * v.z + m[11] * v.w,
                         m[12] * v.x + m[13] * v.y + m[14] * v.z + m[15] * v.w);
  }
}
__global__ void voronoi(const int2 *seeds, int *owner, int w, int h, int ns)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    int b = 0, bd = 1 << 30;
    for (int s = 0; s < ns; s++) {
      int dx = seeds[s].x - x, dy = seeds[s].y - y, d = dx * dx + dy * dy;
      if (d < bd) {
        bd = d;
        b = s;
      }
    }
    owner[y * w + x] = b;
  }
}
__global__ void seg_cross(const float4 *s, int *cnt, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int c = 0;
  float4 a = s[i];
  for (int j = 0; j < n; j++) {
    float4 b = s[j];
    float d1 = (a.z - a.x) * (b.y - a.y) - (a.w - a.y) * (b.x - a.x),
          d2 = (a.z - a.x) * (b.w - a.y) - (a.w - a.y) * (b.z - a.x),
          d3 = (b.z - b.x) * (a.y - b.y) - (b.w - b.y) * (a.x - b.x),
          d4 = (b.z - b.x) * (a.w - b.y) - (b.w - b.y) * (a.z - b.x);
    if (d1 * d2 < 0 && d3 * d4 < 0) c++;
  }
  cnt[i] = c;
}
__global__ void raymarch(const float *vol, float *img, int n, float step, float thr)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float acc = 0, tr = 1;
  for (int z = 0; z < n; z++) {
    float v = vol[(z * n + y) * n + x];
    float a = v > thr ? step * v : 0.f;
    acc += tr * a;
    tr *= 1 - a;
  }
  img[y * n + x] = acc;
}
int main(int argc, char **argv)
{
  int w = argc > 1 ? atoi(argv[1]) : 64, n = argc > 2 ? atoi(argv[2]) : 400,
      nv = argc > 3 ? atoi(argv[3]) : 30, it = argc > 4 ? atoi(argv[4]) : 30,
      vn = argc > 5 ? atoi(argv[5]) : 32;
  int h = w;
  size_t px = (size_t)w * h;
  dim3 b(16, 16), g((w + 15) / 16, (h + 15) / 16);
  uchar4 *im = zeros<uchar4>(px);
  int *md = zeros<int>(px), *ow = zeros<int>(px);
  unsigned *fb = zeros<unsigned>(px);
  julia<<<g, b>>>(im, w, h, -0.8f, 0.156f, it);
  mandel<<<(unsigned)((px + 255) / 256), 256>>>(md, w, h, -2, -1.5, 3.0 / w, it);
  std::vector<float2> p(n), po(nv);
  for (auto &x : p) x = make_float2(rnd(), rnd());
  for (int i = 0; i < nv; i++) {
    float a = 6.2831f * i / nv, r = 0.2f + 0.3f * rnd();
    po[i] = make_float2(0.5f + r * cosf(a), 0.5f + r * sinf(a));
  }
  float2 *dp = upload(p), *dv = upload(po);
  int *in = zeros<int>(n), *wn = zeros<int>(n), gn = (n + 127) / 128;
  point_in_polygon<<<gn, 128>>>(dp, dv, in, n, nv);
  float *ax = random_floats(n, 0, 1), *ay = random_floats(n, 0, 1), *bx = random_floats(nv, 0, 1),
        *by = random_floats(nv, 0, 1);
  winding<<<gn, 128>>>(ax, ay, bx, by, wn, n, nv);
  std::vector<Vec3> a(n), c(n);
  for (auto &x : a) x = Vec3(rnd(), rnd(), rnd());
  for (auto &x : c) x = Vec3(rnd(), rnd(), rnd());
  Vec3 *da = upload(a), *dc = upload(c), *nr = zeros<Vec3>(n);
  float *hd = zeros<float>(n), *ar = zeros<float>(n), *fl = zeros<float>(n),
        *kd = zeros<float>(n * 4);
  int *ki = zeros<int>(n * 4), *vc = zeros<int>(4096), *sc = zeros<int>(n);
  hausdorff<<<gn, 128>>>(da, dc, hd, n, n);
  float *rf = random_floats((size_t)n * 8, 0, 1), *qr = random_floats((size_t)n * 8, 0, 1);
  knn_brute<<<gn, 128>>>(rf, qr, ki, kd, n, n, 8);
  std::vector<Sphere> sp(nv);
  for (auto &s : sp) {
    s.c = Vec3(4 * rnd() - 2, 4 * rnd() - 2, 4 * rnd());
    s.r = 0.2f + 0.4f * rnd();
    s.color = (unsigned)(rnd() * 1e6f);
  }
  auto *up3 = upload(sp);
  ray_cast<<<g, b>>>(up3, nv, fb, w, h);
  std::vector<int3> tr(n);
  for (auto &t : tr) t = make_int3((int)(rnd() * n), (int)(rnd() * n), (int)(rnd() * n));
  auto *up4 = upload(tr);
  tri_areas<<<gn, 128>>>(up4, da, ar, nr, n);
  voxelize<<<gn, 128>>>(da, vc, n, 16, 16.f);
  farthest_line<<<gn, 128>>>(dp, fl, n, p[0], p[1]);
  std::vector<float4> f4(n);
  for (auto &x : f4) x = make_float4(rnd(), rnd(), rnd(), rnd());
  float4 *d4 = upload(f4), *o4 = zeros<float4>(n);
  float *m = random_floats(16, -1, 1);
  transform<<<gn, 128>>>(d4, o4, m, n);
  std::vector<int2> sd(nv);
  for (auto &x : sd) x = make_int2((int)(rnd() * w), (int)(rnd() * h));
  auto *up5 = upload(sd);
  voronoi<<<g, b>>>(up5, ow, w, h, nv);
  seg_cross<<<gn, 128>>>(d4, sc, n);
  float *vol = random_floats((size_t)vn * vn * vn, 0, 1), *ri = zeros<float>(vn * vn);
  raymarch<<<dim3((vn + 15) / 16, (vn + 15) / 16), b>>>(vol, ri, vn, 0.01f, 0.5f);
  show("julia", im, px);
  show("mandel", md, px);
  show("pip", in, n);
  show("wn", wn, n);
  show("hd", hd, n);
  show("knn", ki, n * 4);
  show("fb", fb, px);
  show("area", ar, n);
  show("nrm", nr, n);
  show("vox", vc, 4096);
  show("fl", fl, n);
  show("tf", o4, n);
  show("vor", ow, px);
  show("seg", sc, n);
  show("march", ri, vn * vn);
}
