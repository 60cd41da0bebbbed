/* mesi_common.cuh - CUB's helpers: functors, pairs, iterators, the ranks of threads. */
#ifndef MESI_CUB_COMMON_H
#define MESI_CUB_COMMON_H

#include "../cuda_runtime.h"
#include <cstddef>
#include <iterator>
#include <limits>
#include <type_traits>

#define CUB_NS_QUALIFIER ::cub
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_MAX(a, b) (((a) < (b)) ? (b) : (a))
#define CUB_PTX_ARCH 900
#define CUB_VERSION 300000
#define CUB_RUNTIME_FUNCTION
#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e) \
  do { \
    if (CubDebug(e)) exit(1); \
  } while (0)

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

namespace cub
{

struct NullType {
};
struct Sum {
  template <class T, class U> auto operator()(const T &a, const U &b) const { return a + b; }
};
struct Difference {
  template <class T> T operator()(const T &a, const T &b) const { return a - b; }
};
struct Max {
  template <class T> T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
  template <class T> T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
struct Equality {
  template <class T, class U> bool operator()(const T &a, const U &b) const { return a == b; }
};
struct Inequality {
  template <class T, class U> bool operator()(const T &a, const U &b) const { return !(a == b); }
};
struct Less {
  template <class T> bool operator()(const T &a, const T &b) const { return a < b; }
};
struct Greater {
  template <class T> bool operator()(const T &a, const T &b) const { return b < a; }
};
template <class T> struct CastOp {
  template <class U> T operator()(const U &a) const { return (T)a; }
};

template <class K, class V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  KeyValuePair() = default;
  KeyValuePair(const K &k, const V &v) : key(k), value(v) {}
  bool operator!=(const KeyValuePair &o) const { return !(key == o.key && value == o.value); }
};
struct ArgMax {
  template <class P> P operator()(const P &a, const P &b) const
  {
    return a.value < b.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class P> P operator()(const P &a, const P &b) const
  {
    return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};

template <int N, int CURRENT = N, int COUNT = 0> struct Log2 {
  enum { VALUE = Log2<N, (CURRENT >> 1), COUNT + 1>::VALUE };
};
template <int N, int COUNT> struct Log2<N, 0, COUNT> {
  enum { VALUE = (1 << (COUNT - 1) < N) ? COUNT : COUNT - 1 };
};

template <class T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0) {}
  T *Current() { return d_buffers[selector]; }
  T *Alternate() { return d_buffers[selector ^ 1]; }
};

inline cudaError_t Debug(cudaError_t e, const char *file, int line)
{
  if (e) fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", (int)e, file, line, cudaGetErrorString(e));
  return e;
}

/* ---- iterators ---- */

template <class Self, class Value> struct mesi_iterator {
  typedef std::random_access_iterator_tag iterator_category;
  typedef Value value_type;
  typedef std::ptrdiff_t difference_type;
  typedef const Value *pointer;
  typedef Value reference;
  Self operator+(difference_type n) const
  {
    Self s = self();
    s.advance(n);
    return s;
  }
  Self operator-(difference_type n) const { return *this + -n; }
  Self &operator+=(difference_type n)
  {
    self().advance(n);
    return self();
  }
  Self &operator++() { return *this += 1; }
  Self operator++(int)
  {
    Self s = self();
    *this += 1;
    return s;
  }
  Value operator[](difference_type n) const { return *(*this + n); }

private:
  Self &self() { return static_cast<Self &>(*this); }
  const Self &self() const { return static_cast<const Self &>(*this); }
};

template <class T, class Offset = std::ptrdiff_t>
struct CountingInputIterator : mesi_iterator<CountingInputIterator<T, Offset>, T> {
  T at;
  CountingInputIterator(const T &v) : at(v) {}
  T operator*() const { return at; }
  void advance(std::ptrdiff_t n) { at = (T)(at + n); }
};
template <class T, class Offset = std::ptrdiff_t>
struct ConstantInputIterator : mesi_iterator<ConstantInputIterator<T, Offset>, T> {
  T value;
  ConstantInputIterator(T v, Offset = 0) : value(v) {}
  T operator*() const { return value; }
  void advance(std::ptrdiff_t) {}
};
template <class T, class Op, class In, class Offset = std::ptrdiff_t>
struct TransformInputIterator : mesi_iterator<TransformInputIterator<T, Op, In, Offset>, T> {
  In in;
  Op op;
  TransformInputIterator(In i, Op o) : in(i), op(o) {}
  T operator*() const { return op(*in); }
  void advance(std::ptrdiff_t n) { in = in + n; }
};

/* ---- threads ---- */

inline int RowMajorTid(int x, int y, int)
{
  return (int)((threadIdx.z * y + threadIdx.y) * x + threadIdx.x);
}
inline unsigned mesi_thread()
{
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
inline unsigned LaneId() { return mesi_thread() % 32; }
inline unsigned WarpId() { return mesi_thread() / 32; }

enum CacheLoadModifier {
  LOAD_DEFAULT,
  LOAD_CA,
  LOAD_CG,
  LOAD_CS,
  LOAD_CV,
  LOAD_LDG,
  LOAD_VOLATILE
};
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier M, class In> auto ThreadLoad(In p) { return *p; }
template <CacheStoreModifier M, class Out, class T> void ThreadStore(Out p, T v) { *p = v; }
template <class T, int N, class Op> T ThreadReduce(T (&in)[N], Op op)
{
  T sum = in[0];
  for (int i = 1; i < N; i++) sum = op(sum, in[i]);
  return sum;
}

} // namespace cub

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
