// args: --mapping=always
// Blocks that go through a tile in steps: by their threads from 0 and from the thread's index, by
// one, along both axes, with guards, sums and unsigned indices; tiles that the grid does not fill;
// and steps that meet in an element, hand something on or use a digit by itself, which stay.
#include <cstdio>
#include <cstdlib>

#define TILE 32
#define ROWS 8

__global__ void copied(int *c, const int *a, int n)
{
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) c[(y + j) * n + x] = a[(y + j) * n + x];
}

__global__ void transposed(int *c, const int *a, int n)
{
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += blockDim.y)
    if (x < n && y + j < n) c[x * n + (y + j)] = a[(y + j) * n + x];
}

__global__ void from_thread(int *c, const int *a, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  for (int j = threadIdx.y; j < TILE; j += ROWS) {
    int row = blockIdx.y * TILE + j;
    if (row < n) {
      int sum = row;
      for (int k = 0; k < 9; k++) sum += a[row * n + k] * a[k * n + x];
      c[row * n + x] = sum;
    }
  }
}

__global__ void by_one(int *c, const int *a, int n)
{
  int first = blockIdx.x * (blockDim.x * 4) + threadIdx.x;
  for (int i = 0; i < 4; i++) {
    int at = first + i * blockDim.x;
    if (at < n * n) c[at] = a[at] + (at > 0 ? a[at - 1] : 0) + (at > 1 ? a[at - 2] : 0);
  }
}

// under a condition, and with an index of 64 bits: stays
__global__ void wide(int *c, const int *a, size_t n)
{
  int x = blockIdx.x * TILE + threadIdx.x;
  if (x < (int)n)
    for (int j = 0; j < TILE; j += ROWS) {
      size_t y = blockIdx.y * TILE + threadIdx.y + j;
      if (y < n) c[x * n + y] = 3 * a[y * n + x];
    }
}

// elements that are `apart` elements apart: where that is 0, the last step's element stays
__global__ void meeting(int *c, const int *a, const int *chosen, int apart)
{
  int first = blockIdx.x * (blockDim.x * 4) + threadIdx.x;
  for (int i = 0; i < 4; i++) {
    int at = first + i * blockDim.x;
    if (chosen[at]) c[at * apart] = a[at] + a[at + 1] + a[at + 2];
  }
}

// a sum over a thread's steps
__global__ void handed_on(int *c, const int *a, int n)
{
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y, sum = 0;
  for (int j = 0; j < TILE; j += ROWS) {
    sum += a[(y + j) * n + x];
    c[(y + j) * n + x] = sum;
  }
}

// a step reads what the step before has written
__global__ void before(int *c, const int *a, int n)
{
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) {
    c[(y + j) * n + x] = a[(y + j) * n + x];
    if (j) c[(y + j) * n + x] += c[(y + j - ROWS) * n + x];
  }
}

// the number of a step as it is; a tile of another height than the block steps through
__global__ void numbered(int *c, const int *a, int n)
{
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) c[(y + j) * n + x] = a[(y + j) * n + x] + j;
}

__global__ void halves(int *c, const int *a, int n)
{
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE / 2; j += ROWS) c[(y + j) * n + x] = a[(y + j) * n + x];
}

static int wrong;

static void expect(const char *what, int n, int at, int is, int should)
{
  if (is != should && wrong++ < 10) printf("%s, %d [%d]: %d, not %d\n", what, n, at, is, should);
}

static int *da, *dc, *dchosen, *a, *c;
static size_t bytes;

static void back() { cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost); }
static void clear() { cudaMemset(dc, 0, bytes); }

static int sum_at(int row, int x, int n)
{
  int sum = row;
  for (int k = 0; k < 9; k++) sum += a[row * n + k] * a[k * n + x];
  return sum;
}

/* n x n elements, of any number */
static void try_guarded(int n)
{
  dim3 grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE), block(TILE, ROWS);
  clear();
  transposed<<<grid, block>>>(dc, da, n);
  back();
  for (int i = 0; i < n * n; i++) expect("transposed", n, i, c[i], a[i % n * n + i / n]);
  expect("behind transposed", n, n * n, c[n * n], 0);
  clear();
  from_thread<<<grid, block>>>(dc, da, n);
  back();
  for (int i = 0; i < n * n; i++) expect("from_thread", n, i, c[i], sum_at(i / n, i % n, n));
  clear();
  by_one<<<(n * n + 511) / 512, 128>>>(dc, da, n);
  back();
  for (int i = 0; i < n * n; i++)
    expect("by_one", n, i, c[i], a[i] + (i > 0 ? a[i - 1] : 0) + (i > 1 ? a[i - 2] : 0));
  expect("behind by_one", n, n * n, c[n * n], 0);
  clear();
  wide<<<grid, block>>>(dc, da, n);
  back();
  for (int i = 0; i < n * n; i++) expect("wide", n, i, c[i], 3 * a[i % n * n + i / n]);
}

/* n a multiple of TILE */
static void try_whole(int n)
{
  dim3 grid(n / TILE, n / TILE), block(TILE, ROWS);
  clear();
  copied<<<grid, block>>>(dc, da, n);
  back();
  for (int i = 0; i < n * n; i++) expect("copied", n, i, c[i], a[i]);
  clear();
  numbered<<<grid, block>>>(dc, da, n);
  back();
  for (int i = 0; i < n * n; i++) expect("numbered", n, i, c[i], a[i] + i / n % TILE / ROWS * ROWS);
  clear();
  halves<<<grid, block>>>(dc, da, n);
  back();
  for (int i = 0; i < n * n; i++) expect("halves", n, i, c[i], i / n % TILE < TILE / 2 ? a[i] : 0);
  for (int form = 0; form < 2; form++) {
    clear();
    form ? before<<<grid, block>>>(dc, da, n) : handed_on<<<grid, block>>>(dc, da, n);
    back();
    for (int i = 0; i < n * n; i++) {
      int sum = 0;
      for (int row = i / n; row >= i / n / TILE * TILE; row -= ROWS) sum += a[row * n + i % n];
      expect(form ? "before" : "handed_on", n, i, c[i], sum);
    }
  }
}

static void try_meeting(int n, int apart)
{
  for (int i = 0; i < n; i++) c[i] = i % 96 == 40;
  cudaMemcpy(dchosen, c, n * sizeof(int), cudaMemcpyHostToDevice);
  clear();
  meeting<<<n / 384, 96>>>(dc, da, dchosen, apart);
  back();
  for (int i = 40; i < n; i += 96) {
    int at = apart ? i : n - 96 + 40;
    expect("meeting", apart, i, c[i * apart], a[at] + a[at + 1] + a[at + 2]);
  }
}

int main(int argc, char **argv)
{
  int most = argc > 1 ? atoi(argv[1]) : 160;
  bytes = sizeof(int) * (most * most + 1);
  a = (int *)malloc(bytes), c = (int *)malloc(bytes);
  cudaMalloc(&da, bytes), cudaMalloc(&dc, bytes), cudaMalloc(&dchosen, bytes);
  for (int i = 0; i <= most * most; i++) a[i] = i * 7 % 1019 - 509;
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  try_guarded(most), try_guarded(77), try_guarded(33), try_guarded(9);
  try_whole(128), try_whole(64), try_whole(32);
  try_meeting(3840, 3), try_meeting(384, 0);
  printf(wrong ? "wrong: %d\n" : "ok\n", wrong);
  return wrong != 0;
}
