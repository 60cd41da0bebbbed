// Kernels of three axes whose warps run along the wrong one. Arguments: nx ny nz rounds [first
// last: kernels]. stdout: a checksum of all outputs a kernel; stderr: microseconds a launch.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define IDS \
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, \
      k = blockIdx.z * blockDim.z + threadIdx.z
#define AT(i, j, k) (((i)*ny + (j)) * nz + (k))

__global__ void axpy(float *out, const float *in, int nx, int ny, int nz, float s)
{
  IDS;
  if (i < nx && j < ny && k < nz) out[AT(i, j, k)] = s * in[AT(i, j, k)] + out[AT(i, j, k)];
}
__global__ void axpy_any(float *out, const float *in, int nx, int ny, int nz, float s)
{
  IDS;
  if (i < nx && j < ny && k < nz) out[AT(i, j, k)] = s * in[AT(i, j, k)] + out[AT(i, j, k)];
}
__global__ void axpy_row(float *out, const float *in, int nx, int ny, int nz, float s)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y, k = blockIdx.z;
  if (i < nx) out[AT(i, j, k)] = s * in[AT(i, j, k)] + out[AT(i, j, k)];
}
__global__ void seven(float *out, const float *in, int nx, int ny, int nz)
{
  IDS;
  if (i < 1 || i >= nx - 1) return;
  if (j < 1 || j >= ny - 1) return;
  if (k < 1 || k >= nz - 1) return;
  out[AT(i, j, k)] = 0.4f * in[AT(i, j, k)] +
                     0.1f * (in[AT(i - 1, j, k)] + in[AT(i + 1, j, k)] + in[AT(i, j - 1, k)] +
                             in[AT(i, j + 1, k)] + in[AT(i, j, k - 1)] + in[AT(i, j, k + 1)]);
}
__global__ void seven_layers(double *out, const double *in, int nx, int ny, int nz)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
      k = blockIdx.z;
  if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1)
    out[AT(i, j, k)] = 0.4 * in[AT(i, j, k)] +
                       0.1 * (in[AT(i - 1, j, k)] + in[AT(i + 1, j, k)] + in[AT(i, j - 1, k)] +
                              in[AT(i, j + 1, k)] + in[AT(i, j, k - 1)] + in[AT(i, j, k + 1)]);
}
__global__ void window(float *out, const float *in, int nx, int ny, int nz)
{
  IDS;
  if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1 || k < 1 || k >= nz - 1) return;
  float sum = 0;
  for (int a = -1; a <= 1; a++)
    for (int b = -1; b <= 1; b++)
      for (int c = -1; c <= 1; c++) sum += in[AT(i + a, j + b, k + c)];
  out[AT(i, j, k)] = sum / 27;
}
__global__ void curl(float *ox, float *oy, float *oz, const float *x, const float *y,
                     const float *z, int nx, int ny, int nz)
{
  IDS;
  if (i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
  ox[AT(i, j, k)] +=
      0.5f * ((z[AT(i, j + 1, k)] - z[AT(i, j, k)]) - (y[AT(i, j, k + 1)] - y[AT(i, j, k)]));
  oy[AT(i, j, k)] +=
      0.5f * ((x[AT(i, j, k + 1)] - x[AT(i, j, k)]) - (z[AT(i + 1, j, k)] - z[AT(i, j, k)]));
  oz[AT(i, j, k)] +=
      0.5f * ((y[AT(i + 1, j, k)] - y[AT(i, j, k)]) - (x[AT(i, j + 1, k)] - x[AT(i, j, k)]));
}
__global__ void along_y(float *out, const float *in, int nx, int ny, int nz)
{
  IDS;
  if (i < nx && j < ny && k < nz) out[(k * nx + i) * ny + j] = in[(k * nx + i) * ny + j] * 2 + k;
}
__global__ void reversed(float *out, const float *in, int nx, int ny, int nz)
{
  IDS;
  if (i < nx && j < ny && k < nz) out[(k * ny + j) * nx + i] = in[AT(i, j, k)];
}
__global__ void flat(float *out, const float *in, int nx, int ny, int nz)
{
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= nx * ny * nz) return;
  int i = id % nx, j = id / nx % ny, k = id / (nx * ny);
  out[AT(i, j, k)] = in[AT(i, j, k)] * 3 + i;
}
__global__ void columns(float *out, const float *in, int n)
{
  int row = threadIdx.x, col = blockIdx.x;
  out[row * n + col] = in[row * n + col] * 3 + row;
}
enum { N = 256 };
__global__ void constant(float (*out)[N][N], const float (*in)[N][N])
{
  IDS;
  if (i < 1 || i >= N - 1 || j < 1 || j >= N - 1 || k < 1 || k >= N - 1) return;
  out[i][j][k] = 0.4f * in[i][j][k] + 0.1f * (in[i - 1][j][k] + in[i + 1][j][k] + in[i][j - 1][k] +
                                              in[i][j + 1][k] + in[i][j][k - 1] + in[i][j][k + 1]);
}
__global__ void loop_of_layers(float *out, const float *in, int nx, int ny, int nz)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= ny || k >= nz) return;
  float before = 0;
  for (int i = 0; i < nx; i++) out[AT(i, j, k)] = before = before * 0.5f + in[AT(i, j, k)];
}

