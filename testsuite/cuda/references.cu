// Products that name elements by local references; copies of elements, and other locals of the
// names in the index, beside them.
#include <cstdio>
#include <cstdlib>

enum { MOST = 96 };

__global__ void product(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int &out = c[row * n + col];
  out = out % 5;
  for (int k = 0; k < depth; k++) {
    const int &p = a[row * MOST + k], &q = b[k * MOST + col];
    out += p * q;
  }
}

// The names in the element's index are those of other locals where it is used.
__global__ void shadowed(int *c, const int *a, const int *b, int n, int depth)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  const int &first = a[i * MOST + j];
  int sum = 0;
  for (int k = 0; k < depth; k++) {
    int i_of = i, s = 0;
    for (int i = 0; i < 2; i++) {
      int j = i + 1;
      s += j * first;
    }
    sum += s + a[i_of * MOST + k] * b[k * MOST + j];
  }
  c[i * n + j] = sum;
}

// A copy of an element stays what it was; the reference to it changes.
__global__ void copied(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  int &out = c[row * n + col];
  auto before = out;
  int sum = 0;
  for (int k = 0; k < depth; k++) sum += a[row * MOST + k] * b[k * MOST + col];
  out = sum;
  out += before * 3;
}

static int failures;

static void expect(const char *what, int index, int have, int want)
{
  if (have == want) return;
  if (failures++ < 8) printf("%s, %d: %d, not %d\n", what, index, have, want);
}

static int of_a(int i) { return i * 7 % 23 - 11; }
static int of_b(int i) { return i * 5 % 19 - 9; }

template <typename T> static T *device(const T *from, int count)
{
  T *to;
  if (cudaMalloc(&to, count * sizeof(T))) exit(1);
  cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}

static void products(int n, int depth)
{
  static int a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], have[MOST * MOST];
  for (int i = 0; i < MOST * MOST; i++) {
    a[i] = of_a(i);
    b[i] = of_b(i);
    c[i] = i % 17;
  }
  int *da = device(a, MOST * MOST), *db = device(b, MOST * MOST);
  dim3 grid((n + 15) / 16, (n + 15) / 16), block(16, 16);
  const char *names[] = {"product", "shadowed", "copied"};
  for (int form = 0; form < 3; form++) {
    int *dc = device(c, MOST * MOST);
    if (form == 0) product<<<grid, block>>>(dc, da, db, n, depth);
    if (form == 1) shadowed<<<grid, block>>>(dc, da, db, n, depth);
    if (form == 2) copied<<<grid, block>>>(dc, da, db, n, depth);
    cudaMemcpy(have, dc, sizeof have, cudaMemcpyDeviceToHost);
    for (int row = 0; row < n; row++)
      for (int col = 0; col < n; col++) {
        int at = row * n + col, sum = 0;
        for (int k = 0; k < depth; k++) sum += a[row * MOST + k] * b[k * MOST + col];
        if (form == 0) sum += c[at] % 5;
        if (form == 1) sum += 3 * depth * a[row * MOST + col];
        if (form == 2) sum += c[at] * 3;
        expect(names[form], at, have[at], sum);
      }
    cudaFree(dc);
  }
  cudaFree(da);
  cudaFree(db);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 50;
  products(n, n);
  products(n - 3, 17);
  products(MOST, MOST);
  if (failures) return 1;
  puts("ok");
  return 0;
}
