/* mesi_block.cuh - CUB's algorithms of a block: reductions, scans, sorts, loads and stores. Values
 * go through the temporary storage and are combined in the order of threads. */
#ifndef MESI_CUB_BLOCK_H
#define MESI_CUB_BLOCK_H

#include "mesi_common.cuh"

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

namespace cub
{

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

/* A value of each thread, seen by all. */
template <class T, int THREADS> struct mesi_block_values {
  struct TempStorage {
    T values[THREADS];
  };
  TempStorage &temp;
  int thread;
  static TempStorage &own()
  {
    static __shared__ TempStorage storage;
    return storage;
  }
  explicit mesi_block_values(TempStorage &t) : temp(t), thread((int)mesi_thread()) {}
  void share(const T &value)
  {
    __syncthreads();
    temp.values[thread] = value;
    __syncthreads();
  }
};

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1,
          int = 0>
struct BlockReduce : mesi_block_values<T, X * Y * Z> {
  typedef mesi_block_values<T, X * Y * Z> Base;
  typedef typename Base::TempStorage TempStorage;
  BlockReduce() : Base(Base::own()) {}
  BlockReduce(TempStorage &temp) : Base(temp) {}
  template <class Op> T Reduce(T value, Op op, int valid)
  {
    this->share(value);
    if (this->thread) return value;
    T sum = this->temp.values[0];
    for (int i = 1; i < valid; i++) sum = op(sum, this->temp.values[i]);
    return sum;
  }
  template <class Op> T Reduce(T value, Op op) { return Reduce(value, op, X * Y * Z); }
  template <int N, class Op> T Reduce(T (&values)[N], Op op)
  {
    return Reduce(ThreadReduce(values, op), op);
  }
  T Sum(T value) { return Reduce(value, cub::Sum()); }
  T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
  template <int N> T Sum(T (&values)[N]) { return Reduce(values, cub::Sum()); }
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
struct BlockScan : mesi_block_values<T, X * Y * Z> {
  typedef mesi_block_values<T, X * Y * Z> Base;
  typedef typename Base::TempStorage TempStorage;
  BlockScan() : Base(Base::own()) {}
  BlockScan(TempStorage &temp) : Base(temp) {}

  /* `before`: the result over the threads before this one; thread 0 has none. */
  template <class Op> void around(const T &value, T &before, T &total, Op op)
  {
    this->share(value);
    T sum = this->temp.values[0];
    for (int i = 1; i <= X * Y * Z; i++) {
      if (i == this->thread) before = sum;
      if (i < X * Y * Z) sum = op(sum, this->temp.values[i]);
    }
    total = sum;
  }
  template <int N, class Op>
  void exclusive(T (&in)[N], T (&out)[N], bool starts, T initial, Op op, T &total)
  {
    T before = T(), running;
    around(ThreadReduce(in, op), before, total, op);
    running = !this->thread ? initial : starts ? op(initial, before) : before;
    for (int i = 0; i < N; i++) {
      T value = in[i];
      out[i] = running;
      running = i || this->thread || starts ? op(running, value) : value;
    }
  }
  template <int N, class Op> void inclusive(T (&in)[N], T (&out)[N], Op op, T &total)
  {
    T before = T();
    around(ThreadReduce(in, op), before, total, op);
    for (int i = 0; i < N; i++) {
      T value = in[i];
      before = i || this->thread ? op(before, value) : value;
      out[i] = before;
    }
  }

