// Loops over a window at a thread's own place: between ends that max, min, ?:, && and locals put
// together, cut off or not, empty ones, by steps of more than one, and loops that only look like
// windows.
#include <algorithm>
#include <cstdio>
#include <vector>

#define R 2
#define HD __host__ __device__

struct Size {
  int w, h, n, k;
};

HD int guarded(const int *a, int x, int y, Size z)
{
  int s = 0;
  for (int j = y - R; j <= y + R; j++)
    for (int i = x - R; i <= x + R; i++)
      if (i >= 0 && i < z.w && j >= 0 && j < z.h) s = s * 3 + a[j * z.w + i];
  return s;
}

__global__ void guarded_box(const int *a, int *o, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int s = 0;
  for (int j = y - R; j <= y + R; j++)
    for (int i = x - R; i <= x + R; i++)
      if (i >= 0 && i < w && j >= 0 && j < h) s = s * 3 + a[j * w + i];
  o[y * w + x] = s;
}

__global__ void cut_box(const int *a, int *o, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int s = 0;
  for (int j = max(0, y - R); j <= min(h - 1, y + R); j++)
    for (int i = max(0, x - R); i < min(w, x + R + 1); i++) s = s * 3 + a[j * w + i];
  o[y * w + x] = s;
}

__global__ void chosen_box(const int *a, int *o, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const int x0 = x - R < 0 ? 0 : x - R, x1 = x + R >= w ? w - 1 : x + R;
  int y0 = y - R > 0 ? y - R : 0, y1 = y + R <= h - 1 ? y + R : h - 1, s = 0;
  for (int j = y0; j <= y1; j++)
    for (int i = x0; i <= x1; i++) s = s * 3 + a[j * w + i];
  o[y * w + x] = s;
}

__global__ void inner_box(const int *a, int *o, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < R || y < R || x >= w - R || y >= h - R) return;
  int s = 0;
  for (int j = y - R; j < y + R + 1; ++j)
    for (int i = x - R; i < x + R + 1 && i < w; i += 2) s = s * 3 + a[j * w + i];
  o[y * w + x] = s;
}

/* Where the lower end is cut off, steps of two and three start at another number. */
__global__ void steps_box(const int *a, int *o, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const int y0 = y - 3 > 0 ? y - 3 : 0, y1 = y + R < h ? y + R : h - 1;
  int s = 0;
  for (int j = y0; j <= y1; j += 3)
    for (int i = max(0, x - R); i <= min(w - 1, x + R); i += 2) s = s * 3 + a[j * w + i];
  o[y * w + x] = s;
}

/* a window whose length is a parameter: longer than the row, too */
__global__ void forward(const int *a, int *o, int n, int k)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = 0, end = min(i + k, n);
  for (int j = i; j < end; j++) s = s * 3 + a[j];
  o[i] = s;
}

__global__ void pooled(const int *a, int *o, int w, int h, int ow, int oh, int k, int step)
{
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= ow * oh) return;
  int xs = id % ow * step, ys = id / ow * step, xe = min(xs + k, w), ye = min(ys + k, h), m = -1;
  for (int y = ys; y < ye; y++)
    for (int x = xs; x < xe; x++)
      if (a[y * w + x] > m) m = a[y * w + x];
  o[id] = m;
}

__global__ void chunks(const int *a, int *o, int n, int per)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
  for (int i = t * per; i < (t + 1) * per && i < n; i++) s = s * 3 + a[i];
  o[t] = s;
}

/* iterations that end early, loops that are left, and an end that moves */
__global__ void jumps(const int *a, int *o, int n)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x, s = 0, end = t + 9;
  if (t >= n) return;
  for (int i = t - 4; i < t + 5; i++) {
    if (i < 0 || i >= n) continue;
    if (a[i] == 7) break;
    s = s * 3 + a[i];
  }
  for (int i = t; i < end; i++) {
    if (i >= n) break;
    s += a[i];
    if (a[i] & 1) end--;
  }
  int from = t;
  t = t / 2;
  for (int i = from; i < from + 3 && i < n; i++) s += a[i] * (i - t);
  o[from] = s;
}

/* unsigned ends wrap around: 0 - 1 is above all others */
__global__ void wrapping(const int *a, int *o, unsigned n)
{
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  int s = 0;
  if (t >= n) return;
  for (unsigned i = t - 1; i <= t + 1; i++)
    if (i < n) s = s * 3 + a[i];
  o[t] = s;
}

static int wrong = 0;

static void compare(const char *what, const int *d, const std::vector<int> &want)
{
  std::vector<int> got(want.size());
  cudaMemcpy(got.data(), d, got.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < want.size(); i++)
    if (got[i] != want[i] && wrong++ < 20)
      printf("%s[%zu] is %d, not %d\n", what, i, got[i], want[i]);
}

