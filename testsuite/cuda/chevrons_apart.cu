// SPDX-License-Identifier: MIT
// Launches as a formatter leaves them that takes <<< for two operators: nvcc reads `<< <` and
// `>> >` on one line as one token each. Beside them stand tokens that look alike.
#include <cstdio>
#include <sstream>

template <typename T> struct cell;
template <typename T> std::ostream &operator<< (std::ostream &, const cell<T> &);

template <typename T> struct cell {
  T value;
  friend std::ostream &operator<< <T>(std::ostream &out, const cell<T> &c);
};

template <typename T> std::ostream &operator<< (std::ostream &out, const cell<T> &c)
{
  return out << '<' << c.value << '>';
}

template <typename T> struct wide {
  static const int threads = 64;
};

#define BEGIN << <
#define END >>>
#define SCALE(grid, block, n, by) scale << < (grid), (block) >> > (values, n, by)

__global__ void scale(int *values, int n, int by)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= by;
}

template <typename T> __global__ void add(T *values, int n, T by)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += by;
}

int main()
{
  const int n = 1000;
  int *values, *host = new int[n], wrong = 0;
  for (int i = 0; i < n; i++) host[i] = i;
  cudaMalloc(&values, n * sizeof *values);
  cudaMemcpy(values, host, n * sizeof *values, cudaMemcpyHostToDevice);
  scale << < (n + 63) / 64, 64 >> > (values, n, 2);
  scale << /* blocks */ <(n >> 6) + 1, wide<wide<wide<int> > >::threads, 0, 0>> /* of ints */ >(
      values, n, 3);
  scale << < {16, 1}, {64, 1} >> > (values, n, 1);
  add<int> << < dim3((n + 31) / 32), dim3(1 << 5) >>> (values, n, 1);
  add<int><<< 16, 64 >> >(values, n, 1 << 2);
  scale BEGIN 16, 64 END (values, n, 5);
  SCALE(16, 64, n, 7);
  cudaMemcpy(host, values, n * sizeof *values, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) wrong += host[i] != (i * 6 + 5) * 35;
  std::ostringstream out;
  out << cell<wide<int> *>().value << cell<int>{n};
  wrong += out.str() != "0<1000>";
  printf("wrong: %d\n", wrong);
  cudaFree(values);
  delete[] host;
  return wrong != 0;
}