  template <int N, class Op> void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op, T &total)
  {
    exclusive(in, out, true, initial, op, total);
  }
  template <int N, class Op> void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op)
  {
    T total;
    exclusive(in, out, true, initial, op, total);
  }
  template <int N, class Op> void ExclusiveScan(T (&in)[N], T (&out)[N], Op op)
  {
    T total;
    exclusive(in, out, false, T(), op, total);
  }
  template <int N, class Op> void InclusiveScan(T (&in)[N], T (&out)[N], Op op, T &total)
  {
    inclusive(in, out, op, total);
  }
  template <int N, class Op> void InclusiveScan(T (&in)[N], T (&out)[N], Op op)
  {
    T total;
    inclusive(in, out, op, total);
  }
  template <int N> void ExclusiveSum(T (&in)[N], T (&out)[N])
  {
    ExclusiveScan(in, out, T(), cub::Sum());
  }
  template <int N> void ExclusiveSum(T (&in)[N], T (&out)[N], T &total)
  {
    ExclusiveScan(in, out, T(), cub::Sum(), total);
  }
  template <int N> void InclusiveSum(T (&in)[N], T (&out)[N])
  {
    InclusiveScan(in, out, cub::Sum());
  }
  template <int N> void InclusiveSum(T (&in)[N], T (&out)[N], T &total)
  {
    InclusiveScan(in, out, cub::Sum(), total);
  }

  template <class Op> void ExclusiveScan(T in, T &out, T initial, Op op)
  {
    T a[1] = {in}, b[1];
    ExclusiveScan(a, b, initial, op);
    out = b[0];
  }
  template <class Op> void ExclusiveScan(T in, T &out, T initial, Op op, T &total)
  {
    T a[1] = {in}, b[1];
    ExclusiveScan(a, b, initial, op, total);
    out = b[0];
  }
  template <class Op> void ExclusiveScan(T in, T &out, Op op)
  {
    T a[1] = {in}, b[1];
    ExclusiveScan(a, b, op);
    out = b[0];
  }
  template <class Op> void InclusiveScan(T in, T &out, Op op)
  {
    T a[1] = {in}, b[1];
    InclusiveScan(a, b, op);
    out = b[0];
  }
  template <class Op> void InclusiveScan(T in, T &out, Op op, T &total)
  {
    T a[1] = {in}, b[1];
    InclusiveScan(a, b, op, total);
    out = b[0];
  }
  void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(), cub::Sum()); }
  void ExclusiveSum(T in, T &out, T &total) { ExclusiveScan(in, out, T(), cub::Sum(), total); }
  void InclusiveSum(T in, T &out) { InclusiveScan(in, out, cub::Sum()); }
  void InclusiveSum(T in, T &out, T &total) { InclusiveScan(in, out, cub::Sum(), total); }

  /* The prefix is the value that `prefix`, called with the block's total, returns in thread 0. */
  template <class Op, class Prefix> T prefix_of(const T &total, Prefix &prefix)
  {
    this->share(total);
    if (mesi_thread() < 32) {
      T first = prefix(total);
      if (!this->thread) this->temp.values[0] = first;
    }
    __syncthreads();
    return this->temp.values[0];
  }
  template <int N, class Prefix> void ExclusiveSum(T (&in)[N], T (&out)[N], Prefix &prefix)
  {
    T total;
    ExclusiveSum(in, out, total);
    T first = prefix_of<cub::Sum>(total, prefix);
    for (int i = 0; i < N; i++) out[i] = first + out[i];
  }
  template <int N, class Prefix> void InclusiveSum(T (&in)[N], T (&out)[N], Prefix &prefix)
  {
    T total;
    InclusiveSum(in, out, total);
    T first = prefix_of<cub::Sum>(total, prefix);
    for (int i = 0; i < N; i++) out[i] = first + out[i];
  }
};

/* ---- loads and stores ---- */

template <class T, int N, class In> void LoadDirectBlocked(int thread, In in, T (&items)[N])
{
  for (int i = 0; i < N; i++) items[i] = in[thread * N + i];
}
template <class T, int N, class In>
void LoadDirectBlocked(int thread, In in, T (&items)[N], int valid)
{
  for (int i = 0; i < N; i++)
    if (thread * N + i < valid) items[i] = in[thread * N + i];
}
template <int THREADS, class T, int N, class In>
void LoadDirectStriped(int thread, In in, T (&items)[N])
{
  for (int i = 0; i < N; i++) items[i] = in[thread + i * THREADS];
}
template <int THREADS, class T, int N, class In>
void LoadDirectStriped(int thread, In in, T (&items)[N], int valid)
{
  for (int i = 0; i < N; i++)
    if (thread + i * THREADS < valid) items[i] = in[thread + i * THREADS];
}
template <class T, int N, class Out> void StoreDirectBlocked(int thread, Out out, T (&items)[N])
{
  for (int i = 0; i < N; i++) out[thread * N + i] = items[i];
}
template <class T, int N, class Out>
void StoreDirectBlocked(int thread, Out out, T (&items)[N], int valid)
{
  for (int i = 0; i < N; i++)
    if (thread * N + i < valid) out[thread * N + i] = items[i];
}
template <int THREADS, class T, int N, class Out>
void StoreDirectStriped(int thread, Out out, T (&items)[N])
{
  for (int i = 0; i < N; i++) out[thread + i * THREADS] = items[i];
}
template <int THREADS, class T, int N, class Out>
void StoreDirectStriped(int thread, Out out, T (&items)[N], int valid)
{
  for (int i = 0; i < N; i++)
    if (thread + i * THREADS < valid) out[thread + i * THREADS] = items[i];
}

