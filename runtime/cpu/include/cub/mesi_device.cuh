/* mesi_device.cuh - CUB's algorithms of the whole device. They run on the host, in order, when
 * called, after all work in the stream. They do not use the temporary storage, and request one byte
 * of it. */
#ifndef MESI_CUB_DEVICE_H
#define MESI_CUB_DEVICE_H

#include <algorithm>
#include <vector>

#include "mesi_block.cuh"

namespace cub
{

/* Does the call ask for the size of the temporary storage? Otherwise all earlier launches end
 * now. */
inline bool mesi_asks(void *temp, size_t &bytes, cudaStream_t stream)
{
  if (!temp)
    bytes = 1;
  else
    cudaStreamSynchronize(stream);
  return !temp;
}
template <class It> using mesi_value = typename std::iterator_traits<It>::value_type;

struct DeviceReduce {
  template <class In, class Out, class Op, class T>
  static cudaError_t Reduce(void *temp, size_t &bytes, In in, Out out, long long n, Op op,
                            T initial, cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    for (long long i = 0; i < n; i++) initial = op(initial, in[i]);
    *out = initial;
    return cudaSuccess;
  }
  template <class In, class Out>
  static cudaError_t Sum(void *temp, size_t &bytes, In in, Out out, long long n,
                         cudaStream_t stream = 0)
  {
    return Reduce(temp, bytes, in, out, n, cub::Sum(), mesi_value<In>(), stream);
  }
  template <class In, class Out>
  static cudaError_t Min(void *temp, size_t &bytes, In in, Out out, long long n,
                         cudaStream_t stream = 0)
  {
    return Reduce(temp, bytes, in, out, n, cub::Min(), std::numeric_limits<mesi_value<In>>::max(),
                  stream);
  }
  template <class In, class Out>
  static cudaError_t Max(void *temp, size_t &bytes, In in, Out out, long long n,
                         cudaStream_t stream = 0)
  {
    return Reduce(temp, bytes, in, out, n, cub::Max(),
                  std::numeric_limits<mesi_value<In>>::lowest(), stream);
  }
  template <class In, class Out>
  static cudaError_t ArgMin(void *temp, size_t &bytes, In in, Out out, long long n,
                            cudaStream_t stream = 0)
  {
    return arg(temp, bytes, in, out, n, cub::ArgMin(), std::numeric_limits<mesi_value<In>>::max(),
               stream);
  }
  template <class In, class Out>
  static cudaError_t ArgMax(void *temp, size_t &bytes, In in, Out out, long long n,
                            cudaStream_t stream = 0)
  {
    return arg(temp, bytes, in, out, n, cub::ArgMax(),
               std::numeric_limits<mesi_value<In>>::lowest(), stream);
  }
  template <class In, class Out, class Op, class Transform, class T>
  static cudaError_t TransformReduce(void *temp, size_t &bytes, In in, Out out, long long n, Op op,
                                     Transform of, T initial, cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    for (long long i = 0; i < n; i++) initial = op(initial, of(in[i]));
    *out = initial;
    return cudaSuccess;
  }
  template <class Keys, class Unique, class In, class Out, class Count, class Op>
  static cudaError_t ReduceByKey(void *temp, size_t &bytes, Keys keys, Unique unique, In in,
                                 Out out, Count runs, Op op, long long n, cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    long long run = 0;
    for (long long i = 0; i < n; run++) {
      mesi_value<Keys> key = keys[i];
      mesi_value<In> sum = in[i++];
      while (i < n && keys[i] == key) sum = op(sum, in[i++]);
      unique[run] = key;
      out[run] = sum;
    }
    *runs = run;
    return cudaSuccess;
  }

private:
  template <class In, class Out, class Op, class T>
  static cudaError_t arg(void *temp, size_t &bytes, In in, Out out, long long n, Op op, T initial,
                         cudaStream_t stream)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    typedef KeyValuePair<int, T> Pair;
    Pair best(n ? 0 : 1, n ? in[0] : initial);
    for (long long i = 1; i < n; i++) best = op(best, Pair((int)i, in[i]));
    out->key = best.key;
    out->value = best.value;
    return cudaSuccess;
  }
};

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begins, class Ends, class Op, class T>
  static cudaError_t Reduce(void *temp, size_t &bytes, In in, Out out, int segments, Begins begins,
                            Ends ends, Op op, T initial, cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    for (int s = 0; s < segments; s++) {
      T sum = initial;
      for (long long i = begins[s]; i < (long long)ends[s]; i++) sum = op(sum, in[i]);
      out[s] = sum;
    }
    return cudaSuccess;
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Sum(void *temp, size_t &bytes, In in, Out out, int segments, Begins begins,
                         Ends ends, cudaStream_t stream = 0)
  {
    return Reduce(temp, bytes, in, out, segments, begins, ends, cub::Sum(), mesi_value<In>(),
                  stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Min(void *temp, size_t &bytes, In in, Out out, int segments, Begins begins,
                         Ends ends, cudaStream_t stream = 0)
  {
    return Reduce(temp, bytes, in, out, segments, begins, ends, cub::Min(),
                  std::numeric_limits<mesi_value<In>>::max(), stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Max(void *temp, size_t &bytes, In in, Out out, int segments, Begins begins,
                         Ends ends, cudaStream_t stream = 0)
  {
    return Reduce(temp, bytes, in, out, segments, begins, ends, cub::Max(),
                  std::numeric_limits<mesi_value<In>>::lowest(), stream);
  }
};

struct DeviceScan {
  template <class In, class Out, class Op, class T>
  static cudaError_t ExclusiveScan(void *temp, size_t &bytes, In in, Out out, Op op, T initial,
                                   long long n, cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    for (long long i = 0; i < n; i++) {
      T before = initial;
      initial = op(initial, in[i]);
      out[i] = before;
    }
    return cudaSuccess;
  }
  template <class In, class Out, class Op>
  static cudaError_t InclusiveScan(void *temp, size_t &bytes, In in, Out out, Op op, long long n,
                                   cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream) || n <= 0) return cudaSuccess;
    mesi_value<In> sum = in[0];
    out[0] = sum;
    for (long long i = 1; i < n; i++) out[i] = sum = op(sum, in[i]);
    return cudaSuccess;
  }
  template <class In, class Out>
  static cudaError_t ExclusiveSum(void *temp, size_t &bytes, In in, Out out, long long n,
                                  cudaStream_t stream = 0)
  {
    return ExclusiveScan(temp, bytes, in, out, cub::Sum(), mesi_value<In>(), n, stream);
  }
  template <class In, class Out>
  static cudaError_t InclusiveSum(void *temp, size_t &bytes, In in, Out out, long long n,
                                  cudaStream_t stream = 0)
  {
    return InclusiveScan(temp, bytes, in, out, cub::Sum(), n, stream);
  }
  template <class In>
  static cudaError_t ExclusiveSum(void *temp, size_t &bytes, In data, long long n,
                                  cudaStream_t stream = 0)
  {
    return ExclusiveSum(temp, bytes, data, data, n, stream);
  }
  template <class In>
  static cudaError_t InclusiveSum(void *temp, size_t &bytes, In data, long long n,
                                  cudaStream_t stream = 0)
  {
    return InclusiveSum(temp, bytes, data, data, n, stream);
  }
};

/* ---- sorts ---- */

template <class Key, class Value, class Before>
void mesi_sort(const Key *keys, Key *keys_out, const Value *values, Value *values_out, long long n,
               Before before)
{
  std::vector<long long> order((size_t)n);
  for (long long i = 0; i < n; i++) order[(size_t)i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](long long a, long long b) { return before(keys[a], keys[b]); });
  std::vector<Key> sorted((size_t)n);
  for (long long i = 0; i < n; i++) sorted[(size_t)i] = keys[order[(size_t)i]];
  if (values) {
    std::vector<Value> moved((size_t)n);
    for (long long i = 0; i < n; i++) moved[(size_t)i] = values[order[(size_t)i]];
    std::copy(moved.begin(), moved.end(), values_out);
  }
  std::copy(sorted.begin(), sorted.end(), keys_out);
}

struct DeviceRadixSort {
  template <class Key, class Value>
  static cudaError_t SortPairs(void *temp, size_t &bytes, const Key *keys, Key *keys_out,
                               const Value *values, Value *values_out, long long n, int begin = 0,
                               int end = sizeof(Key) * 8, cudaStream_t stream = 0)
  {
    return sort(temp, bytes, keys, keys_out, values, values_out, n,
                mesi_bits_before<Key>{begin, end, false}, stream);
  }
  template <class Key, class Value>
  static cudaError_t SortPairsDescending(void *temp, size_t &bytes, const Key *keys, Key *keys_out,
                                         const Value *values, Value *values_out, long long n,
                                         int begin = 0, int end = sizeof(Key) * 8,
                                         cudaStream_t stream = 0)
  {
    return sort(temp, bytes, keys, keys_out, values, values_out, n,
                mesi_bits_before<Key>{begin, end, true}, stream);
  }
  template <class Key>
  static cudaError_t SortKeys(void *temp, size_t &bytes, const Key *keys, Key *keys_out,
                              long long n, int begin = 0, int end = sizeof(Key) * 8,
                              cudaStream_t stream = 0)
  {
    return sort(temp, bytes, keys, keys_out, (const char *)nullptr, (char *)nullptr, n,
                mesi_bits_before<Key>{begin, end, false}, stream);
  }
  template <class Key>
  static cudaError_t SortKeysDescending(void *temp, size_t &bytes, const Key *keys, Key *keys_out,
                                        long long n, int begin = 0, int end = sizeof(Key) * 8,
                                        cudaStream_t stream = 0)
  {
    return sort(temp, bytes, keys, keys_out, (const char *)nullptr, (char *)nullptr, n,
                mesi_bits_before<Key>{begin, end, true}, stream);
  }
  template <class Key, class Value>
  static cudaError_t SortPairs(void *temp, size_t &bytes, DoubleBuffer<Key> &keys,
                               DoubleBuffer<Value> &values, long long n, int begin = 0,
                               int end = sizeof(Key) * 8, cudaStream_t stream = 0)
  {
    return buffers(temp, keys, values,
                   SortPairs(temp, bytes, keys.Current(), keys.Alternate(), values.Current(),
                             values.Alternate(), n, begin, end, stream));
  }
  template <class Key, class Value>
  static cudaError_t SortPairsDescending(void *temp, size_t &bytes, DoubleBuffer<Key> &keys,
                                         DoubleBuffer<Value> &values, long long n, int begin = 0,
                                         int end = sizeof(Key) * 8, cudaStream_t stream = 0)
  {
    return buffers(temp, keys, values,
                   SortPairsDescending(temp, bytes, keys.Current(), keys.Alternate(),
                                       values.Current(), values.Alternate(), n, begin, end,
                                       stream));
  }
  template <class Key>
  static cudaError_t SortKeys(void *temp, size_t &bytes, DoubleBuffer<Key> &keys, long long n,
                              int begin = 0, int end = sizeof(Key) * 8, cudaStream_t stream = 0)
  {
    return buffers(temp, keys, keys,
                   SortKeys(temp, bytes, keys.Current(), keys.Alternate(), n, begin, end, stream));
  }

private:
  template <class Key, class Value, class Before>
  static cudaError_t sort(void *temp, size_t &bytes, const Key *keys, Key *keys_out,
                          const Value *values, Value *values_out, long long n, Before before,
                          cudaStream_t stream)
  {
    if (!mesi_asks(temp, bytes, stream)) mesi_sort(keys, keys_out, values, values_out, n, before);
    return cudaSuccess;
  }
  template <class A, class B>
  static cudaError_t buffers(void *temp, DoubleBuffer<A> &a, DoubleBuffer<B> &b, cudaError_t error)
  {
    if (temp) a.selector ^= 1;
    if (temp && (void *)&a != (void *)&b) b.selector ^= 1;
    return error;
  }
};

struct DeviceMergeSort {
  template <class Key, class Before>
  static cudaError_t SortKeys(void *temp, size_t &bytes, Key *keys, long long n, Before before,
                              cudaStream_t stream = 0)
  {
    if (!mesi_asks(temp, bytes, stream)) std::stable_sort(keys, keys + n, before);
    return cudaSuccess;
  }
  template <class Key, class Value, class Before>
  static cudaError_t SortPairs(void *temp, size_t &bytes, Key *keys, Value *values, long long n,
                               Before before, cudaStream_t stream = 0)
  {
    if (!mesi_asks(temp, bytes, stream)) mesi_sort(keys, keys, values, values, n, before);
    return cudaSuccess;
  }
  template <class Key, class Before>
  static cudaError_t StableSortKeys(void *temp, size_t &bytes, Key *keys, long long n,
                                    Before before, cudaStream_t stream = 0)
  {
    return SortKeys(temp, bytes, keys, n, before, stream);
  }
  template <class Key, class Value, class Before>
  static cudaError_t StableSortPairs(void *temp, size_t &bytes, Key *keys, Value *values,
                                     long long n, Before before, cudaStream_t stream = 0)
  {
    return SortPairs(temp, bytes, keys, values, n, before, stream);
  }
};

struct DeviceSegmentedRadixSort {
  template <class Key, class Value, class Begins, class Ends>
  static cudaError_t SortPairs(void *temp, size_t &bytes, const Key *keys, Key *keys_out,
                               const Value *values, Value *values_out, long long, int segments,
                               Begins begins, Ends ends, int begin = 0, int end = sizeof(Key) * 8,
                               cudaStream_t stream = 0)
  {
    return sort(temp, bytes, keys, keys_out, values, values_out, segments, begins, ends,
                mesi_bits_before<Key>{begin, end, false}, stream);
  }
  template <class Key, class Begins, class Ends>
  static cudaError_t SortKeys(void *temp, size_t &bytes, const Key *keys, Key *keys_out, long long,
                              int segments, Begins begins, Ends ends, int begin = 0,
                              int end = sizeof(Key) * 8, cudaStream_t stream = 0)
  {
    return sort(temp, bytes, keys, keys_out, (const char *)nullptr, (char *)nullptr, segments,
                begins, ends, mesi_bits_before<Key>{begin, end, false}, stream);
  }

private:
  template <class Key, class Value, class Begins, class Ends, class Before>
  static cudaError_t sort(void *temp, size_t &bytes, const Key *keys, Key *keys_out,
                          const Value *values, Value *values_out, int segments, Begins begins,
                          Ends ends, Before before, cudaStream_t stream)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    for (int s = 0; s < segments; s++) {
      long long at = begins[s];
      mesi_sort(keys + at, keys_out + at, values ? values + at : values,
                values ? values_out + at : values_out, (long long)ends[s] - at, before);
    }
    return cudaSuccess;
  }
};

