// SPDX-License-Identifier: MIT
// Class templates whose methods launch kernels, instantiated by `template class ...;` alone, as
// libraries end their files: with the bodies in the class and behind it, in a namespace, with
// numbers as arguments, called through an interface.
#include <cstdio>
#include <vector>

template <typename T>
__global__ void product(const T *a, const T *x, T *y, int rows, int columns)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  T sum = 0;
  for (int j = 0; j < columns; j++) sum += a[i * columns + j] * x[j];
  y[i] = sum;
}

template <typename T> class matrix {
public:
  matrix(int rows, int columns);
  ~matrix();
  void times(const std::vector<T> &x, std::vector<T> &y);
  std::vector<T> operator()(const std::vector<T> &x);

private:
  int rows, columns;
  T *values, *x_, *y_;
};

template <typename T> matrix<T>::matrix(int rows, int columns) : rows(rows), columns(columns)
{
  std::vector<T> host(rows * columns);
  for (int i = 0; i < rows * columns; i++) host[i] = T(i % 7 - 3);
  cudaMalloc(&values, host.size() * sizeof(T));
  cudaMalloc(&x_, columns * sizeof(T));
  cudaMalloc(&y_, rows * sizeof(T));
  cudaMemcpy(values, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
}

template <typename T> matrix<T>::~matrix()
{
  cudaFree(values);
  cudaFree(x_);
  cudaFree(y_);
}

template <typename T> void matrix<T>::times(const std::vector<T> &x, std::vector<T> &y)
{
  dim3 block(128), grid((rows + block.x - 1) / block.x);
  cudaMemcpy(x_, x.data(), columns * sizeof(T), cudaMemcpyHostToDevice);
  product<T><<<grid, block>>>(values, x_, y_, rows, columns);
  y.resize(rows);
  cudaMemcpy(y.data(), y_, rows * sizeof(T), cudaMemcpyDeviceToHost);
}

template <typename T> std::vector<T> matrix<T>::operator()(const std::vector<T> &x)
{
  std::vector<T> y(rows);
  cudaMemcpy(x_, x.data(), columns * sizeof(T), cudaMemcpyHostToDevice);
  product<<<(rows + 63) / 64, 64>>>(values, x_, y_, rows, columns);
  cudaMemcpy(y.data(), y_, rows * sizeof(T), cudaMemcpyDeviceToHost);
  return y;
}

template class matrix<float>;
template class matrix<double>;

namespace filters {

template <typename T, int N> __global__ void smooth(const T *from, T *to, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T sum = 0;
  for (int k = 0; k < N; k++) sum += from[i + k];
  to[i] = sum;
}

template <typename T, int N> struct window {
  static void run(const T *from, T *to, int n)
  {
    smooth<T, N><<<(n + 255) / 256, 256>>>(from, to, n);
  }
};

template struct window<int, 5>;
template struct window<float, 3>;

}

template <typename T> int wrong_products(int rows, int columns)
{
  matrix<T> a(rows, columns);
  std::vector<T> x(columns), y, z;
  for (int j = 0; j < columns; j++) x[j] = T(j % 5 - 2);
  a.times(x, y);
  z = a(x);
  int wrong = 0;
  for (int i = 0; i < rows; i++) {
    T sum = 0;
    for (int j = 0; j < columns; j++) sum += T((i * columns + j) % 7 - 3) * x[j];
    wrong += y[i] != sum || z[i] != sum;
  }
  return wrong;
}

template <typename T, int N> int wrong_sums(int n)
{
  std::vector<T> host(n + N), out(n);
  for (int i = 0; i < n + N; i++) host[i] = T(i % 11);
  T *from, *to;
  cudaMalloc(&from, (n + N) * sizeof(T));
  cudaMalloc(&to, n * sizeof(T));
  cudaMemcpy(from, host.data(), (n + N) * sizeof(T), cudaMemcpyHostToDevice);
  filters::window<T, N>::run(from, to, n);
  cudaMemcpy(out.data(), to, n * sizeof(T), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    T sum = 0;
    for (int k = 0; k < N; k++) sum += host[i + k];
    wrong += out[i] != sum;
  }
  cudaFree(from);
  cudaFree(to);
  return wrong;
}

int main()
{
  int wrong = wrong_products<float>(300, 70) + wrong_products<double>(129, 33);
  wrong += wrong_sums<int, 5>(1000) + wrong_sums<float, 3>(777);
  printf("wrong: %d\n", wrong);
  return wrong != 0;
}