template <class T, int X, int N, BlockLoadAlgorithm HOW = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1,
          int = 0>
struct BlockLoad {
  struct TempStorage {
  };
  BlockLoad() {}
  BlockLoad(TempStorage &) {}
  template <class In> void Load(In in, T (&items)[N]) { Load(in, items, X * Y * Z * N); }
  template <class In> void Load(In in, T (&items)[N], int valid)
  {
    if (HOW == BLOCK_LOAD_STRIPED)
      LoadDirectStriped<X * Y * Z>((int)mesi_thread(), in, items, valid);
    else
      LoadDirectBlocked((int)mesi_thread(), in, items, valid);
  }
  template <class In, class Other> void Load(In in, T (&items)[N], int valid, Other other)
  {
    for (int i = 0; i < N; i++) items[i] = other;
    Load(in, items, valid);
  }
};
template <class T, int X, int N, BlockStoreAlgorithm HOW = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1,
          int = 0>
struct BlockStore {
  struct TempStorage {
  };
  BlockStore() {}
  BlockStore(TempStorage &) {}
  template <class Out> void Store(Out out, T (&items)[N]) { Store(out, items, X * Y * Z * N); }
  template <class Out> void Store(Out out, T (&items)[N], int valid)
  {
    if (HOW == BLOCK_STORE_STRIPED)
      StoreDirectStriped<X * Y * Z>((int)mesi_thread(), out, items, valid);
    else
      StoreDirectBlocked((int)mesi_thread(), out, items, valid);
  }
};

template <class T, int X, int N, bool = false, int Y = 1, int Z = 1, int = 0> struct BlockExchange {
  struct TempStorage {
    T values[X * Y * Z * N];
  };
  TempStorage &temp;
  BlockExchange(TempStorage &t) : temp(t) {}
  void StripedToBlocked(T (&items)[N]) { StripedToBlocked(items, items); }
  void BlockedToStriped(T (&items)[N]) { BlockedToStriped(items, items); }
  void StripedToBlocked(const T (&in)[N], T (&out)[N]) { turn(in, out, X * Y * Z, 1, 1, N); }
  void BlockedToStriped(const T (&in)[N], T (&out)[N]) { turn(in, out, 1, N, X * Y * Z, 1); }

private:
  void turn(const T (&in)[N], T (&out)[N], int item_to, int thread_to, int item_from,
            int thread_from)
  {
    int thread = (int)mesi_thread();
    __syncthreads();
    for (int i = 0; i < N; i++) temp.values[thread * thread_to + i * item_to] = in[i];
    __syncthreads();
    for (int i = 0; i < N; i++) out[i] = temp.values[thread * thread_from + i * item_from];
  }
};

/* ---- sorts: each thread finds the places of its keys, those that are equal in their order ---- */

