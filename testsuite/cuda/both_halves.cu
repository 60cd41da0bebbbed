// args: --mapping=always
// Sums over both halves of a matrix of which one triangle is stored: lower and upper, by rows and
// by columns, with a choice in one loop or two loops, with the diagonal in one of them, in both or
// in none, with signs and factors; float, double and int; of any number of rows; and sums that look
// like these but are not.
#include <cstdio>
#include <cstdlib>

#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define MATRIX(T) (T * y, const T *a, const T *x, int n, int lda)

__global__ void low_rows MATRIX(float)
{
  int i = ID;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j <= i; j++) s += a[i * lda + j] * x[j];
  for (int j = i + 1; j < n; j++) s += a[j * lda + i] * x[j];
  y[i] = 2 * s + 3 * y[i];
}

__global__ void up_rows MATRIX(double)
{
  int i = ID, j;
  if (i < n) {
    double s = 0;
    for (j = 0; j < i; j++) s += a[j * lda + i] * x[j];
    for (j = i; j < n; j++) s += a[i * lda + j] * x[j];
    y[i] = 2 * s + 3 * y[i];
  }
}

__global__ void low_columns MATRIX(double)
{
  unsigned i = ID;
  if (i >= (unsigned)n) return;
  double s = 0;
  for (int j = 0; j <= (int)i; j++) s += a[(size_t)j * lda + i] * x[j];
  for (int j = i + 1; j < n; j++) s += a[(size_t)i * lda + j] * x[j];
  y[i] = s;
}

__global__ void up_columns MATRIX(int)
{
  int i = ID;
  if (i >= n) return;
  int s = 7;
  for (int j = n - 1 - (n - 1); j < i; ++j) s = s + a[i * lda + j] * x[j];
  for (int j = i; j < n; ++j) s = a[j * lda + i] * x[j] + s;
  y[i] = s;
}

__global__ void chosen MATRIX(float)
{
  int i = ID;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < n; j++) s += (j <= i ? a[i * lda + j] : a[j * lda + i]) * x[j];
  y[i] = s;
}

__global__ void index_chosen MATRIX(double)
{
  int i = ID;
  if (i >= n) return;
  double s = 0;
  for (int j = 0; j < n; j++) {
    int at = i > j ? i * lda + j : j * lda + i;
    s += a[at] * x[j];
  }
  y[i] = s;
}

__global__ void value_chosen MATRIX(float)
{
  int i = ID;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < n; j++) {
    const float v = j < i ? a[j * lda + i] : a[i * lda + j];
    const float w = v * x[j];
    s += w;
  }
  y[i] = s;
}

__global__ void by_if MATRIX(float)
{
  int i = ID;
  if (i < n) {
    float s = 0;
    for (int j = 0; j < n; j++)
      if (j > i)
        s += a[j * lda + i] * x[j];
      else
        s += a[i * lda + j] * x[j];
    y[i] = s;
  }
}

__global__ void diagonal_apart MATRIX(float)
{
  int i = ID;
  if (i >= n) return;
  float s = 4 * a[i * lda + i] * x[i];
  for (int j = 0; j < i; j++) s += a[i * lda + j] * x[j];
  for (int j = i + 1; j < n; j++) s += a[j * lda + i] * x[j];
  y[i] = s;
}

__global__ void diagonal_twice MATRIX(double)
{
  int i = ID;
  if (i >= n) return;
  double s = 0;
  for (int j = 0; j <= i; j++) s += a[i * lda + j] * x[j];
  for (int j = i; j < n; j++) s += a[j * lda + i] * x[j];
  y[i] = s;
}

__global__ void skew MATRIX(float)
{
  int i = ID;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < i; j++) s += 2 * a[i * lda + j] * x[j];
  for (int j = i + 1; j < n; j++) s -= x[j] * a[j * lda + i] * 3 * x[n - 1 - j];
  y[i] = s;
}

__global__ void in_memory MATRIX(float)
{
  int i = ID;
  if (i >= n) return;
  y[i] = 5;
  for (int j = 0; j <= i; j++) y[i] += a[i * lda + j] * x[j];
  for (int j = i + 1; j < n; j++) y[i] += a[j * lda + i] * x[j];
}

__global__ void used_between MATRIX(float)
{
  int i = ID;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j <= i; j++) s += a[i * lda + j] * x[j];
  y[i] = s;
  for (int j = i + 1; j < n; j++) s += a[j * lda + i] * x[j];
  y[i] += 2 * s;
}

