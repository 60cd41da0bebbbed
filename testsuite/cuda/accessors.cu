// args: --mapping=always
// Methods and functions of one expression on structures: views with public and with private fields,
// members of members, conversions of arguments and results, pointers to objects, copies that are
// more than the bytes, arguments with effects.
#include <cstdio>
#include <cstdlib>

struct shape {
  int rows, cols;
  __host__ __device__ int at(int i, int j) const { return i * cols + j; }
  __host__ __device__ bool has(int i, int j) const { return i < rows && j < cols; }
};

template <class T> class grid {
public:
  __host__ __device__ grid(T *data, int rows, int cols) : size_{rows, cols}, data_(data) {}
  __host__ __device__ T &operator()(int i, int j) { return data_[index(i, j)]; }
  __host__ __device__ const T &operator()(int i, int j) const { return data_[index(i, j)]; }
  __device__ T get(int i, int j) const { return __ldg(this->data_ + size_.at(i, j)); }
  __host__ __device__ int rows() const { return size_.rows; }
  __host__ __device__ int cols() const { return size_.cols; }
  __host__ __device__ shape size() const { return size_; }
  __host__ __device__ T *row(int i) const { return &data_[i * size_.cols]; }

private:
  __host__ __device__ int index(int i, int j) const { return size_.at(i, j); }
  shape size_;
  T *data_;
};

// The copy that a kernel gets is not the host's variable.
class later {
public:
  __host__ __device__ later(float *p, int n) : p_(p), n_(n) {}
  __host__ __device__ later(const later &other) : p_(other.p_), n_(abs(other.n_)) {}
  __host__ __device__ float at(int i) const { return p_[i]; }
  __host__ __device__ int count() const { return n_; }

private:
  float *p_;
  int n_;
};

struct narrow {
  const float *of;
  int shift;
  __device__ float at(short i) const { return of[i + shift]; }
  __device__ int whole(float f) const { return f * shift; }
  __device__ unsigned char low(int i) const { return i + shift; }
  __device__ float twice(int i) const { return of[i] + i; }
};

class packed {
public:
  __host__ packed(float *p, unsigned few) : few_(few), p_(p) {}
  __device__ unsigned few() const { return few_; }
  __device__ void put(int i, float x) { p_[i] = x; }
  __device__ void add(const int &i, float x) { p_[i] += x; }
  friend __global__ void befriended(packed out, int n);

private:
  unsigned few_ : 5;
  float *p_;
};

struct pair {
  grid<float> in;
  narrow how;
  __device__ float read(int i, int j) const { return in(i, j) * how.shift; }
};

struct matrix {
  int cols, rows;
  float *data;
};
__device__ float get(const matrix m, int i, int j) { return m.data[i * m.cols + j]; }
__device__ void set(matrix m, int i, int j, float x) { m.data[i * m.cols + j] = x; }

__global__ void product(grid<float> a, const grid<float> b, grid<float> c)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (!c.size().has(i, j)) return;
  float sum = 0;
  for (int k = 0; k < a.cols(); k++) sum += a.get(i, k) * b(k, j);
  c(i, j) = sum;
}

__global__ void columns(matrix m, matrix out)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= m.cols) return;
  float sum = 0;
  for (int i = 0; i < m.rows; i++) sum += get(m, i, j);
  set(out, 0, j, sum);
}

__global__ void nested(pair p, packed out)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= p.in.cols()) return;
  float sum = 0;
  for (int i = 0; i < p.in.rows(); i++) sum += p.read(i, j) + p.in.row(i)[j];
  out.put(j, sum);
  out.add(j, j);
}

__global__ void befriended(packed out, int n)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++) sum += out.p_[n + i] * out.few_;
  if (j < n) out.p_[j] = sum + j;
}

__global__ void shifted(later from, float *out)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < from.count(); i++) sum += from.at(i);
  if (j < 32) out[j] = sum + j;
}

// 65536 + j is j as a short; 1.5f * 3 is 4 as an int; low() wraps.
__global__ void converted(narrow from, float *out, int n)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n) return;
  float sum = from.whole(1.5f) + from.low(j + 250);
  for (int k = 0; k < n; k++) sum += from.at(65536 + j) * from.at(65536 + k) + from.at(k);
  out[j] = sum;
}

