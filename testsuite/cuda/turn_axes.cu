// args: --mapping=always
// Ids whose warps lie across the rows of arrays: i along x, j along y, k along z of arrays
// [i][j][k] and other orders; blocks of several shapes, known and of the launch; guards in one
// condition, in returns, and none; layers by blockIdx.z alone and by a loop; stencils, periodic
// ones, too; sizes of blocks and of the grid as values; flat ids whose last digit is that of rows;
// what stays: other uses of a thread's index, loops of another length for each thread, warps that
// lie well.
#include <cstdio>
#include <cstdlib>

#define IDS \
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, \
      k = blockIdx.z * blockDim.z + threadIdx.z
#define AT(i, j, k) (((i)*ny + (j)) * nz + (k))

__global__ void scaled(int *out, const int *in, int nx, int ny, int nz)
{
  IDS;
  if (i < nx && j < ny && k < nz) out[AT(i, j, k)] = 3 * in[AT(i, j, k)] + i - 2 * j + 5 * k;
}

__global__ void stencil(int *out, const int *in, int nx, int ny, int nz)
{
  IDS;
  if (i < 1 || i >= nx - 1) return;
  if (j < 1 || j >= ny - 1) return;
  if (k < 1 || k >= nz - 1) return;
  out[AT(i, j, k)] = 7 * in[AT(i, j, k)] - in[AT(i - 1, j, k)] + 2 * in[AT(i + 1, j, k)] -
                     3 * in[AT(i, j - 1, k)] + 4 * in[AT(i, j + 1, k)] - 5 * in[AT(i, j, k - 1)] +
                     6 * in[AT(i, j, k + 1)];
}

__global__ void periodic(int *out, const int *in, int nx, int ny, int nz)
{
  IDS;
  if (i >= nx || j >= ny || k >= nz) return;
  int before = k > 0 ? k - 1 : nz - 1, behind = (k + 1) % nz, left = i > 0 ? i - 1 : nx - 1;
  out[AT(i, j, k)] =
      in[AT(i, j, before)] + 3 * in[AT(i, j, behind)] - 2 * in[AT(left, j, k)] + in[AT(i, j, k)];
}

__global__ void window(int *out, const int *in, int nx, int ny, int nz)
{
  IDS;
  if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1 || k < 1 || k >= nz - 1) return;
  int sum = 0;
  for (int a = -1; a <= 1; a++)
    for (int b = -1; b <= 1; b++)
      for (int c = -1; c <= 1; c++) sum = sum * 3 + in[AT(i + a, j + b, k + c)];
  out[AT(i, j, k)] = sum;
}

/* rows lie along y */
__global__ void along_y(int *out, const int *in, int nx, int ny, int nz)
{
  IDS;
  if (i < nx && j < ny && k < nz)
    out[(k * nx + i) * ny + j] = in[(k * nx + i) * ny + j] * 2 + k - i;
}

/* in place, and a sum by atomic operations */
__global__ void in_place(int *out, int *sum, int nx, int ny, int nz)
{
  IDS;
  if (i >= nx || j >= ny || k >= nz) return;
  out[AT(i, j, k)] = out[AT(i, j, k)] * 5 + k;
  if (out[AT(i, j, k)] % 97 == 0) atomicAdd(sum + j % 7, i + k);
}

/* sizes of blocks and of the grid as values; all threads have an element */
__global__ void sizes(int *out, const int *in)
{
  IDS;
  int ny = gridDim.y * blockDim.y, nz = gridDim.z * blockDim.z;
  out[AT(i, j, k)] = in[AT(i, j, k)] + (int)(gridDim.x * 1000 + blockDim.x * 100 + gridDim.y * 10);
}

__global__ void mixed_sizes(int *out, const int *in, int nx, int ny, int nz)
{
  IDS;
  if (i < nx && j < ny && k < nz)
    out[AT(i, j, k)] = in[AT(i, j, k)] * (int)blockDim.x - (int)(blockDim.z * gridDim.x);
}

/* ids by the numbers of a block's threads */
__global__ void literal_sizes(int *out, const int *in, int nx, int ny, int nz)
{
  int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 4 + threadIdx.y,
      k = blockIdx.z * 4 + threadIdx.z;
  if (i < nx && j < ny && k < nz) out[AT(i, j, k)] = in[AT(i, j, k)] * (int)blockDim.x - k;
}

__global__ void layers(int *out, const int *in, int nx, int ny, int nz)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z;
  if (i < nx && j < ny) out[AT(i, j, k)] = in[AT(i, j, k)] - 2 * k + j * i;
}

