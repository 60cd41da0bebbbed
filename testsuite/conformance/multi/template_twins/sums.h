// Kernels of a header that two files launch with the same arguments: what is emitted for them stays apart.
#ifndef SUMS_H
#define SUMS_H

template <class T, int K> __global__ void sums(T *to, const T *from)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < K; k++)
    to[i] += from[k];
}

#endif