__global__ void evaluated(narrow from, packed out, const narrow *there, int n)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x, k = j;
  if (j >= n) return;
  float sum = there->twice(j) + from.twice(k++);
  narrow own = {from.of + 1, k};
  own.shift -= j;
  out.put(j, sum + own.at(j) + k);
  out.add(j, out.few());
}

enum { SIZE = 64 * 1024 };
static float *host, *expected, *device;

static void fill()
{
  for (int i = 0; i < SIZE; i++) expected[i] = host[i] = (float)((i * 13 + i / 7) % 16) / 4 - 1;
  cudaMemcpy(device, host, SIZE * sizeof(float), cudaMemcpyHostToDevice);
}

static int differs(const char *what)
{
  cudaMemcpy(host, device, SIZE * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < SIZE; i++)
    if (host[i] != expected[i]) {
      printf("%s: element %d is %g, not %g\n", what, i, host[i], expected[i]);
      return 1;
    }
  return 0;
}

static int products(int n, int m, int k)
{
  grid<float> a(device + 16 * 1024, n, k), b(device + 32 * 1024, k, m), c(device, n, m);
  fill();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float sum = 0;
      for (int l = 0; l < k; l++)
        sum += expected[16 * 1024 + i * k + l] * expected[32 * 1024 + l * m + j];
      expected[i * m + j] = sum;
    }
  product<<<dim3((m + 15) / 16, (n + 7) / 8), dim3(16, 8)>>>(a, b, c);
  return differs("product");
}

static int sums(int rows, int cols)
{
  matrix m = {cols, rows, device + 32 * 1024}, out = {cols, 1, device};
  const float *in = expected + 32 * 1024;
  fill();
  for (int j = 0; j < cols; j++) {
    float sum = 0;
    for (int i = 0; i < rows; i++) sum += in[i * cols + j];
    expected[j] = sum;
  }
  columns<<<(cols + 63) / 64, 64>>>(m, out);
  if (differs("columns")) return 1;
  pair p = {grid<float>(m.data, rows, cols), {m.data, 2}};
  packed to(device, 21);
  for (int j = 0; j < cols; j++) {
    float sum = 0;
    for (int i = 0; i < rows; i++) sum += in[i * cols + j] * 2 + in[i * cols + j];
    expected[j] = sum + j;
  }
  nested<<<(cols + 63) / 64, 64>>>(p, to);
  return differs("nested");
}

static int copies()
{
  packed to(device, 3);
  later from(device + 1024, -20);
  fill();
  for (int j = 0; j < 48; j++) {
    float sum = 0;
    for (int i = 0; i < 48; i++) sum += expected[48 + i] * 3;
    expected[j] = sum + j;
  }
  befriended<<<1, 64>>>(to, 48);
  if (differs("befriended")) return 1;
  for (int j = 0; j < 32; j++) {
    float sum = 0;
    for (int i = 0; i < 20; i++) sum += expected[1024 + i];
    expected[j] = sum + j;
  }
  shifted<<<1, 32>>>(from, device);
  return differs("shifted");
}

static int conversions()
{
  const int n = 100;
  const float *in;
  narrow from = {device + 2048, 3}, *there;
  fill();
  in = expected + 2048;
  cudaMalloc(&there, sizeof from);
  cudaMemcpy(there, &from, sizeof from, cudaMemcpyHostToDevice);
  for (int j = 0; j < n; j++) {
    float sum = 4 + (unsigned char)(j + 253);
    for (int k = 0; k < n; k++) sum += in[j + 3] * in[k + 3] + in[k + 3];
    expected[j] = sum;
  }
  converted<<<(n + 31) / 32, 32>>>(from, device, n);
  if (differs("converted")) return 1;
  for (int j = 0; j < n; j++)
    expected[j] = in[j] + j + (in[j] + j) + in[j + 2] + (j + 1) + 30;
  evaluated<<<(n + 31) / 32, 32>>>(from, packed(device, 30), there, n);
  return cudaFree(there) != cudaSuccess || differs("evaluated");
}

int main()
{
  host = (float *)malloc(SIZE * sizeof(float));
  expected = (float *)malloc(SIZE * sizeof(float));
  if (cudaMalloc(&device, SIZE * sizeof(float)) != cudaSuccess) return 1;
  if (products(40, 64, 48) || products(33, 50, 40) || products(1, 80, 30)) return 1;
  if (sums(40, 128) || sums(17, 200) || copies() || conversions()) return 1;
  printf("ok\n");
  return cudaFree(device) != cudaSuccess;
}
