// args: --mapping=always
// Elementwise kernels over images, with blocks of two dimensions: rows that are not aligned, that
// are shorter than a block, more rows than a grid has blocks, sizes of 1 to 8 bytes, unsigned ids,
// updates in place, a frame that stays, and a stencil whose launches have sizes of 0.
#include <cstdio>
#include <cstring>

enum { MOST = 1 << 16 };

__global__ void copy(const float *a, float *b, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) b[y * w + x] = 2 * a[y * w + x];
}

__global__ void add(const double *a, const double *b, double *c, unsigned w, unsigned h)
{
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  unsigned i = y * w + x;
  c[i] = a[i] + b[i];
}

__global__ void invert(unsigned char *image, size_t w, size_t h)
{
  size_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) image[y * w + x] = (unsigned char)(255 - image[y * w + x]);
}

__global__ void inside(const short *a, short *b, int w, int h, int pitch)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) b[y * pitch + x] = (short)(a[y * pitch + x] + 1);
}

__global__ void rows_of(const float *a, float *b, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x + 1 < w && y < h)
    b[y * w + x] = a[y * w + x - 1] + a[y * w + x] + a[y * w + x + 1];
}

__global__ void stencil(const float *a, float *b, unsigned w, unsigned h)
{
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    b[y * w + x] = a[(y - 1) * w + x] + a[(y + 1) * w + x] + a[y * w + x - 1] + a[y * w + x + 1];
}

static float fa[MOST], fb[MOST], fc[MOST];
static double da[MOST], db[MOST], dc[MOST];
static unsigned char image[MOST], found[MOST];
static short sa[MOST], sb[MOST];
static float *fin, *fout;
static double *din, *dother, *dout;
static unsigned char *device_image;
static short *sin_, *sout;
static int failures;

static void wrong(const char *what, int w, int h, int at)
{
  if (!failures++) printf("%s %d x %d: wrong at %d\n", what, w, h, at);
}

static void floats(const char *what, int w, int h)
{
  cudaMemcpy(fc, fout, sizeof fc, cudaMemcpyDeviceToHost);
  for (int i = 0; i < MOST; i++)
    if (fc[i] != fb[i]) return wrong(what, w, h, i);
}

static void all(int w, int h, dim3 block)
{
  dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
  int pitch = w + 3;

  cudaMemset(fout, 0, sizeof fb);
  memset(fb, 0, sizeof fb);
  copy<<<grid, block>>>(fin, fout, w, h);
  for (int i = 0; i < w * h; i++) fb[i] = 2 * fa[i];
  floats("copy", w, h);
  rows_of<<<grid, block>>>(fin + 1, fout, w, h);
  for (int y = 0; y < h; y++)
    for (int x = 1; x + 1 < w; x++)
      fb[y * w + x] = fa[y * w + x] + fa[y * w + x + 1] + fa[y * w + x + 2];
  floats("rows_of", w, h);
  add<<<grid, block>>>(din, dother, dout, w, h);
  cudaMemcpy(dc, dout, sizeof dc, cudaMemcpyDeviceToHost);
  for (int i = 0; i < w * h; i++)
    if (dc[i] != da[i] + db[i]) return wrong("add", w, h, i);
  cudaMemcpy(device_image, image, sizeof image, cudaMemcpyHostToDevice);
  invert<<<grid, block>>>(device_image + 5, w, h);
  cudaMemcpy(found, device_image, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < MOST; i++) {
    bool changed = i >= 5 && i < 5 + w * h;
    if (found[i] != (changed ? 255 - image[i] : image[i])) return wrong("invert", w, h, i);
  }
  cudaMemset(sout, 0, sizeof sb);
  inside<<<grid, block>>>(sin_, sout, w, h, pitch);
  cudaMemcpy(sb, sout, sizeof sb, cudaMemcpyDeviceToHost);
  for (int i = 0; i < h * pitch; i++) {
    int x = i % pitch, y = i / pitch;
    bool changed = x > 0 && y > 0 && x < w - 1 && y < h - 1;
    if (sb[i] != (changed ? (short)(sa[i] + 1) : 0)) return wrong("inside", w, h, i);
  }
}

// Launches whose shape is constant, behind one that keeps its own.
static void constant()
{
  cudaMemset(fout, 0, sizeof fb);
  memset(fb, 0, sizeof fb);
  copy<<<dim3(80, 12), dim3(16, 4)>>>(fin, fout, 1280, 48);
  for (int i = 0; i < 1280 * 48; i++) fb[i] = 2 * fa[i];
  floats("copy of a constant shape", 1280, 48);
}

// More rows than a grid has blocks along y.
static void tall(int rows)
{
  copy<<<dim3(1, rows / 32), dim3(1, 32)>>>(fin, fout, 1, rows);
  for (int i = 0; i < MOST; i++) fb[i] = 2 * fa[i];
  floats("copy", 1, MOST);
}

// With a width or a height of 0 the frame's end is past all threads: they all write, each row of
// threads the same.
static void stencils(int w, int h)
{
  cudaMemset(fout, 0, sizeof fb);
  memset(fb, 0, sizeof fb);
  stencil<<<dim3(2, 2), dim3(16, 16)>>>(fin, fout, w, h);
  for (unsigned y = 1; y < 32; y++)
    for (unsigned x = 1; x < 32; x++)
      if (x < (unsigned)w - 1 && y < (unsigned)h - 1)
        fb[y * w + x] =
            fa[(y - 1) * w + x] + fa[(y + 1) * w + x] + fa[y * w + x - 1] + fa[y * w + x + 1];
  floats("stencil", w, h);
}

int main(int argc, char **)
{
  for (int i = 0; i < MOST; i++) {
    fa[i] = (float)((i * 37 + 11) % 1009);
    da[i] = (i * 23 + 5) % 997;
    db[i] = (i * 5 + 3) % 31;
    image[i] = (unsigned char)(i * 7 + 1);
    sa[i] = (short)(i * 3 - 500);
  }
  cudaMalloc((void **)&fin, sizeof fa);
  cudaMalloc((void **)&fout, sizeof fb);
  cudaMalloc((void **)&din, sizeof da);
  cudaMalloc((void **)&dother, sizeof db);
  cudaMalloc((void **)&dout, sizeof dc);
  cudaMemset(dout, 0, sizeof dc);
  cudaMalloc((void **)&device_image, sizeof image);
  cudaMalloc((void **)&sin_, sizeof sa);
  cudaMalloc((void **)&sout, sizeof sb);
  cudaMemcpy(fin, fa, sizeof fa, cudaMemcpyHostToDevice);
  cudaMemcpy(din, da, sizeof da, cudaMemcpyHostToDevice);
  cudaMemcpy(dother, db, sizeof db, cudaMemcpyHostToDevice);
  cudaMemcpy(sin_, sa, sizeof sa, cudaMemcpyHostToDevice);
  all(256 * argc, 17, dim3(16, 16));
  all(1024 * argc, 9, dim3(32, 8));
  all(1100 * argc, 21, dim3(16, 16));
  all(333 * argc, 40, dim3(8, 32));
  all(3 * argc, 70, dim3(16, 4));
  tall(MOST * argc);
  constant();
  stencils(32 * argc, 31 * argc);
  stencils(0 * argc, 0 * argc);
  stencils(0 * argc, 31 * argc);
  stencils(1 * argc, 1 * argc);
  printf(failures ? "wrong\n" : "ok\n");
  return failures != 0;
}