static int nx, ny, nz;
static dim3 grid_of(dim3 b)
{
  return dim3((nx + b.x - 1) / b.x, (ny + b.y - 1) / b.y, (nz + b.z - 1) / b.z);
}
static double sum_of(const void *device, size_t bytes)
{
  std::vector<unsigned> words(bytes / 4);
  unsigned long long sum = 0;
  cudaMemcpy(words.data(), device, bytes, cudaMemcpyDeviceToHost);
  for (size_t n = 0; n < words.size(); n++) sum = sum * 31 + words[n] * (n % 1021 + 1);
  return (double)(sum % 9007199254740881ull);
}
int main(int argc, char **argv)
{
  nx = argc > 1 ? atoi(argv[1]) : 256, ny = argc > 2 ? atoi(argv[2]) : 256,
  nz = argc > 3 ? atoi(argv[3]) : 256;
  int rounds = argc > 4 ? atoi(argv[4]) : 20, first = argc > 5 ? atoi(argv[5]) : 0,
      last = argc > 6 ? atoi(argv[6]) : 99;
  size_t n = (size_t)nx * ny * nz,
         bytes = (n < (size_t)N * N * N ? (size_t)N * N * N : n) * sizeof(double);
  float *d[6];
  for (int m = 0; m < 6; m++) cudaMalloc(&d[m], m < 2 ? bytes : bytes / 2);
  std::vector<float> init(bytes / 4);
  std::vector<double> wide(bytes / 8);
  for (size_t at = 0; at < init.size(); at++) init[at] = (float)(at % 1009) / 64;
  for (size_t at = 0; at < wide.size(); at++) wide[at] = (double)(at % 1009) / 64;
  dim3 any(argc > 7 ? atoi(argv[7]) : 8, argc > 8 ? atoi(argv[8]) : 8,
           argc > 9 ? atoi(argv[9]) : 8);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
#define TIME(number, name, outputs, launch) \
  if (first <= number && number <= last) { \
    for (int m = 0; m < 6; m++) \
      cudaMemcpy(d[m], number == 8 ? (void *)wide.data() : (void *)init.data(), \
                 m < 2 ? bytes : bytes / 2, cudaMemcpyHostToDevice); \
    launch; \
    cudaEventRecord(start); \
    for (int r = 0; r < rounds; r++) launch; \
    cudaEventRecord(stop); \
    cudaEventSynchronize(stop); \
    float ms; \
    cudaEventElapsedTime(&ms, start, stop); \
    fprintf(stderr, "%-24s %10.2f us\n", name, ms * 1000 / (rounds > 0 ? rounds : 1)); \
    printf("%s", name); \
    for (int m = 0; m < outputs; m++) printf(" %.0f", sum_of(d[m], m < 2 ? bytes : bytes / 2)); \
    printf("\n"); \
  }
  TIME(0, "axpy 8x8x8", 1,
       (axpy<<<grid_of(dim3(8, 8, 8)), dim3(8, 8, 8)>>>(d[0], d[1], nx, ny, nz, 0.5f)));
  TIME(1, "axpy 4x4x4", 1,
       (axpy<<<grid_of(dim3(4, 4, 4)), dim3(4, 4, 4)>>>(d[0], d[1], nx, ny, nz, 0.5f)));
  TIME(2, "axpy 16x16x1", 1,
       (axpy<<<grid_of(dim3(16, 16)), dim3(16, 16)>>>(d[0], d[1], nx, ny, nz, 0.5f)));
  TIME(3, "axpy 256x1x1", 1,
       (axpy_row<<<dim3((nx + 255) / 256, ny, nz), 256>>>(d[0], d[1], nx, ny, nz, 0.5f)));
  TIME(4, "axpy any", 1, (axpy_any<<<grid_of(any), any>>>(d[0], d[1], nx, ny, nz, 0.5f)));
  TIME(5, "seven 8x8x8", 1,
       (seven<<<grid_of(dim3(8, 8, 8)), dim3(8, 8, 8)>>>(d[0], d[1], nx, ny, nz)));
  TIME(6, "seven 4x4x4", 1,
       (seven<<<grid_of(dim3(4, 4, 4)), dim3(4, 4, 4)>>>(d[0], d[1], nx, ny, nz)));
  TIME(7, "seven 32x4x4", 1,
       (seven<<<grid_of(dim3(32, 4, 4)), dim3(32, 4, 4)>>>(d[0], d[1], nx, ny, nz)));
  TIME(8, "seven double 16x16", 1,
       (seven_layers<<<dim3((nx + 15) / 16, (ny + 15) / 16, nz), dim3(16, 16)>>>(
           (double *)d[0], (const double *)d[1], nx, ny, nz)));
  TIME(9, "window 8x8x4", 1,
       (window<<<grid_of(dim3(8, 8, 4)), dim3(8, 8, 4)>>>(d[0], d[1], nx, ny, nz)));
  TIME(10, "curl 8x8x8", 3,
       (curl<<<grid_of(dim3(8, 8, 8)), dim3(8, 8, 8)>>>(d[0], d[1], d[2], d[3], d[4], d[5], nx, ny,
                                                        nz)));
  TIME(11, "along_y 32x4x2", 1,
       (along_y<<<grid_of(dim3(32, 4, 2)), dim3(32, 4, 2)>>>(d[0], d[1], nx, ny, nz)));
  TIME(12, "along_y 8x8x8", 1,
       (along_y<<<grid_of(dim3(8, 8, 8)), dim3(8, 8, 8)>>>(d[0], d[1], nx, ny, nz)));
  TIME(13, "reversed 32x2x4", 1,
       (reversed<<<grid_of(dim3(32, 2, 4)), dim3(32, 2, 4)>>>(d[0], d[1], nx, ny, nz)));
  TIME(14, "flat 256", 1, (flat<<<(unsigned)((n + 255) / 256), 256>>>(d[0], d[1], nx, ny, nz)));
  if (nz <= 1024) TIME(15, "columns", 1, (columns<<<nx * ny, nz>>>(d[0], d[1], nx * ny)));
  TIME(16, "constant 8x8x8", 1,
       (constant<<<dim3(N / 8, N / 8, N / 8), dim3(8, 8, 8)>>>((float(*)[N][N])d[0],
                                                               (const float(*)[N][N])d[1])));
  TIME(17, "loop of layers 32x8", 1,
       (loop_of_layers<<<dim3((ny + 31) / 32, (nz + 7) / 8), dim3(32, 8)>>>(d[0], d[1], nx, ny,
                                                                            nz)));
  if (cudaGetLastError() != cudaSuccess) printf("a launch failed\n");
  return 0;
}
