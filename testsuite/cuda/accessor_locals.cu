// Accessors with locals before their result or their store: indices of other widths, rows, values
// used twice, loads, negative and wrapping numbers, of plain and template classes, in chains, and
// those that must stay calls.
#include <cstdio>

struct matrix {
  int rows, cols, stride;
  float *elements;
  __device__ float get(int r, int c) const
  {
    int at = r * stride + c;
    return elements[at];
  }
  __device__ void set(int r, int c, float v)
  {
    const int at = r * stride + c;
    elements[at] = v;
  }
  __device__ void add(int r, int c, float v)
  {
    float *row = elements + r * stride;
    row[c] += v;
  }
  __device__ float both(int r, int c) const
  {
    int at = r * stride + c;
    return elements[at] + 2 * elements[at];
  }
  __device__ float narrow(int r, int c) const
  {
    unsigned char at = r * stride + c;
    return elements[at];
  }
  __device__ float mean(int r) const
  {
    float a = get(r, 0), b = get(r, cols - 1);
    float sum = a + b;
    return sum / 2;
  }
  __device__ int half(int r) const
  {
    unsigned u = r - 2;
    int shifted = u >> 28;
    return shifted;
  }
  __device__ float truncated(int r, int c) const
  {
    int whole = elements[r * stride + c];
    return whole * 0.5f;
  }
  __device__ float &walked(int r, int c)
  {
    int at = r;
    at *= stride;
    at += c;
    return elements[at];
  }
  __device__ float counted(int r)
  {
    static __device__ int calls;
    atomicAdd(&calls, 1);
    return elements[r * stride];
  }
};
template <class T> struct grid {
  T *data;
  int nx, ny;
  __host__ __device__ T &at(int x, int y) const
  {
    size_t row = (size_t)y * nx;
    size_t at = row + x;
    return data[at];
  }
  __host__ __device__ T wrapped(int x, int y) const
  {
    int xx = (x + nx) % nx, yy = (y + ny) % ny;
    return at(xx, yy);
  }
};

__global__ void product(matrix a, matrix b, matrix c)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= c.rows || col >= c.cols) return;
  float sum = 0;
  for (int k = 0; k < a.cols; k++) sum += a.get(row, k) * b.get(k, col);
  c.set(row, col, sum);
  c.add(row, col, 1);
}
__global__ void forms(matrix a, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = 100;
  if (i >= a.rows) return;
  out[i] = a.both(i, 3) + a.mean(i) + a.half(i) + a.truncated(i, 1) + a.narrow(i, 4) + at;
}
__global__ void calls(matrix a, float *out, const int *table)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = i;
  if (i >= a.rows) return;
  out[i] += a.walked(i, 2) + a.counted(i) + a.get(table[i], k++ & 1);
}
__global__ void sums(matrix a, float *__restrict__ out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a.rows) return;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < a.cols; k++)
      out[j * a.rows + i] += a.truncated(i, k) + a.half(k) * a.narrow(j, i);
}
__global__ void blur(grid<const float> in, grid<float> out)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= in.nx || y >= in.ny) return;
  float sum = 0;
  for (int d = -1; d <= 1; d++) sum += in.wrapped(x + d, y) + in.wrapped(x, y + d);
  out.at(x, y) = sum;
}

static matrix made(int rows, int cols)
{
  matrix m = {rows, cols, cols + 1, nullptr};
  cudaMallocManaged(&m.elements, rows * m.stride * sizeof(float));
  for (int i = 0; i < rows * m.stride; i++) m.elements[i] = i * 7 % 11 - 4.5f;
  return m;
}

int main()
{
  matrix a = made(40, 24), b = made(24, 36), c = made(40, 36);
  product<<<dim3(3, 5), dim3(16, 8)>>>(a, b, c);
  cudaDeviceSynchronize();
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 36; j++) {
      float sum = 0;
      for (int k = 0; k < 24; k++) sum += a.elements[i * 25 + k] * b.elements[k * 37 + j];
      if (c.elements[i * 37 + j] != sum + 1) return printf("product %d %d\n", i, j), 1;
    }
  float *out;
  int *table;
  cudaMallocManaged(&out, 40 * sizeof *out);
  cudaMallocManaged(&table, 40 * sizeof *table);
  for (int i = 0; i < 40; i++) table[i] = i * 3 % 40;
  forms<<<2, 32>>>(a, out);
  calls<<<2, 32>>>(a, out, table);
  cudaDeviceSynchronize();
  for (int i = 0; i < 40; i++) {
    const float *e = a.elements;
    float r = 3 * e[i * 25 + 3] + (e[i * 25] + e[i * 25 + 23]) / 2 +
              (float)((unsigned)(i - 2) >> 28) + (int)e[i * 25 + 1] * 0.5f +
              e[(unsigned char)(i * 25 + 4)] + 100;
    r += e[i * 25 + 2] + e[i * 25] + e[table[i] * 25 + (i & 1)];
    if (out[i] != r) return printf("forms %d: %g, not %g\n", i, out[i], r), 2;
  }
  for (int i = 0; i < 40; i++) out[i] = i;
  sums<<<2, 32>>>(a, out, 1);
  cudaDeviceSynchronize();
  for (int i = 0; i < 40; i++) {
    float r = i;
    for (int k = 0; k < 24; k++)
      r += (int)a.elements[i * 25 + k] * 0.5f + (int)((unsigned)(k - 2) >> 28) * a.elements[i];
    if (out[i] != r) return printf("sums %d: %g, not %g\n", i, out[i], r), 4;
  }
  grid<const float> in = {a.elements, 25, 40};
  grid<float> to = {b.elements, 20, 24};
  in.nx = 20, in.ny = 24;
  blur<<<dim3(2, 3), dim3(16, 8)>>>(in, to);
  cudaDeviceSynchronize();
  for (int y = 0; y < 24; y++)
    for (int x = 0; x < 20; x++) {
      float sum = 0;
      for (int d = -1; d <= 1; d++)
        sum += a.elements[y * 20 + (x + d + 20) % 20] + a.elements[(y + d + 24) % 24 * 20 + x];
      if (to.at(x, y) != sum) return printf("blur %d %d\n", x, y), 3;
    }
  puts("ok");
  return 0;
}
