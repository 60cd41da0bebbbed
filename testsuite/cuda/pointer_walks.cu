// Loops that a pointer counts over a thread's own row: to an end by < and !=, in while and for,
// with several pointers, empty and negative lengths, loops that are left, pointers that are used behind.
#include <cstdio>
#include <vector>

const int N = 512, M = 96;

__global__ void checksum(const unsigned char *d, unsigned *o, int n, int len)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const unsigned char *p = d + t * len, *end = p + len;
  unsigned a = 1, b = 0;
  while (p < end) {
    a = (a + *p++) % 65521u;
    b = (b + a) % 65521u;
  }
  o[t] = b << 16 | a;
}

__global__ void sums(const int *a, unsigned *o, int n, int m)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
  if (t >= n) return;
  const int *row = a + t * m;
  for (const int *p = row; p != row + m; ++p) s = s * 5 + *p % 7;
  for (const int *p = row, *end = &row[m / 2]; p != end; p++) s += *p;
  o[t] = (unsigned)s;
}

__global__ void several(const int *a, const int *x, unsigned *o, int n, int m)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const int *p = a + t * m, *q = x;
  int s = 0, k = m;
  while (k--) s += *p++ * *q++;
  const int *r = &a[t * m];
  for (int j = 0; j < m; j++, r++) s += *r > 3;
  o[t] = (unsigned)s;
}

__global__ void filled(unsigned *a, unsigned n, unsigned m)
{
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, v = t;
  if (t >= n) return;
  unsigned *p = a + t * m, *const last = p + m;
  while (last != p) *p++ = v++;
}

__global__ void left(const int *a, unsigned *o, int n, int m, int most)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x, s = 0, v;
  if (t >= n) return;
  const int *p = a + t * m, *end = p + m;
  while (p < end) {
    v = *p++;
    s += v;
    if (s > most) break;
  }
  const int *q = a + t * m, *stop = q + m;
  while (q != stop) {
    if (*q == 17) break;
    ++q;
  }
  o[t] = (unsigned)(s * 100 + (int)(stop - q) + (int)(end - p));
}

__global__ void lengths(const int *a, const int *length, unsigned *o, int n, int m)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
  if (t >= n) return;
  int count = length[t]; // may be negative
  const int *p = a + t * m;
  const int *end = p + count;
  while (p < end) {
    if (*p & 1) {
      p++;
      continue;
    }
    s += *p;
    p++;
  }
  const int *q = a + t * m, *stop = q + count;
  for (; q < stop; q++) s += 3;
  const int *r = a + t * m;
  const int *far = r + count;
  r++;
  while (r < far) s += *r++ & 3;
  const int *z = a + t * m, *last = z + count;
  count = 5;
  while (z < last) s += *z++ ^ count;
  o[t] = (unsigned)s;
}

template <class T> static T *to_device(const std::vector<T> &v)
{
  T *p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
static int differ(const char *name, unsigned *device, const std::vector<unsigned> &wanted)
{
  std::vector<unsigned> found(wanted.size());
  cudaMemcpy(found.data(), device, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < found.size(); i++)
    if (found[i] != wanted[i]) {
      printf("%s[%zu]: found %u, expected %u\n", name, i, found[i], wanted[i]);
      return 1;
    }
  return 0;
}

int main()
{
  std::vector<unsigned char> d(N * M);
  std::vector<int> a(N * M), x(M), length(N);
  std::vector<unsigned> o(N), f(N * M);
  unsigned seed = 3;
  int wrong = 0;
  auto next = [&] { return (seed = seed * 1664525u + 1013904223u) >> 9; };
  for (unsigned char &v : d) v = (unsigned char)next();
  for (int &v : a) v = (int)(next() % 50);
  for (int &v : x) v = (int)(next() % 9);
  for (int &v : length) v = (int)(next() % (M + 20)) - 20;
  unsigned char *dd = to_device(d);
  int *da = to_device(a), *dx = to_device(x), *dl = to_device(length);
  unsigned *d_o = to_device(o), *df = to_device(f);

  checksum<<<N / 128, 128>>>(dd, d_o, N, M);
  for (int t = 0; t < N; t++) {
    unsigned u = 1, v = 0;
    for (int k = 0; k < M; k++) u = (u + d[t * M + k]) % 65521u, v = (v + u) % 65521u;
    o[t] = v << 16 | u;
  }
  wrong += differ("checksum", d_o, o);
  checksum<<<N / 128, 128>>>(dd, d_o, N, 0);
  for (unsigned &v : o) v = 1;
  wrong += differ("empty", d_o, o);

  sums<<<N / 128, 128>>>(da, d_o, N, M);
  for (int t = 0; t < N; t++) {
    o[t] = 0;
    for (int k = 0; k < M; k++) o[t] = o[t] * 5 + (unsigned)(a[t * M + k] % 7);
    for (int k = 0; k < M / 2; k++) o[t] += (unsigned)a[t * M + k];
  }
  wrong += differ("sums", d_o, o);

  several<<<N / 128, 128>>>(da, dx, d_o, N, M);
  for (int t = 0; t < N; t++) {
    o[t] = 0;
    for (int k = 0; k < M; k++) o[t] += (unsigned)(a[t * M + k] * x[k] + (a[t * M + k] > 3));
  }
  wrong += differ("several", d_o, o);

  filled<<<N / 128, 128>>>(df, (unsigned)N, (unsigned)M);
  for (int t = 0; t < N; t++)
    for (int k = 0; k < M; k++) f[t * M + k] = (unsigned)(t + k);
  wrong += differ("filled", df, f);

  left<<<N / 128, 128>>>(da, d_o, N, M, 700);
  for (int t = 0; t < N; t++) {
    int s = 0, k = 0, q = 0;
    while (k < M && s <= 700) s += a[t * M + k++];
    while (q < M && a[t * M + q] != 17) q++;
    o[t] = (unsigned)(s * 100 + M - q + M - k);
  }
  wrong += differ("left", d_o, o);

  lengths<<<N / 128, 128>>>(da, dl, d_o, N, M);
  for (int t = 0; t < N; t++) {
    o[t] = 0;
    for (int k = 0; k < length[t]; k++) {
      int v = a[t * M + k];
      o[t] += (unsigned)((v & 1 ? 0 : v) + 3 + (k ? v & 3 : 0) + (v ^ 5));
    }
  }
  wrong += differ("lengths", d_o, o);

  printf(wrong ? "FAILED\n" : "ok\n");
  return wrong != 0;
}
