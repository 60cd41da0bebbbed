// args: --mapping=always
// Stencils in the forms that people write: an index in a local, and the row above as that index
// minus the width; layers by a product of sizes, of two and of the same one; blocks of three
// dimensions, whose shape may come from an argument; rows that are mirrored.
#include <cstdio>
#include <cstring>

enum { MOST = 40000 };

#define IDS \
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, \
      z = blockIdx.z * blockDim.z + threadIdx.z

__global__ void five(const float *a, float *b, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    int i = y * w + x;
    b[i] = a[i - w] + a[i + w] + a[i - 1] + a[i + 1] - 4 * a[i];
  }
}

__global__ void steps_of_two(const float *a, float *b, unsigned w, unsigned h)
{
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y < 2 || y >= h - 2) return;
  unsigned i = y * w + x;
  b[i] = a[i - 2 * w] + a[i - w] + a[i] + a[i + w] + a[i + w * 2];
}

__global__ void seven(const float *a, float *b, int nx, int ny, int nz)
{
  IDS;
  if (x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1) {
    int i = (z * ny + y) * nx + x;
    b[i] = a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - nx * ny] + a[i + nx * ny] - a[i];
  }
}

__global__ void cube(const float *a, float *b, int n)
{
  IDS;
  if (x < 1 || y < 1 || z < 1 || x > n - 2 || y > n - 2 || z > n - 2) return;
  int layer = n * n, i = z * n * n + y * n + x;
  b[i] = a[i - n] + a[i + n] + a[i - layer] + 2 * a[i + layer];
}

__global__ void twice(const float *a, float *b, int nx, int ny, int nz)
{
  IDS;
  if (x < nx && y < ny && z < nz) b[(z * ny + y) * nx + x] = 2 * a[(z * ny + y) * nx + x];
}

__global__ void mirrored(const float *a, float *b, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h - 1) b[y * w + x] = a[y * w + w - 1 - x] + a[y * w + x + w];
}

static float a[MOST], right[MOST], found[MOST];
static float *in, *out;
static int failures;

static void begin()
{
  cudaMemset(out, 0, sizeof found);
  memset(right, 0, sizeof right);
}

static void check(const char *what, int w, int h)
{
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < MOST; i++)
    if (found[i] != right[i]) {
      if (!failures++) printf("%s %d x %d: %d is %g, not %g\n", what, w, h, i, found[i], right[i]);
      return;
    }
}

static void planes(int w, int h, dim3 block)
{
  dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);

  begin();
  five<<<grid, block>>>(in, out, w, h);
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      int i = y * w + x;
      right[i] = a[i - w] + a[i + w] + a[i - 1] + a[i + 1] - 4 * a[i];
    }
  check("five", w, h);
  begin();
  steps_of_two<<<grid, block>>>(in, out, w, h);
  for (int y = 2; y < h - 2; y++)
    for (int x = 0; x < w; x++) {
      int i = y * w + x;
      right[i] = a[i - 2 * w] + a[i - w] + a[i] + a[i + w] + a[i + w * 2];
    }
  check("steps_of_two", w, h);
  begin();
  mirrored<<<grid, block>>>(in, out, w, h);
  for (int y = 0; y < h - 1; y++)
    for (int x = 0; x < w; x++) right[y * w + x] = a[y * w + w - 1 - x] + a[y * w + x + w];
  check("mirrored", w, h);
}

static dim3 blocks_of(int nx, int ny, int nz, dim3 block)
{
  return dim3((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y,
              (nz + block.z - 1) / block.z);
}

static void layers(int nx, int ny, int nz, dim3 any)
{
  dim3 block(8, 4, 4), deep(4, 4, 8);
  int layer = nx * ny;

  begin();
  seven<<<blocks_of(nx, ny, nz, block), block>>>(in, out, nx, ny, nz);
  for (int z = 1; z < nz - 1; z++)
    for (int y = 1; y < ny - 1; y++)
      for (int x = 1; x < nx - 1; x++) {
        int i = (z * ny + y) * nx + x;
        right[i] = a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - layer] + a[i + layer] - a[i];
      }
  check("seven", nx, ny);
  begin();
  cube<<<blocks_of(nx, nx, nx, deep), deep>>>(in, out, nx);
  for (int z = 1; z < nx - 1; z++)
    for (int y = 1; y < nx - 1; y++)
      for (int x = 1; x < nx - 1; x++) {
        int i = (z * nx + y) * nx + x;
        right[i] = a[i - nx] + a[i + nx] + a[i - nx * nx] + 2 * a[i + nx * nx];
      }
  check("cube", nx, nx);
  begin();
  twice<<<blocks_of(nx, ny, nz, block), block>>>(in, out, nx, ny, nz);
  for (int i = 0; i < layer * nz; i++) right[i] = 2 * a[i];
  check("twice", nx, ny);
  begin();
  twice<<<blocks_of(nx, ny, nz, any), any>>>(in, out, nx, ny, nz);
  for (int i = 0; i < layer * nz; i++) right[i] = 2 * a[i];
  check("twice in any blocks", nx, ny);
}

int main(int argc, char **)
{
  for (int i = 0; i < MOST; i++) a[i] = (float)((i * 37 + 11) % 1009);
  cudaMalloc((void **)&in, sizeof a);
  cudaMalloc((void **)&out, sizeof found);
  cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);
  planes(100 * argc, 90, dim3(16, 16));
  planes(257 * argc, 33, dim3(32, 4));
  planes(5 * argc, 300, dim3(16, 8));
  layers(30 * argc, 21, 17, dim3(16, 2, 2));
  layers(9 * argc, 40, 3, dim3(64, 1, 1));
  layers(33 * argc, 5, 12, dim3(2, 2, 16));
  printf(failures ? "wrong\n" : "ok\n");
  return failures != 0;
}