__global__ void next_column MATRIX(float)
{
  int i = ID;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j <= i; j++) s += a[i * lda + j] * x[j];
  for (int j = i + 1; j < n; j++) s += a[j * lda + i + 1] * x[j];
  y[i] = s;
}

// the triangle without its last columns
__global__ void shorter MATRIX(float)
{
  int i = ID;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j <= i; j++) s += a[i * lda + j] * x[j];
  for (int j = i + 1; j < n - 1; j++) s += a[j * lda + i] * x[j];
  y[i] = s;
}

// matrices one behind the other, of which the launch has one
__global__ void of_many MATRIX(float)
{
  int i = ID;
  if (i >= n) return;
  float s = 0;
  const float *own = a + blockIdx.z * n * lda;
  for (int j = 0; j <= i; j++) s += own[i * lda + j] * x[j];
  for (int j = i + 1; j < n; j++) s += own[j * lda + i] * x[j + blockIdx.z * n];
  y[i + blockIdx.z * n] = s + gridDim.z;
}

// where the element is not read, a term counts, too
__global__ void counted MATRIX(int)
{
  int i = ID;
  if (i >= n) return;
  int s = 0;
  for (int j = 0; j < n; j++) s += 3 - (j <= i && a[i * lda + j] > 0);
  for (int j = 0; j < n; j++) s += 2 - (j > i && a[j * lda + i] > 0);
  y[i] = s;
}

// a thread for each element of y, of which not all are rows
__global__ void beyond MATRIX(float)
{
  int i = ID;
  float s = 1;
  if (i < n) {
    for (int j = 0; j <= i; j++) s += a[i * lda + j] * x[j];
    for (int j = i + 1; j < n; j++) s += a[j * lda + i] * x[j];
  }
  y[i] = s;
}

static int failures;

// element (i, j) of the symmetric matrix, from the side that is stored
template <typename T> static T element(const T *a, int i, int j, int lda, bool low)
{
  return (i >= j) == low ? a[i * lda + j] : a[j * lda + i];
}

template <typename T, typename Launch, typename Sum>
static void run(const char *name, int n, bool low, Launch launch, Sum sum, int threads = 0)
{
  const int lda = n + 3, all = threads ? threads : n, extra = 200;
  T *a = (T *)malloc(sizeof(T) * lda * lda), *x = (T *)malloc(sizeof(T) * n),
    *y = (T *)malloc(sizeof(T) * (all + extra)), *da, *dx, *dy;
  for (int i = 0; i < lda; i++)
    for (int j = 0; j < lda; j++)
      a[i * lda + j] = i < n && j < n && (low ? j <= i : j >= i) ? (i * 7 + j * 3) % 11 - 5 : 1000;
  for (int i = 0; i < n; i++) x[i] = i % 5 - 2;
  for (int i = 0; i < all + extra; i++) y[i] = i % 3;
  cudaMalloc(&da, sizeof(T) * lda * lda), cudaMalloc(&dx, sizeof(T) * n);
  cudaMalloc(&dy, sizeof(T) * (all + extra));
  cudaMemcpy(da, a, sizeof(T) * lda * lda, cudaMemcpyHostToDevice);
  cudaMemcpy(dx, x, sizeof(T) * n, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y, sizeof(T) * (all + extra), cudaMemcpyHostToDevice);
  launch(dy, da, dx, lda);
  T *have = (T *)malloc(sizeof(T) * (all + extra));
  cudaMemcpy(have, dy, sizeof(T) * (all + extra), cudaMemcpyDeviceToHost);
  for (int i = 0; i < all + extra; i++) {
    T want = i < all ? (T)sum(a, x, y[i], i, lda) : y[i];
    if (have[i] != want && failures++ < 10)
      printf("%s, n %d: y[%d] is %g, not %g\n", name, n, i, (double)have[i], (double)want);
  }
  cudaFree(da), cudaFree(dx), cudaFree(dy);
  free(a), free(x), free(y), free(have);
}

// the sum with `at` times the diagonal
template <typename T>
static T product(const T *a, const T *x, int i, int n, int lda, bool low, int at)
{
  T s = 0;
  for (int j = 0; j < n; j++) s += (i == j ? at : 1) * element(a, i, j, lda, low) * x[j];
  return s;
}

template <typename T> struct symmetric {
  int n, times, of_y, first, at;
  bool low;
  T operator()(const T *a, const T *x, T y, int i, int lda) const
  {
    return times * product(a, x, i, n, lda, low, at) + of_y * y + first;
  }
};

