// args: --mapping=always
// Threads that go through neighbouring elements of their own: so many by a constant, a macro, a
// template argument, a parameter and the launch; up to a limit by an `if`, a condition, a break, a
// return, the loop's end and a local that is cut; with signed, unsigned and 64-bit indices; blocks
// of any size; and loops that end otherwise, hand something on or number their elements.
#include <cstdio>
#include <cstdlib>

#define EACH 16
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void inside(int *c, const int *a, int n)
{
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < 4; j++)
    if (4 * id + j < n) c[4 * id + j] = a[4 * id + j] + 1;
}

__global__ void by_macro(int *c, const int *a, int n)
{
  int first = ID * EACH;
  for (int j = 0; j < EACH; j++) {
    int at = first + j;
    if (at >= n) break;
    c[at] = a[at] + (at > 0 ? a[at - 1] : 0);
  }
}

template <int COUNT> __global__ void by_template(int *c, const int *a, int n)
{
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * COUNT;
  for (int i = first; i < first + COUNT && i < n; i++) c[i] = 3 * a[i];
}

__global__ void by_parameter(int *c, const int *a, int n, int chunk)
{
  int start = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  int end = min(start + chunk, n);
  for (int i = start; i < end; i++) c[i] = a[i] - 5;
}

__global__ void by_launch(int *c, const int *a, int n)
{
  int total = gridDim.x * blockDim.x, chunk = (n + total - 1) / total;
  int start = ID * chunk, end = start + chunk;
  if (end > n) end = n;
  for (int i = start; i < end; i++) c[i] = a[i] * 7;
}

__global__ void chosen(int *c, const int *a, int n)
{
  int start = ID * 8;
  int end = start + 8 < n ? start + 8 : n;
  for (int i = start; i < end; ++i) c[i] = a[i] ^ 1;
}

__global__ void cut(int *c, const int *a, int n)
{
  int start = ID * 8;
  int end = start + 8;
  if (end > n) end = n;
  for (int i = start; i < end; ++i) c[i] = a[i] ^ 2;
}

__global__ void returned(int *c, const int *a, int n)
{
  int start = ID * 8;
  for (int j = 0; j < 8; j++) {
    if (start + j >= n) return;
    c[start + j] = a[start + j] + 9;
  }
}

__global__ void without_sign(int *c, const int *a, unsigned n)
{
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned j = 0; j < 4; j++)
    if (id * 4 + j < n) c[id * 4 + j] = a[id * 4 + j] + 11;
}

__global__ void of_64_bits(int *c, const int *a, size_t n)
{
  size_t start = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 8;
  for (size_t i = start; i < start + 8 && i < n; i++) c[i] = a[i] + 13;
}

// whole runs alone: the elements behind the last one stay
__global__ void owned(int *c, const int *a, int n)
{
  unsigned id = ID;
  if (id >= n / 4) return;
  for (int j = 0; j < 4; j++) c[id * 4 + j] = a[id * 4 + j] + 15;
}

// rows of a plane, four neighbours a thread
__global__ void plane(int *c, const int *a, int w, int h)
{
  int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < h)
    for (int j = 0; j < 4; j++)
      if (x + j < w) c[y * w + x + j] = a[y * w + x + j] + 17;
}

// a thread's first element ends its loop, or none does
__global__ void ended_first(int *c, const int *a, int n)
{
  int start = ID * 8;
  for (int j = 0; j < 8; j++) {
    if (n / 2 - (start + j) >= 0) break;
    c[start + j] = a[start + j] + 19;
  }
}

__global__ void ended_by_data(int *c, const int *a, int n)
{
  int start = ID * 8;
  for (int j = 0; j < 8; j++) {
    if (a[start + j] % 5 == 0) break;
    c[start + j] = a[start + j] + 21;
  }
}

__global__ void handed_on(int *c, const int *a, int n)
{
  int start = ID * 8, sum = 0;
  for (int j = 0; j < 8; j++) {
    sum += a[start + j];
    c[start + j] = sum;
  }
}

__global__ void numbered(int *c, const int *a, int n)
{
  int start = ID * 8;
  for (int j = 0; j < 8; j++) c[start + j] = a[start + j] + j;
}

__global__ void overlapping(int *c, const int *a, int n)
{
  int start = ID * 4;
  for (int j = 0; j < 8; j++)
    if (start + j < n) c[start + j] = a[start + j] + 23;
}

static int wrong, *da, *dc, *a, *c;

