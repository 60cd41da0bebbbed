// args: --mapping=always
// Indices that ifs keep within an image: clamped, mirrored, as a ring, in helpers, with limits of
// all forms; locals that are read between the ifs or assigned again. Every pixel against the host.
#include <cstdio>
#include <cstdlib>
#include <vector>

__host__ __device__ static int within(int v, int least, int most)
{
  if (v < least) v = least;
  if (v > most) v = most;
  return v;
}

__host__ __device__ static int place(int form, int x, int u, int w)
{
  int at = x + u;
  switch (form) {
  case 0: return at < 0 ? 0 : at >= w ? w - 1 : at;
  case 1: return at < 0 ? -at : at >= w ? 2 * w - 2 - at : at;
  case 2: return at < 0 ? at + w : at >= w ? at - w : at;
  default: return within(at, 0, w - 1);
  }
}

__global__ void clamped(const int *a, int *out, int w, int h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= w || j >= h) return;
  int sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++) {
      int x = i + u, y = j + v;
      if (x < 0) x = 0;
      if (x >= w) x = w - 1;
      if (y <= -1) y = 0;
      if (h - 1 < y) { y = h - 1; }
      sum = sum * 3 + a[y * w + x];
    }
  out[j * w + i] = sum;
}

__global__ void mirrored(const int *a, int *out, int w, int h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= w || j >= h) return;
  int sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++) {
      int x = i + u, y = j + v;
      if (x < 0) x = -x;
      if (x >= w) x = 2 * w - 2 - x;
      if (y < 0)
        y = -y;
      else if (y >= h)
        y = 2 * h - 2 - y;
      sum = sum * 3 + a[y * w + x];
    }
  out[j * w + i] = sum;
}

__global__ void ring(const int *a, int *out, int w, int h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= w || j >= h) return;
  int sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++) {
      int x = i + u, y = j + v;
      if (x < 0) x += w;
      if (x >= w) x -= w;
      if (y < 0) y += h;
      if (y >= h) y -= h;
      sum = sum * 3 + a[y * w + x];
    }
  out[j * w + i] = sum;
}

__global__ void helped(const int *a, int *out, int w, int h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= w || j >= h) return;
  int sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++) {
      int x = i + u, y = within(j + v, 0, h - 1);
      x = x < 0 ? 0 : x;
      x = min(x, w - 1);
      sum = sum * 3 + a[y * w + x];
    }
  out[j * w + i] = sum;
}

// y changes behind its ifs.
__global__ void again(const int *a, int *out, int w, int h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= w || j >= h) return;
  int sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++) {
      int x = i + u, y = j + v;
      if (x < 0) x = 0;
      if (x >= w) x = w - 1;
      if (y < 0) y = 0;
      if (y >= h) y = h - 1;
      sum = sum * 3 + a[y * w + x];
      y = h - 1 - y;
      sum = sum * 3 + a[y * w + x];
    }
  out[j * w + i] = sum;
}

// x is read in front of its ifs and between them; the sum tells.
__global__ void kept(const int *a, int *out, int w, int h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= w || j >= h) return;
  int sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++) {
      int x = i + u, y = j + v;
      sum += x;
      if (x < 0) x = 0;
      sum += 5 * x;
      if (x >= w) x = w - 1;
      if (y < 0) y = 0;
      if (y >= h) y = h - 1;
      sum = sum * 3 + a[y * w + x];
    }
  out[j * w + i] = sum;
}

static int expected(const std::vector<int> &a, int form, int i, int j, int w, int h)
{
  int sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++) {
      int x = place(form, i, u, w), y = place(form, j, v, h);
      if (form == 4) sum += i + u + 5 * (i + u < 0 ? 0 : i + u);
      sum = sum * 3 + a[y * w + x];
      if (form == 5) sum = sum * 3 + a[(h - 1 - y) * w + x];
    }
  return sum;
}

int main(int argc, char **argv)
{
  int w = argc > 1 ? atoi(argv[1]) : 76, h = argc > 2 ? atoi(argv[2]) : 41, wrong = 0;
  size_t n = (size_t)w * h;
  std::vector<int> a(n), got(n);
  int *in, *out;
  for (size_t k = 0; k < n; k++) a[k] = (int)(k * 2654435761u % 1009) - 300;
  cudaMalloc(&in, n * sizeof *in);
  cudaMalloc(&out, n * sizeof *out);
  cudaMemcpy(in, a.data(), n * sizeof *in, cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  for (int form = 0; form < 6; form++) {
    if (form == 0) clamped<<<grid, block>>>(in, out, w, h);
    if (form == 1) mirrored<<<grid, block>>>(in, out, w, h);
    if (form == 2) ring<<<grid, block>>>(in, out, w, h);
    if (form == 3) helped<<<grid, block>>>(in, out, w, h);
    if (form == 4) kept<<<grid, block>>>(in, out, w, h);
    if (form == 5) again<<<grid, block>>>(in, out, w, h);
    cudaMemcpy(got.data(), out, n * sizeof *out, cudaMemcpyDeviceToHost);
    for (int j = 0; j < h; j++)
      for (int i = 0; i < w; i++) wrong += got[j * w + i] != expected(a, form, i, j, w, h);
    printf("form %d: %d wrong\n", form, wrong);
  }
  return wrong != 0;
}