#define LAUNCH(kernel, block, T) \
  [n](T *y, const T *a, const T *x, int lda) { \
    kernel<<<(n + block - 1) / block, block>>>(y, a, x, n, lda); \
  }
#define LAUNCH_BEYOND \
  [n](float *y, const float *a, const float *x, int lda) { beyond<<<3, 100>>>(y, a, x, n, lda); }

static void sums(int n)
{
  run<float>("low_rows", n, true, LAUNCH(low_rows, 64, float),
             symmetric<float>{n, 2, 3, 0, 1, true});
  run<double>("up_rows", n, false, LAUNCH(up_rows, 64, double),
              symmetric<double>{n, 2, 3, 0, 1, false});
  run<double>("low_columns", n, false, LAUNCH(low_columns, 128, double),
              symmetric<double>{n, 1, 0, 0, 1, false});
  run<int>("up_columns", n, true, LAUNCH(up_columns, 96, int), symmetric<int>{n, 1, 0, 7, 1, true});
  run<float>("chosen", n, true, LAUNCH(chosen, 64, float), symmetric<float>{n, 1, 0, 0, 1, true});
  run<double>("index_chosen", n, true, LAUNCH(index_chosen, 64, double),
              symmetric<double>{n, 1, 0, 0, 1, true});
  run<float>("value_chosen", n, false, LAUNCH(value_chosen, 64, float),
             symmetric<float>{n, 1, 0, 0, 1, false});
  run<float>("by_if", n, true, LAUNCH(by_if, 64, float), symmetric<float>{n, 1, 0, 0, 1, true});
  run<float>("diagonal_apart", n, true, LAUNCH(diagonal_apart, 64, float),
             symmetric<float>{n, 1, 0, 0, 4, true});
  run<double>("diagonal_twice", n, true, LAUNCH(diagonal_twice, 64, double),
              symmetric<double>{n, 1, 0, 0, 2, true});
  run<float>("in_memory", n, true, LAUNCH(in_memory, 64, float),
             symmetric<float>{n, 1, 0, 5, 1, true});
  run<float>("skew", n, true, LAUNCH(skew, 64, float),
             [n](const float *a, const float *x, float, int i, int lda) {
               float s = 0;
               for (int j = 0; j < i; j++) s += 2 * a[i * lda + j] * x[j];
               for (int j = i + 1; j < n; j++) s -= 3 * x[j] * a[j * lda + i] * x[n - 1 - j];
               return s;
             });
}

static void others(int n)
{
  run<float>("of_many", n, true, LAUNCH(of_many, 64, float), symmetric<float>{n, 1, 0, 1, 1, true});
  run<int>("counted", n, true, LAUNCH(counted, 64, int),
           [n](const int *a, const int *, int, int i, int lda) {
             int s = 0;
             for (int j = 0; j < n; j++) s += 3 - (j <= i && a[i * lda + j] > 0);
             for (int j = 0; j < n; j++) s += 2 - (j > i && a[j * lda + i] > 0);
             return s;
           });
  run<float>("used_between", n, true, LAUNCH(used_between, 64, float),
             [n](const float *a, const float *x, float, int i, int lda) {
               float s = 0;
               for (int j = 0; j <= i; j++) s += a[i * lda + j] * x[j];
               return s + 2 * product(a, x, i, n, lda, true, 1);
             });
  run<float>("next_column", n, true, LAUNCH(next_column, 64, float),
             [n](const float *a, const float *x, float, int i, int lda) {
               float s = 0;
               for (int j = 0; j < n; j++)
                 s += (j <= i ? a[i * lda + j] : a[j * lda + i + 1]) * x[j];
               return s;
             });
  run<float>("shorter", n, true, LAUNCH(shorter, 64, float),
             [n](const float *a, const float *x, float, int i, int lda) {
               return product(a, x, i, n, lda, true, 1) -
                      (i < n - 1 ? a[(n - 1) * lda + i] * x[n - 1] : 0);
             });
  run<float>(
      "beyond", n, true, LAUNCH_BEYOND,
      [n](const float *a, const float *x, float, int i, int lda) {
        return i < n ? 1 + product(a, x, i, n, lda, true, 1) : 1;
      },
      300);
}

int main()
{
  const int sizes[] = {1, 70, 128, 129, 300};
  for (int n : sizes) {
    sums(n);
    others(n);
  }
  puts(failures ? "FAILED" : "ok");
  return failures != 0;
}