template <class Key, class Value, int THREADS, int N> struct mesi_block_sort {
  struct TempStorage {
    Key keys[THREADS * N];
    Value values[THREADS * N];
  };
  TempStorage &temp;
  mesi_block_sort(TempStorage &t) : temp(t) {}
  template <class Before> void sort(Key (&keys)[N], Value *values, Before before, bool striped)
  {
    int thread = (int)mesi_thread(), place[N];
    __syncthreads();
    for (int i = 0; i < N; i++) temp.keys[thread * N + i] = keys[i];
    __syncthreads();
    for (int i = 0; i < N; i++) {
      place[i] = 0;
      for (int j = 0; j < THREADS * N; j++)
        place[i] +=
            before(temp.keys[j], keys[i]) || (j < thread * N + i && !before(keys[i], temp.keys[j]));
    }
    __syncthreads();
    for (int i = 0; i < N; i++) {
      temp.keys[place[i]] = keys[i];
      if (values) temp.values[place[i]] = values[i];
    }
    __syncthreads();
    for (int i = 0; i < N; i++) {
      int from = striped ? thread + i * THREADS : thread * N + i;
      keys[i] = temp.keys[from];
      if (values) values[i] = temp.values[from];
    }
  }
};

template <class Key> struct mesi_bits_before {
  int begin, end;
  bool descending;
  static unsigned long long bits(Key key)
  {
    unsigned long long b = 0, sign = 1ull << (8 * sizeof(Key) - 1), all = sign | (sign - 1);
    memcpy(&b, &key, sizeof key);
    if (std::is_floating_point<Key>::value) return b & sign ? ~b & all : b | sign;
    return std::is_signed<Key>::value ? b ^ sign : b;
  }
  bool operator()(Key a, Key b) const
  {
    unsigned long long mask = end - begin >= 64 ? ~0ull : (1ull << (end - begin)) - 1;
    unsigned long long x = bits(a) >> begin & mask, y = bits(b) >> begin & mask;
    return descending ? y < x : x < y;
  }
};

template <class Key, int X, int N, class Value = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int Y = 1, int Z = 1>
struct BlockRadixSort : mesi_block_sort<Key, Value, X * Y * Z, N> {
  typedef mesi_block_sort<Key, Value, X * Y * Z, N> Base;
  typedef typename Base::TempStorage TempStorage;
  BlockRadixSort(TempStorage &temp) : Base(temp) {}
  void Sort(Key (&keys)[N], int begin = 0, int end = sizeof(Key) * 8)
  {
    this->sort(keys, nullptr, mesi_bits_before<Key>{begin, end, false}, false);
  }
  void Sort(Key (&keys)[N], Value (&values)[N], int begin = 0, int end = sizeof(Key) * 8)
  {
    this->sort(keys, values, mesi_bits_before<Key>{begin, end, false}, false);
  }
  void SortDescending(Key (&keys)[N], int begin = 0, int end = sizeof(Key) * 8)
  {
    this->sort(keys, nullptr, mesi_bits_before<Key>{begin, end, true}, false);
  }
  void SortDescending(Key (&keys)[N], Value (&values)[N], int begin = 0, int end = sizeof(Key) * 8)
  {
    this->sort(keys, values, mesi_bits_before<Key>{begin, end, true}, false);
  }
  void SortBlockedToStriped(Key (&keys)[N], int begin = 0, int end = sizeof(Key) * 8)
  {
    this->sort(keys, nullptr, mesi_bits_before<Key>{begin, end, false}, true);
  }
  void SortBlockedToStriped(Key (&keys)[N], Value (&values)[N], int begin = 0,
                            int end = sizeof(Key) * 8)
  {
    this->sort(keys, values, mesi_bits_before<Key>{begin, end, false}, true);
  }
};

template <class Key, int X, int N, class Value = NullType, int Y = 1, int Z = 1>
struct BlockMergeSort : mesi_block_sort<Key, Value, X * Y * Z, N> {
  typedef mesi_block_sort<Key, Value, X * Y * Z, N> Base;
  typedef typename Base::TempStorage TempStorage;
  BlockMergeSort(TempStorage &temp) : Base(temp) {}
  template <class Before> void Sort(Key (&keys)[N], Before before)
  {
    this->sort(keys, nullptr, before, false);
  }
  template <class Before> void Sort(Key (&keys)[N], Value (&values)[N], Before before)
  {
    this->sort(keys, values, before, false);
  }
  template <class Before> void StableSort(Key (&keys)[N], Before before)
  {
    this->sort(keys, nullptr, before, false);
  }
};

} // namespace cub

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