static int forward_of(const std::vector<int> &a, int i, int n, int k)
{
  int s = 0;
  for (int j = i; j < n && j < i + k; j++) s = s * 3 + a[j];
  return s;
}

static int jumps_of(const std::vector<int> &a, int t, int n)
{
  int s = 0, end = t + 9;
  for (int i = t - 4; i < t + 5; i++) {
    if (i < 0 || i >= n) continue;
    if (a[i] == 7) break;
    s = s * 3 + a[i];
  }
  for (int i = t; i < end && i < n; i++) {
    s += a[i];
    if (a[i] & 1) end--;
  }
  for (int i = t; i < t + 3 && i < n; i++) s += a[i] * (i - t / 2);
  return s;
}

static int wrapping_of(const std::vector<int> &a, unsigned t, unsigned n)
{
  int s = 0;
  for (unsigned i = t - 1; i <= t + 1; i++)
    if (i < n) s = s * 3 + a[i];
  return s;
}

static void boxes(int *d, int *o, const std::vector<int> &a, int w, int h)
{
  Size z = {w, h, w * h, 0};
  std::vector<int> want(w * h), inner(w * h, 0), steps(w * h, 0);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      want[y * w + x] = guarded(a.data(), x, y, z);
      for (int j = std::max(0, y - 3); j <= std::min(h - 1, y + R); j += 3)
        for (int i = std::max(0, x - R); i <= std::min(w - 1, x + R); i += 2)
          steps[y * w + x] = steps[y * w + x] * 3 + a[j * w + i];
      if (x < R || y < R || x >= w - R || y >= h - R) continue;
      for (int j = y - R; j <= y + R; j++)
        for (int i = x - R; i <= x + R; i += 2)
          inner[y * w + x] = inner[y * w + x] * 3 + a[j * w + i];
    }
  dim3 block(16, 8), grid((w + 15) / 16, (h + 7) / 8);
  guarded_box<<<grid, block>>>(d, o, w, h);
  compare("guarded", o, want);
  cut_box<<<grid, block>>>(d, o, w, h);
  compare("cut", o, want);
  chosen_box<<<grid, block>>>(d, o, w, h);
  compare("chosen", o, want);
  cudaMemset(o, 0, w * h * sizeof(int));
  inner_box<<<grid, block>>>(d, o, w, h);
  compare("inner", o, inner);
  steps_box<<<grid, block>>>(d, o, w, h);
  compare("steps", o, steps);
}

static void rows(int *d, int *o, const std::vector<int> &a, int n, int k)
{
  std::vector<int> want(n);
  int blocks = (n + 63) / 64, threads = blocks * 64;
  for (int i = 0; i < n; i++) want[i] = forward_of(a, i, n, k);
  forward<<<blocks, 64>>>(d, o, n, k);
  compare("forward", o, want);
  std::vector<int> sums(threads);
  int per = k > 0 ? k : 1;
  for (int t = 0; t < threads; t++) sums[t] = t * per < n ? forward_of(a, t * per, n, per) : 0;
  chunks<<<blocks, 64>>>(d, o, n, per);
  compare("chunks", o, sums);
}

static void pools(int *d, int *o, const std::vector<int> &a, int w, int h, int k, int step)
{
  int ow = (w + step - 1) / step, oh = (h + step - 1) / step;
  std::vector<int> want(ow * oh, -1);
  for (int i = 0; i < ow * oh; i++)
    for (int y = i / ow * step; y < h && y < i / ow * step + k; y++)
      for (int x = i % ow * step; x < w && x < i % ow * step + k; x++)
        want[i] = std::max(want[i], a[y * w + x]);
  pooled<<<(ow * oh + 127) / 128, 128>>>(d, o, w, h, ow, oh, k, step);
  compare("pooled", o, want);
}

int main(int argc, char **)
{
  const int n = 150 * 70, k = argc > 50 ? 9 : 3;
  std::vector<int> a(n), want(n);
  int *d, *o;
  for (int i = 0; i < n; i++) a[i] = (i * 37 + i / 11) % 101;
  cudaMalloc(&d, n * sizeof(int));
  cudaMalloc(&o, (n + 256) * sizeof(int));
  cudaMemcpy(d, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  boxes(d, o, a, 150, 70);
  boxes(d, o, a, 3, 1);
  for (int length : {k, 0, -5, 40}) rows(d, o, a, 1000, length);
  rows(d, o, a, 20, 33);
  pools(d, o, a, 150, 70, k, 2);
  pools(d, o, a, 9, 5, 8, 3);
  for (int t = 0; t < n; t++) want[t] = jumps_of(a, t, n);
  jumps<<<(n + 127) / 128, 128>>>(d, o, n);
  compare("jumps", o, want);
  for (int t = 0; t < n; t++) want[t] = wrapping_of(a, t, n);
  wrapping<<<(n + 127) / 128, 128>>>(d, o, n);
  compare("wrapping", o, want);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