/* ---- selections and counts ---- */

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(void *temp, size_t &bytes, In in, Flags flags, Out out, Count count,
                             long long n, cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    long long kept = 0;
    for (long long i = 0; i < n; i++)
      if (flags[i]) out[kept++] = in[i];
    *count = kept;
    return cudaSuccess;
  }
  template <class In, class Out, class Count, class Op>
  static cudaError_t If(void *temp, size_t &bytes, In in, Out out, Count count, long long n, Op op,
                        cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    long long kept = 0;
    for (long long i = 0; i < n; i++)
      if (op(in[i])) out[kept++] = in[i];
    *count = kept;
    return cudaSuccess;
  }
  template <class In, class Out, class Count>
  static cudaError_t Unique(void *temp, size_t &bytes, In in, Out out, Count count, long long n,
                            cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    long long kept = 0;
    for (long long i = 0; i < n; i++)
      if (!i || !(in[i] == in[i - 1])) out[kept++] = in[i];
    *count = kept;
    return cudaSuccess;
  }
};

/* The selected items come first; the others come last, in reverse order. */
struct DevicePartition {
  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(void *temp, size_t &bytes, In in, Flags flags, Out out, Count count,
                             long long n, cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    long long kept = 0, end = n;
    for (long long i = 0; i < n; i++) out[flags[i] ? kept++ : --end] = in[i];
    *count = kept;
    return cudaSuccess;
  }
  template <class In, class Out, class Count, class Op>
  static cudaError_t If(void *temp, size_t &bytes, In in, Out out, Count count, long long n, Op op,
                        cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    long long kept = 0, end = n;
    for (long long i = 0; i < n; i++) out[op(in[i]) ? kept++ : --end] = in[i];
    *count = kept;
    return cudaSuccess;
  }
};

