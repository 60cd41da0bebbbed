// A VS variable, a kernel and a launch that live in a header.
#ifndef VS_HEADER_H
#define VS_HEADER_H

static __global__ int header_data[32];
static __global__ int header_scale = 2;

static __device__ int header_scaled(int i) { return header_data[i] * header_scale; }

static __global__ void header_kernel(int *out)
{
  int i = threadIdx.x;
  out[i] = header_scaled(31 - i);
}

static inline void header_launch(int *out) { header_kernel<<<1, 32>>>(out); }

#endif