__global__ void layers_of_rows(int *out, const int *in, int nx, int ny, int nz)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx)
    out[AT(i, (int)blockIdx.y, (int)blockIdx.z)] = in[AT(i, (int)blockIdx.y, (int)blockIdx.z)] + i;
}

__global__ void loop_of_layers(int *out, const int *in, int nx, int ny, int nz)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= ny || k >= nz) return;
  int before = 0;
  for (int i = 0; i < nx; i++) {
    before = before * 3 + in[AT(i, j, k)];
    out[AT(i, j, k)] = before;
  }
}

__global__ void unsigned_ids(unsigned *out, const unsigned *in, unsigned nx, unsigned ny,
                             unsigned nz)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
           k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= nx || j >= ny || k >= nz) return;
  size_t at = ((size_t)i * ny + j) * nz + k;
  out[at] = in[at] ^ (i - 2 * k);
}

__global__ void bytes(signed char *out, const short *in, int nx, int ny, int nz)
{
  IDS;
  if (i < nx && j < ny && k < nz) out[AT(i, j, k)] = (signed char)(in[AT(i, j, k)] >> 3);
}

__global__ void doubles(double *out, const double *in, int nx, int ny, int nz)
{
  IDS;
  if (i > 0 && i < nx && j < ny && k < nz)
    out[AT(i, j, k)] = in[AT(i, j, k)] * 0.5 + in[AT(i - 1, j, k)] * 0.25;
}

/* all axes the other way round */
__global__ void reversed(int *out, const int *in, int nx, int ny, int nz)
{
  IDS;
  if (i < nx && j < ny && k < nz) out[(k * ny + j) * nx + i] = in[AT(i, j, k)];
}

/* the slowest axis is the fastest digit */
__global__ void flat(int *out, const int *in, int nx, int ny, int nz)
{
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= nx * ny * nz) return;
  int i = id % nx, j = id / nx % ny, k = id / (nx * ny);
  out[AT(i, j, k)] = in[AT(i, j, k)] + 100 * i - 10 * j + k;
}

/* a column a block */
__global__ void columns(int *out, const int *in, int n)
{
  int row = threadIdx.x, col = blockIdx.x;
  out[row * n + col] = in[row * n + col] * 3 + row;
}

/* ---- what stays ---- */

__global__ void parity(int *out, const int *in, int nx, int ny, int nz)
{
  IDS;
  if (i < nx && j < ny && k < nz) out[AT(i, j, k)] = in[AT(i, j, k)] + (int)(threadIdx.x & 1);
}

__global__ void triangle(int *out, const int *in, int nx, int ny, int nz)
{
  IDS;
  if (i >= nx || j >= ny || k >= nz) return;
  int sum = 0;
  for (int l = 0; l <= i; l++) sum = sum * 3 + in[AT(l, j, k)];
  out[AT(i, j, k)] = sum;
}

static int wrong, *da, *db, *ds, *a, *b, *was;
static int nx, ny, nz;

static void expect(const char *what, int at, int is, int should)
{
  if (is != should && wrong++ < 10)
    printf("%s, %d %d %d [%d]: %d, not %d\n", what, nx, ny, nz, at, is, should);
}

static int count() { return nx * ny * nz; }

static void begin()
{
  for (int at = 0; at < count(); at++) a[at] = (int)((at * 7919u) % 10007u) - 5000;
  cudaMemcpy(da, a, count() * sizeof(int), cudaMemcpyHostToDevice);
  for (int at = 0; at < count(); at++) was[at] = at % 11;
  cudaMemcpy(db, was, count() * sizeof(int), cudaMemcpyHostToDevice);
}

static void end() { cudaMemcpy(b, db, count() * sizeof(int), cudaMemcpyDeviceToHost); }

#define EACH \
  for (int i = 0; i < nx; i++) \
    for (int j = 0; j < ny; j++) \
      for (int k = 0; k < nz; k++)