static void expect(const char *what, int n, int at, int is, int should)
{
  if (is != should && wrong++ < 10) printf("%s, %d [%d]: %d, not %d\n", what, n, at, is, should);
}

static size_t bytes;

static void back() { cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost); }
static void clear() { cudaMemset(dc, 0, bytes); }

static int blocks_of(int n, int each, int threads)
{
  int runs = (n + each - 1) / each;
  return (runs + threads - 1) / threads;
}

#define TRY(name, launch, value) \
  clear(); \
  launch; \
  back(); \
  for (int i = 0; i < n; i++) expect(name, n, i, c[i], value); \
  expect("behind " name, n, n, c[n], 0);

/* any number of elements */
static void try_limited(int n, int threads, int chunk)
{
  TRY("inside", (inside<<<blocks_of(n, 4, 64), 64>>>(dc, da, n)), a[i] + 1)
  TRY("by_macro", (by_macro<<<blocks_of(n, EACH, 64), 64>>>(dc, da, n)),
      a[i] + (i > 0 ? a[i - 1] : 0))
  TRY("by_template", (by_template<8><<<blocks_of(n, 8, 96), 96>>>(dc, da, n)), 3 * a[i])
  TRY("by_template 5", (by_template<5><<<blocks_of(n, 5, threads), threads>>>(dc, da, n)), 3 * a[i])
  TRY("by_parameter",
      (by_parameter<<<blocks_of(n, chunk, threads), threads>>>(dc, da, n, chunk)), a[i] - 5)
  TRY("by_launch", (by_launch<<<3, threads>>>(dc, da, n)), a[i] * 7)
  TRY("chosen", (chosen<<<blocks_of(n, 8, threads), threads>>>(dc, da, n)), a[i] ^ 1)
  TRY("cut", (cut<<<blocks_of(n, 8, 64), 64>>>(dc, da, n)), a[i] ^ 2)
  TRY("returned", (returned<<<blocks_of(n, 8, 64), 64>>>(dc, da, n)), a[i] + 9)
  TRY("without_sign", (without_sign<<<blocks_of(n, 4, 64), 64>>>(dc, da, n)), a[i] + 11)
  TRY("of_64_bits", (of_64_bits<<<blocks_of(n, 8, 64), 64>>>(dc, da, n)), a[i] + 13)
  TRY("owned", (owned<<<blocks_of(n, 4, 64), 64>>>(dc, da, n)), i < n / 4 * 4 ? a[i] + 15 : 0)
  TRY("overlapping", (overlapping<<<blocks_of(n, 4, 64), 64>>>(dc, da, n)), a[i] + 23)
}

/* n a multiple of 512 */
static void try_whole(int n)
{
  TRY("plane", (plane<<<dim3(2, n / 64), dim3(8, 8)>>>(dc, da, 64, n / 64)), a[i] + 17)
  TRY("ended_first", (ended_first<<<n / 512, 64>>>(dc, da, n)),
      i - i % 8 > n / 2 ? a[i] + 19 : 0)
  TRY("numbered", (numbered<<<n / 512, 64>>>(dc, da, n)), a[i] + i % 8)
  clear();
  ended_by_data<<<n / 512, 64>>>(dc, da, n);
  back();
  for (int i = 0; i < n; i++) {
    bool ended = false;
    for (int k = i - i % 8; k <= i; k++) ended |= a[k] % 5 == 0;
    expect("ended_by_data", n, i, c[i], ended ? 0 : a[i] + 21);
  }
  clear();
  handed_on<<<n / 512, 64>>>(dc, da, n);
  back();
  for (int i = 0, sum = 0; i < n; i++) {
    sum = i % 8 ? sum + a[i] : a[i];
    expect("handed_on", n, i, c[i], sum);
  }
}

int main(int argc, char **argv)
{
  int most = argc > 1 ? atoi(argv[1]) : 20000;
  bytes = sizeof(int) * (most + 1);
  a = (int *)malloc(bytes), c = (int *)malloc(bytes);
  cudaMalloc(&da, bytes), cudaMalloc(&dc, bytes);
  for (int i = 0; i <= most; i++) a[i] = i * 7 % 1019 - 509;
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  try_limited(most, 96, 32), try_limited(4099, 64, 4), try_limited(4096, 33, 7);
  try_limited(1023, 128, 3), try_limited(5, 32, 1);
  try_whole(8192), try_whole(512);
  printf(wrong ? "wrong: %d\n" : "ok\n", wrong);
  return wrong != 0;
}
