/* mesi_warp.cuh - cub::WarpReduce and cub::WarpScan: values go through the temporary storage, in
 * the order of lanes. */
#ifndef MESI_CUB_WARP_H
#define MESI_CUB_WARP_H

#include "mesi_common.cuh"

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

namespace cub
{

template <class T, int LANES> struct mesi_warp_values {
  struct TempStorage {
    T values[LANES];
  };
  TempStorage &temp;
  unsigned lane, mask;
  explicit mesi_warp_values(TempStorage &t) : temp(t), lane(LaneId() % LANES)
  {
    mask = LANES == 32 ? ~0u : ((1u << LANES % 32) - 1) << (LaneId() - lane);
    mask &= __activemask();
  }
  void share(const T &value)
  {
    __syncwarp(mask);
    temp.values[lane] = value;
    __syncwarp(mask);
  }
};

template <class T, int LANES = 32, int = 0> struct WarpReduce : mesi_warp_values<T, LANES> {
  typedef mesi_warp_values<T, LANES> Base;
  typedef typename Base::TempStorage TempStorage;
  WarpReduce(TempStorage &temp) : Base(temp) {}
  template <class Op> T Reduce(T value, Op op, int valid)
  {
    this->share(value);
    T sum = this->temp.values[0];
    for (int i = 1; i < valid; i++) sum = op(sum, this->temp.values[i]);
    return this->lane ? value : sum;
  }
  template <class Op> T Reduce(T value, Op op) { return Reduce(value, op, LANES); }
  T Sum(T value) { return Reduce(value, cub::Sum()); }
  T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
  T Max(T value) { return Reduce(value, cub::Max()); }
  T Min(T value) { return Reduce(value, cub::Min()); }
};

template <class T, int LANES = 32, int = 0> struct WarpScan : mesi_warp_values<T, LANES> {
  typedef mesi_warp_values<T, LANES> Base;
  typedef typename Base::TempStorage TempStorage;
  WarpScan(TempStorage &temp) : Base(temp) {}
  template <class Op> void Scan(T value, T &inclusive, T &exclusive, T initial, Op op)
  {
    this->share(value);
    T sum = this->temp.values[0];
    exclusive = initial;
    for (unsigned i = 0; i < this->lane; i++) {
      exclusive = i ? op(exclusive, this->temp.values[i]) : op(initial, this->temp.values[0]);
      sum = op(sum, this->temp.values[i + 1]);
    }
    inclusive = sum;
  }
  template <class Op> void InclusiveScan(T value, T &out, Op op)
  {
    T other;
    Scan(value, out, other, T(), op);
  }
  template <class Op> void InclusiveScan(T value, T &out, Op op, T &total)
  {
    InclusiveScan(value, out, op);
    total = Broadcast(out, LANES - 1);
  }
  template <class Op> void ExclusiveScan(T value, T &out, T initial, Op op)
  {
    T other;
    Scan(value, other, out, initial, op);
  }
  void InclusiveSum(T value, T &out) { InclusiveScan(value, out, cub::Sum()); }
  void InclusiveSum(T value, T &out, T &total) { InclusiveScan(value, out, cub::Sum(), total); }
  void ExclusiveSum(T value, T &out) { ExclusiveScan(value, out, T(), cub::Sum()); }
  void ExclusiveSum(T value, T &out, T &total)
  {
    T inclusive;
    Scan(value, inclusive, out, T(), cub::Sum());
    total = Broadcast(inclusive, LANES - 1);
  }
  T Broadcast(T value, unsigned lane)
  {
    this->share(value);
    return this->temp.values[lane];
  }
};

} // namespace cub

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