static dim3 grid_of(dim3 block)
{
  return dim3((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y,
              (nz + block.z - 1) / block.z);
}

static bool inner(int i, int j, int k)
{
  return i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1;
}

static void check_scaled(const char *what)
{
  end();
  EACH expect(what, AT(i, j, k), b[AT(i, j, k)], 3 * a[AT(i, j, k)] + i - 2 * j + 5 * k);
}

static void check_stencils()
{
  begin();
  stencil<<<grid_of(dim3(4, 4, 4)), dim3(4, 4, 4)>>>(db, da, nx, ny, nz);
  end();
  EACH expect("stencil", AT(i, j, k), b[AT(i, j, k)],
              !inner(i, j, k) ? was[AT(i, j, k)]
                              : 7 * a[AT(i, j, k)] - a[AT(i - 1, j, k)] + 2 * a[AT(i + 1, j, k)] -
                                    3 * a[AT(i, j - 1, k)] + 4 * a[AT(i, j + 1, k)] -
                                    5 * a[AT(i, j, k - 1)] + 6 * a[AT(i, j, k + 1)]);
  begin();
  periodic<<<grid_of(dim3(16, 4, 2)), dim3(16, 4, 2)>>>(db, da, nx, ny, nz);
  end();
  EACH expect("periodic", AT(i, j, k), b[AT(i, j, k)],
              a[AT(i, j, k > 0 ? k - 1 : nz - 1)] + 3 * a[AT(i, j, (k + 1) % nz)] -
                  2 * a[AT(i > 0 ? i - 1 : nx - 1, j, k)] + a[AT(i, j, k)]);
  begin();
  window<<<grid_of(dim3(8, 8, 4)), dim3(8, 8, 4)>>>(db, da, nx, ny, nz);
  end();
  EACH
  {
    int sum = 0;
    for (int n = 0; n < 27 && inner(i, j, k); n++)
      sum = (int)((unsigned)sum * 3u) + a[AT(i + n / 9 - 1, j + n / 3 % 3 - 1, k + n % 3 - 1)];
    expect("window", AT(i, j, k), b[AT(i, j, k)], inner(i, j, k) ? sum : was[AT(i, j, k)]);
  }
}

static void check_values()
{
  dim3 block(16, 4, 4), grid = grid_of(block);
  begin();
  along_y<<<grid_of(dim3(32, 4, 2)), dim3(32, 4, 2)>>>(db, da, nx, ny, nz);
  end();
  EACH expect("along y", (k * nx + i) * ny + j, b[(k * nx + i) * ny + j],
              a[(k * nx + i) * ny + j] * 2 + k - i);
  begin();
  mixed_sizes<<<grid, block>>>(db, da, nx, ny, nz);
  end();
  EACH expect("mixed sizes", AT(i, j, k), b[AT(i, j, k)], a[AT(i, j, k)] * 16 - 4 * (int)grid.x);
  begin();
  literal_sizes<<<grid, dim3(16, 4, 4)>>>(db, da, nx, ny, nz);
  end();
  EACH expect("literal sizes", AT(i, j, k), b[AT(i, j, k)], a[AT(i, j, k)] * 16 - k);
  int sums[7] = {0}, should[7] = {0};
  begin();
  cudaMemcpy(ds, sums, sizeof sums, cudaMemcpyHostToDevice);
  in_place<<<grid, block>>>(db, ds, nx, ny, nz);
  end();
  cudaMemcpy(sums, ds, sizeof sums, cudaMemcpyDeviceToHost);
  EACH
  {
    int now = was[AT(i, j, k)] * 5 + k;
    expect("in place", AT(i, j, k), b[AT(i, j, k)], now);
    if (now % 97 == 0) should[j % 7] += i + k;
  }
  for (int n = 0; n < 7; n++) expect("sums", n, sums[n], should[n]);
}

static void check_layers()
{
  begin();
  layers<<<dim3((nx + 15) / 16, (ny + 15) / 16, nz), dim3(16, 16)>>>(db, da, nx, ny, nz);
  end();
  EACH expect("layers", AT(i, j, k), b[AT(i, j, k)], a[AT(i, j, k)] - 2 * k + j * i);
  begin();
  layers_of_rows<<<dim3((nx + 255) / 256, ny, nz), 256>>>(db, da, nx, ny, nz);
  end();
  EACH expect("layers of rows", AT(i, j, k), b[AT(i, j, k)], a[AT(i, j, k)] + i);
  begin();
  loop_of_layers<<<dim3((ny + 31) / 32, (nz + 7) / 8), dim3(32, 8)>>>(db, da, nx, ny, nz);
  end();
  for (int j = 0; j < ny; j++)
    for (int k = 0; k < nz; k++) {
      unsigned before = 0;
      for (int i = 0; i < nx; i++) {
        before = before * 3 + (unsigned)a[AT(i, j, k)];
        expect("a loop of layers", AT(i, j, k), b[AT(i, j, k)], (int)before);
      }
    }
}

static void check_types()
{
  dim3 block(32, 2, 4), grid = grid_of(block);
  begin();
  unsigned_ids<<<grid, block>>>((unsigned *)db, (const unsigned *)da, nx, ny, nz);
  end();
  EACH expect("unsigned ids", AT(i, j, k), b[AT(i, j, k)], a[AT(i, j, k)] ^ (i - 2 * k));
  begin();
  bytes<<<grid, block>>>((signed char *)db, (const short *)da, nx, ny, nz);
  end();
  for (int at = 0; at < count(); at++)
    expect("bytes", at, ((signed char *)b)[at], (signed char)(((short *)a)[at] >> 3));
  begin();
  reversed<<<grid, block>>>(db, da, nx, ny, nz);
  end();
  EACH expect("reversed", AT(i, j, k), b[(k * ny + j) * nx + i], a[AT(i, j, k)]);
  double *x = (double *)malloc(count() * sizeof *x), *y = (double *)malloc(count() * sizeof *y);
  double *dx, *dy;
  for (int at = 0; at < count(); at++) x[at] = at % 1009 / 7.0, y[at] = at % 5;
  cudaMalloc(&dx, count() * sizeof *x);
  cudaMalloc(&dy, count() * sizeof *y);
  cudaMemcpy(dx, x, count() * sizeof *x, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y, count() * sizeof *y, cudaMemcpyHostToDevice);
  doubles<<<grid, block>>>(dy, dx, nx, ny, nz);
  cudaMemcpy(y, dy, count() * sizeof *y, cudaMemcpyDeviceToHost);
  EACH
  {
    int at = AT(i, j, k);
    double should = i ? x[at] * 0.5 + x[AT(i - 1, j, k)] * 0.25 : at % 5;
    expect("doubles", at, (int)(y[at] * 1024), (int)(should * 1024));
  }
  cudaFree(dx);
  cudaFree(dy);
  free(x);
  free(y);
}

static void check_flat()
{
  begin();
  flat<<<(count() + 127) / 128, 128>>>(db, da, nx, ny, nz);
  end();
  EACH expect("flat", AT(i, j, k), b[AT(i, j, k)], a[AT(i, j, k)] + 100 * i - 10 * j + k);
  if (ny > 1024) return;
  begin();
  columns<<<nz, ny>>>(db, da, nz);
  end();
  for (int row = 0; row < ny; row++)
    for (int col = 0; col < nz; col++)
      expect("columns", row * nz + col, b[row * nz + col], a[row * nz + col] * 3 + row);
}

static void check_others()
{
  dim3 block(8, 4, 4), grid = grid_of(block);
  begin();
  parity<<<grid, block>>>(db, da, nx, ny, nz);
  end();
  EACH expect("parity", AT(i, j, k), b[AT(i, j, k)], a[AT(i, j, k)] + i % 2);
  begin();
  triangle<<<grid, block>>>(db, da, nx, ny, nz);
  end();
  for (int j = 0; j < ny; j++)
    for (int k = 0; k < nz; k++) {
      unsigned sum = 0;
      for (int i = 0; i < nx; i++) {
        sum = sum * 3 + (unsigned)a[AT(i, j, k)];
        expect("triangle", AT(i, j, k), b[AT(i, j, k)], (int)sum);
      }
    }
}

int main()
{
  static const int sizes_of[][3] = {
      {40, 24, 72}, {33, 7, 130}, {5, 66, 64}, {130, 9, 17}, {1, 1, 5}};
  static const dim3 blocks[] = {dim3(8, 8, 8),  dim3(64, 1, 1), dim3(16, 16, 1), dim3(1, 1, 64),
                                dim3(2, 2, 32), dim3(3, 5, 7),  dim3(1, 128, 2)};
  const size_t most = 1 << 18;
  cudaMalloc(&da, most * sizeof(int));
  cudaMalloc(&db, most * sizeof(int));
  cudaMalloc(&ds, 7 * sizeof(int));
  a = (int *)malloc(most * sizeof(int));
  b = (int *)malloc(most * sizeof(int));
  was = (int *)malloc(most * sizeof(int));
  for (unsigned n = 0; n < sizeof sizes_of / sizeof *sizes_of; n++) {
    nx = sizes_of[n][0], ny = sizes_of[n][1], nz = sizes_of[n][2];
    for (unsigned m = 0; m < sizeof blocks / sizeof *blocks; m++) {
      begin();
      scaled<<<grid_of(blocks[m]), blocks[m]>>>(db, da, nx, ny, nz);
      check_scaled("blocks of the launch");
    }
    begin();
    scaled<<<grid_of(dim3(8, 8, 8)), dim3(8, 8, 8)>>>(db, da, nx, ny, nz);
    check_scaled("blocks");
    check_stencils();
    check_values();
    check_layers();
    check_types();
    check_flat();
    check_others();
  }
  nx = 48, ny = 20, nz = 96;
  begin();
  sizes<<<dim3(3, 5, 24), dim3(16, 4, 4)>>>(db, da);
  end();
  EACH expect("sizes", AT(i, j, k), b[AT(i, j, k)], a[AT(i, j, k)] + 3 * 1000 + 16 * 100 + 50);
  printf(wrong ? "wrong\n" : "ok\n");
  return wrong != 0;
}
