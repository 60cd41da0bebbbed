// args: --mapping=always
// Loops that count in other forms than for (k = 0; k < n; k++), and pointers and numbers that they
// step beside their iterator: each gives what the host computes, also where an iteration ends early
// or steps nothing.
#include <cstdio>

enum { N = 64, ALL = N * N };

__device__ int column() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int row_of(int n)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  return row < n ? row : -1;
}

#define IDS \
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y; \
  if (i >= n || j >= n) return; \
  float sum = 0;
#define KERNEL(name) __global__ void name(float *c, const float *a, const float *b, int n)

KERNEL(by_while)
{
  IDS int k = 0;
  while (k < n) {
    sum += a[i * n + k] * b[k * n + j];
    k++;
  }
  c[i * n + j] = sum + (float)k;
}

KERNEL(by_break)
{
  IDS for (int k = 0;; k++)
  {
    if (k >= n) break;
    sum += a[i * n + k] * b[k * n + j];
  }
  c[i * n + j] = sum;
}

KERNEL(by_endless)
{
  IDS int k = 1;
  while (true) {
    if (k > n) break;
    sum += a[i * n + k - 1] * b[(k - 1) * n + j];
    k += 1;
  }
  c[i * n + j] = sum;
}

KERNEL(by_unequal)
{
  IDS for (int k = 0; k != n; ++k) sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

KERNEL(by_functions)
{
  int j = column(), i = row_of(n);
  if (i < 0 || j >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

KERNEL(by_numbers)
{
  IDS int left = i * n;
  unsigned right = j;
  for (int k = 0; k < n; k++) {
    sum += a[left] * b[right];
    left++;
    right = right + n;
  }
  c[i * n + j] = sum;
}

KERNEL(by_pointers)
{
  IDS const float *p = a + i * n, *q = b + j;
  for (int k = 0; k < n; k++) {
    sum += *p++ * *q;
    q += n;
  }
  c[i * n + j] = sum;
}

KERNEL(by_both)
{
  IDS const float *p = a + i * n;
  const float *q = b + j;
  int k = 0;
  while (k != n) {
    sum += p[0] * q[0];
    ++p;
    q = q + n;
    k++;
  }
  c[i * n + j] = sum;
}

// The step stands between uses; the first number is no 0.
KERNEL(between)
{
  IDS const float *p = a + i * n;
  long long at = j;
  for (int k = 1; k < n; k++) {
    float here = *p * b[at];
    at += n;
    p++;
    sum += here + p[0] * b[at] + p[-1];
  }
  c[i * n + j] = sum;
}

KERNEL(backwards)
{
  IDS const float *p = a + i * n + n - 1;
  int at = (n - 1) * n + j;
  for (int k = n - 1; k >= 0; k--) {
    sum += *p * b[at];
    p--;
    at -= n;
  }
  c[i * n + j] = sum;
}

KERNEL(nested)
{
  IDS for (int half = 0; half < 2; half++)
  {
    const float *p = a + i * n + half * (n / 2);
    int at = half * (n / 2) * n + j;
    for (int k = 0; k < n / 2; k++) {
      sum += *p * b[at];
      p++;
      at += n;
    }
  }
  c[i * n + j] = sum;
}

// An iteration that ends early does not step.
KERNEL(continues)
{
  IDS int at = j;
  for (int k = 0; k < n; k++) {
    if (k % 3 == 1) continue;
    sum += a[i * n + k] * b[at];
    at += n;
  }
  c[i * n + j] = sum;
}

KERNEL(while_continues)
{
  IDS int k = 0, twice = 0;
  while (k < n) {
    if (k % 3 == 1 && twice == 0) {
      twice = 1;
      continue;
    }
    twice = 0;
    sum += a[i * n + k] * b[k * n + j];
    k++;
  }
  c[i * n + j] = sum;
}

// ... or steps under a condition, or is used behind the loop, or steps by what the loop changes.
KERNEL(others)
{
  IDS int odd = j, last = i * n, by = 0, sums = 0;
  for (int k = 0; k < n; k++) {
    if (k & 1) odd += n;
    sum += a[last] * b[odd];
    last++;
    by++;
    sums += by;
  }
  c[i * n + j] = sum + (float)(last - i * n) + (float)(sums % 7);
}

// The second loop does not come to its end from below: it is left by its break.
__global__ void until(float *__restrict__ c, const float *__restrict__ a, int n, int end)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int found = 0;
  if (j >= n) return;
  c[j] = 0;
  for (int k = 0; k < n; k++) c[j] += a[k * n + j];
  for (int k = 0; k != end; k++) {
    if (k * 3 > j) break;
    found += k;
  }
  c[j] += (float)found;
}

static float host[2 * ALL], expected[ALL];
static float a_of(int i) { return (float)(i * 7 % 13) / 4 - 1; }
static float b_of(int i) { return (float)(i * 5 % 11) / 2 - 2; }

static float product(int i, int j, int n)
{
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a_of(i * n + k) * b_of(k * n + j);
  return sum;
}

static float backward(int i, int j, int n)
{
  float sum = 0;
  for (int k = n - 1; k >= 0; k--) sum += a_of(i * n + k) * b_of(k * n + j);
  return sum;
}

static float between_of(int i, int j, int n)
{
  float sum = 0;
  for (int k = 0; k + 1 < n; k++) {
    float here = a_of(i * n + k) * b_of(k * n + j);
    sum += here + a_of(i * n + k + 1) * b_of((k + 1) * n + j) + a_of(i * n + k);
  }
  return sum;
}

static float continued(int i, int j, int n)
{
  float sum = 0;
  for (int k = 0, at = j; k < n; k++) {
    if (k % 3 == 1) continue;
    sum += a_of(i * n + k) * b_of(at);
    at += n;
  }
  return sum;
}

static float other(int i, int j, int n)
{
  float sum = 0;
  int sums = 0;
  for (int k = 0, odd = j; k < n; k++) {
    if (k & 1) odd += n;
    sum += a_of(i * n + k) * b_of(odd);
    sums += k + 1;
  }
  return sum + (float)n + (float)(sums % 7);
}

static float *a, *b, *c;

static int check(const char *name, int n, float (*value)(int, int, int), float add)
{
  int failed = 0;
  cudaMemcpy(host, c, sizeof expected, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n && !failed; i++)
    for (int j = 0; j < n && !failed; j++) {
      float wanted = value(i, j, n) + add, found = host[i * n + j];
      failed = wanted - found > 0.01f || found - wanted > 0.01f;
      if (failed) printf("%s %d: %d %d is %g, not %g\n", name, n, i, j, found, wanted);
    }
  cudaMemset(c, 0, sizeof expected);
  return failed;
}

static int all(int n)
{
  dim3 block(16, 8), grid((n + 15) / 16, (n + 7) / 8);
  int failed = 0;
#define CHECK(kernel, value, add) \
  kernel<<<grid, block>>>(c, a, b, n); \
  failed += check(#kernel, n, value, add)
  CHECK(by_while, product, (float)n);
  CHECK(by_break, product, 0);
  CHECK(by_endless, product, 0);
  CHECK(by_unequal, product, 0);
  CHECK(by_functions, product, 0);
  CHECK(by_numbers, product, 0);
  CHECK(by_pointers, product, 0);
  CHECK(by_both, product, 0);
  CHECK(between, between_of, 0);
  CHECK(backwards, backward, 0);
  CHECK(nested, product, 0);
  CHECK(continues, continued, 0);
  CHECK(while_continues, product, 0);
  CHECK(others, other, 0);
  return failed;
}

static int check_until(int n)
{
  int failed = 0;

  until<<<(n + 31) / 32, 32>>>(c, a, n, -1);
  cudaMemcpy(host, c, n * sizeof *host, cudaMemcpyDeviceToHost);
  for (int j = 0; j < n; j++) {
    float sum = 0;
    int found = 0;
    for (int k = 0; k < n; k++) sum += a_of(k * n + j);
    for (int k = 0; k * 3 <= j; k++) found += k;
    failed += host[j] != sum + (float)found;
  }
  if (failed) printf("until differs\n");
  return failed != 0;
}

int main()
{
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&c, sizeof host);
  for (int i = 0; i < ALL; i++) host[i] = a_of(i);
  cudaMemcpy(a, host, sizeof expected, cudaMemcpyHostToDevice);
  for (int i = 0; i < ALL; i++) host[i] = b_of(i);
  cudaMemcpy(b, host, sizeof expected, cudaMemcpyHostToDevice);
  int failed = all(N) + all(40) + check_until(N);
  printf("%d kernels differ\n", failed);
  return failed != 0;
}