struct DeviceHistogram {
  template <class In, class Counter, class Level>
  static cudaError_t HistogramEven(void *temp, size_t &bytes, In in, Counter *counters, int levels,
                                   Level lower, Level upper, long long n, cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    for (int i = 0; i + 1 < levels; i++) counters[i] = 0;
    for (long long i = 0; i < n; i++) {
      if ((Level)in[i] < lower || !((Level)in[i] < upper)) continue;
      int bin = std::is_floating_point<Level>::value
                    ? (int)(((Level)in[i] - lower) / ((upper - lower) / (levels - 1)))
                    : (int)((long long)((Level)in[i] - lower) * (levels - 1) /
                            (long long)(upper - lower));
      counters[bin < levels - 1 ? bin : levels - 2]++;
    }
    return cudaSuccess;
  }
  template <class In, class Counter, class Level>
  static cudaError_t HistogramRange(void *temp, size_t &bytes, In in, Counter *counters, int levels,
                                    const Level *bounds, long long n, cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    for (int i = 0; i + 1 < levels; i++) counters[i] = 0;
    for (long long i = 0; i < n; i++) {
      const Level *above = std::upper_bound(bounds, bounds + levels, (Level)in[i]);
      if (above != bounds && above != bounds + levels) counters[above - bounds - 1]++;
    }
    return cudaSuccess;
  }
};

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Lengths, class Count>
  static cudaError_t Encode(void *temp, size_t &bytes, In in, Unique unique, Lengths lengths,
                            Count runs, long long n, cudaStream_t stream = 0)
  {
    if (mesi_asks(temp, bytes, stream)) return cudaSuccess;
    long long run = 0;
    for (long long i = 0, begin = 0; i < n; begin = i, run++) {
      while (i < n && in[i] == in[begin]) i++;
      unique[run] = in[begin];
      lengths[run] = i - begin;
    }
    *runs = run;
    return cudaSuccess;
  }
};

/* Keeps no freed memory. */
struct CachingDeviceAllocator {
  CachingDeviceAllocator(unsigned = 8, unsigned = 3, unsigned = 7, size_t = 0, bool = false,
                         bool = false)
  {
  }
  CachingDeviceAllocator(bool, bool = false) {}
  cudaError_t DeviceAllocate(void **pointer, size_t bytes, cudaStream_t = 0)
  {
    return cudaMalloc(pointer, bytes);
  }
  template <class T> cudaError_t DeviceAllocate(T **pointer, size_t bytes, cudaStream_t = 0)
  {
    return cudaMalloc((void **)pointer, bytes);
  }
  cudaError_t DeviceFree(void *pointer) { return cudaFree(pointer); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};

} // namespace cub

#endif
