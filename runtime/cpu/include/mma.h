/* SPDX-License-Identifier: MIT */
/* mma.h - matrix fragments of a warp (nvcuda::wmma).
 *
 * Each lane holds the whole matrix. So a program's operation on the elements of a fragment happens
 * in every lane, and a product needs no exchange. A store writes each element once, by one lane.
 * All lanes wait for each other at a store and at a load.
 */
#ifndef MESI_MMA_H
#define MESI_MMA_H
#define CUDA_MMA_H_

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

namespace nvcuda
{
namespace wmma
{

struct row_major {
};
struct col_major {
};
struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};
namespace precision
{
struct tf32 {
};
} // namespace precision
enum layout_t { mem_row_major, mem_col_major };

namespace details
{

template <class MesiT> struct element {
  typedef MesiT type;
};
template <> struct element<precision::tf32> {
  typedef float type;
};

/* The types in which elements are multiplied and summed. */
template <class MesiT> struct arithmetic {
  typedef float type;
};
template <> struct arithmetic<double> {
  typedef double type;
};
template <> struct arithmetic<signed char> {
  typedef int type;
};
template <> struct arithmetic<unsigned char> {
  typedef int type;
};
template <> struct arithmetic<int> {
  typedef int type;
};

template <class Use, int M, int N, int K> struct extents;
template <int M, int N, int K> struct extents<matrix_a, M, N, K> {
  enum { rows = M, columns = K };
};
template <int M, int N, int K> struct extents<matrix_b, M, N, K> {
  enum { rows = K, columns = N };
};
template <int M, int N, int K> struct extents<accumulator, M, N, K> {
  enum { rows = M, columns = N };
};

inline void meet() { mesi_cpu_warp_barrier(0xffffffffu); }

} // namespace details

template <class Use, int M, int N, int K, class MesiT, class Layout = void> class fragment
{
  typedef details::extents<Use, M, N, K> mesi_extents;

public:
  typedef typename details::element<MesiT>::type element_type;
  typedef element_type storage_element_type;
  enum {
    num_elements = mesi_extents::rows * mesi_extents::columns,
    num_storage_elements = num_elements
  };
  element_type x[num_elements]; /* row by row */
};

template <class Use, int M, int N, int K, class MesiT, class Layout, class MesiV>
void fill_fragment(fragment<Use, M, N, K, MesiT, Layout> &f, const MesiV &value)
{
  typedef typename fragment<Use, M, N, K, MesiT, Layout>::element_type mesi_element;
  for (int i = 0; i < (int)f.num_elements; i++) f.x[i] = (mesi_element)value;
}

namespace details
{
template <class Use, int M, int N, int K, class MesiT, class Layout, class MesiE>
void load(fragment<Use, M, N, K, MesiT, Layout> &f, const MesiE *from, unsigned stride,
          bool by_rows)
{
  typedef extents<Use, M, N, K> mesi_extents;
  meet();
  for (int r = 0; r < (int)mesi_extents::rows; r++)
    for (int c = 0; c < (int)mesi_extents::columns; c++)
      f.x[r * (int)mesi_extents::columns + c] =
          by_rows ? from[(size_t)r * stride + c] : from[(size_t)c * stride + r];
}
template <class Layout> struct is_by_rows {
  enum { value = 0 };
};
template <> struct is_by_rows<row_major> {
  enum { value = 1 };
};
} // namespace details

template <class Use, int M, int N, int K, class MesiT, class Layout, class MesiE>
void load_matrix_sync(fragment<Use, M, N, K, MesiT, Layout> &f, const MesiE *from, unsigned stride)
{
  details::load(f, from, stride, details::is_by_rows<Layout>::value);
}
template <int M, int N, int K, class MesiT, class MesiE>
void load_matrix_sync(fragment<accumulator, M, N, K, MesiT> &f, const MesiE *from, unsigned stride,
                      layout_t layout)
{
  details::load(f, from, stride, layout == mem_row_major);
}

template <int M, int N, int K, class MesiT, class MesiE>
void store_matrix_sync(MesiE *to, const fragment<accumulator, M, N, K, MesiT> &f, unsigned stride,
                       layout_t layout)
{
  details::meet();
  for (int i = (int)(mesi_cpu_thread_rank() & 31); i < M * N; i += 32) {
    int r = i / N, c = i % N;
    to[layout == mem_row_major ? (size_t)r * stride + c : (size_t)c * stride + r] = f.x[i];
  }
  details::meet();
}

/* d = a * b + c, summed in the order of k. */
template <int M, int N, int K, class MesiD, class MesiA, class LayoutA, class MesiB, class LayoutB,
          class MesiC>
void mma_sync(fragment<accumulator, M, N, K, MesiD> &d,
              const fragment<matrix_a, M, N, K, MesiA, LayoutA> &a,
              const fragment<matrix_b, M, N, K, MesiB, LayoutB> &b,
              const fragment<accumulator, M, N, K, MesiC> &c, bool = false)
{
  typedef typename details::arithmetic<MesiA>::type mesi_number;
  typedef typename fragment<accumulator, M, N, K, MesiD>::element_type mesi_element;
  fragment<accumulator, M, N, K, MesiD> result;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      mesi_number sum = (mesi_number)c.x[i * N + j];
      for (int k = 0; k < K; k++) sum += (mesi_number)a.x[i * K + k] * (mesi_number)b.x[k * N + j];
      result.x[i * N + j] = (mesi_element)sum;
    }
  d = result;
}

inline float __float_to_tf32(float x)
{
  unsigned bits = __float_as_uint(x);
  return __uint_as_float((bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000u);
}

} // namespace wmma
} // namespace nvcuda

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
