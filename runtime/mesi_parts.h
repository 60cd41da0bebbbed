/* SPDX-License-Identifier: MIT */
/* mesi_parts.h - launches that may go out in parts, as mesicc emits them. Included by mesi_cuda.h
 * and mesi_cpu.h, after mesi_emitted.h, mesi_map.h and the declaration of dim3. C++14 or later.
 *
 *   k<<<grid, block>>>(mesi_arg_range(a, 0, n, 0, 0, MESI_READ, {1024, 0, 1024}, {}), n)
 *   => mesi_parted(k, k_part, 0, grid, block)(the arguments)
 *
 * k_part is k with one parameter more: the run of blocks of its launch. Where k has another mapping
 * to threads
 *   => mesi_parted_or(k_mapped, k, k_part, 0, mapped grid, mapped block)(the arguments,
 *       mesi_mapped().total_x)
 *   or, where the mapped kernel has parts, too
 *   => mesi_parted(mesi_runs(k_mapped, {k_mapped_part}, 0, 0), mapped grid, mapped block)(...)
 */
#ifndef MESI_EMITTED_PARTS_H
#define MESI_EMITTED_PARTS_H

#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

/* The run of a part, for its kernel: blockIdx along the axis begins at `first`, gridDim is
 * `blocks`. */
struct mesi_run {
  unsigned first, blocks;
};

template <class MesiT>
inline MesiT *mesi_arg_range(MesiT *pointer, std::ptrdiff_t read_begin, std::ptrdiff_t read_end,
                             std::ptrdiff_t write_begin, std::ptrdiff_t write_end, unsigned access,
                             mesi_part read, mesi_part write)
{
  return (MesiT *)mesi_launch_arg_parts((const void *)pointer, read_begin, read_end, write_begin,
                                        write_end, access | mesi_of(pointer), read, write);
}

inline void mesi_launch_range(unsigned use, std::ptrdiff_t read_begin, std::ptrdiff_t read_end,
                              std::ptrdiff_t write_begin, std::ptrdiff_t write_end, unsigned access,
                              mesi_part read, mesi_part write)
{
  mesi_launch_use_parts(use, read_begin < 0 ? 0 : (std::size_t)read_begin,
                        read_end < 0 ? 0 : (std::size_t)read_end,
                        write_begin < 0 ? 0 : (std::size_t)write_begin,
                        write_end < 0 ? 0 : (std::size_t)write_end, access, read, write);
}

/* An argument of a part: a pointer becomes one into the memory of the part's device. */
template <class MesiT> inline const MesiT &mesi_of_part(const MesiT &value)
{
  if (std::is_arithmetic<MesiT>::value || std::is_enum<MesiT>::value)
    mesi_launch_value(&value, sizeof value);
  return value;
}

template <class MesiT> inline MesiT *mesi_of_part(MesiT *pointer)
{
  return (MesiT *)mesi_launch_part_pointer((const void *)pointer);
}

template <class MesiT> struct mesi_same {
  typedef MesiT type;
};

/* The blocks of a launch along an axis: those of the source, and those of its grid. */
struct mesi_run_scale {
  unsigned blocks;                  /* of the source */
  unsigned unit;                    /* so many of them are whole blocks of the grid; 0: none are */
  unsigned long long threads, each; /* along the axis, of a block of the source and of the grid */

  unsigned begin(unsigned block) const { return (unsigned)(block * threads / each); }
  unsigned end(unsigned block) const { return (unsigned)((block * threads + each - 1) / each); }

  static mesi_run_scale same(unsigned blocks) { return {blocks, 1, 1, 1}; }

  /* `along`: blocks of the grid. No unit is known where the grid does not cover the source's blocks
   * in the way of mesi_map, for example where blocks do several layers. */
  static mesi_run_scale mapped(int axis, unsigned along)
  {
    mesi_run_scale found = of_mapping(axis);
    if (found.end(found.blocks) != along) found.unit = 0;
    return found;
  }

  static mesi_run_scale of_mapping(int axis)
  {
    const mesi_mapping &m = mesi_mapped();
    const unsigned blocks[] = {m.written_grid.x, m.written_grid.y, m.written_grid.z},
                   threads[] = {m.written_block.x, m.written_block.y, m.written_block.z};
    unsigned a = threads[axis], b = m.each[axis];
    while (b) {
      unsigned rest = a % b;
      a = b;
      b = rest;
    }
    return {blocks[axis], m.each[axis] / a, threads[axis], m.each[axis]};
  }
};

/* The two kernels of a launch. MesiStart launches either of them with a grid. */
template <class... MesiP> struct mesi_part_kernels {
  enum : std::size_t { count = sizeof...(MesiP) };
  void (*whole)(MesiP...);
  void (*part)(MesiP..., mesi_run); /* nullptr: there is none */
  int axis;                         /* of the grid: 0 x, 1 y, 2 z */
  bool mapped;                      /* the grid is that of mesi_mapped */

  static unsigned &along(dim3 &grid, int axis)
  {
    return axis == 0 ? grid.x : axis == 1 ? grid.y : grid.z;
  }

  template <class MesiStart>
  void launch_part(const MesiStart &start, dim3 grid, mesi_run run, MesiP... values) const
  {
    start(part, grid, values..., run);
  }

  /* start(kernel, grid, arguments...) makes one launch, start.of_part() on the device of a part.
   * False: the launch has to go out as a whole. */
  template <class MesiStart, class... MesiV>
  bool launch_parts(const MesiStart &start, dim3 grid, MesiV &...values) const
  {
    mesi_run run = {0, along(grid, axis)};
    const mesi_mapping &m = mesi_mapped();
    if (mapped && !mesi_is_shape(m.written_grid, m.written_block)) return false;
    const mesi_run_scale scale =
        mapped ? mesi_run_scale::mapped(axis, run.blocks) : mesi_run_scale::same(run.blocks);
    unsigned long long all = (unsigned long long)grid.x * grid.y * grid.z;
    if (!mesi_launch_parts_by(scale.blocks, all, part ? scale.unit : 0)) return false;
    dim3 some = grid;
    unsigned first, blocks;
    while (mesi_launch_next_part(&first, &blocks)) {
      run.first = scale.begin(first);
      along(some, axis) = scale.end(first + blocks) - run.first;
      launch_part(start.of_part(), some, run, mesi_of_part(values)...);
    }
    return true;
  }

  template <class MesiStart, class... MesiV>
  void launch(const MesiStart &start, dim3 grid, MesiV &...values) const
  {
    if (!launch_parts(start, grid, values...)) start(whole, grid, values...);
  }
};

/* The kernels of a launch, and those of a mapped one, whose kernels for runs are in the order of
 * mesi_pick. */
template <class... MesiP>
mesi_part_kernels<MesiP...> mesi_runs(void (*kernel)(MesiP...),
                                      typename mesi_same<void (*)(MesiP..., mesi_run)>::type part,
                                      int axis)
{
  return {kernel, part, axis, false};
}

template <class... MesiP>
mesi_part_kernels<MesiP...>
mesi_runs(void (*kernel)(MesiP...),
          std::initializer_list<typename mesi_same<void (*)(MesiP..., mesi_run)>::type> parts,
          unsigned which, int axis)
{
  return {kernel, parts.begin()[which], axis, true};
}

/* 0 ... N - 1 as template arguments; C++11 has no std::index_sequence. */
template <std::size_t... MesiI> struct mesi_numbers {
};

template <std::size_t MesiN, std::size_t... MesiI>
struct mesi_numbers_below : mesi_numbers_below<MesiN - 1, MesiN - 1, MesiI...> {
};

template <std::size_t... MesiI> struct mesi_numbers_below<0, MesiI...> {
  typedef mesi_numbers<MesiI...> type;
};

/* The kernels of a launch whose kernel has another mapping to threads: `mapped` as a whole, or
 * parts of the kernel as written. MesiKernels is a mesi_part_kernels; the arguments of `mapped`
 * begin with its arguments. */
template <class MesiKernels, class... MesiM> struct mesi_mapped_kernels {
  void (*mapped)(MesiM...);
  MesiKernels written;
  dim3 grid, block; /* as written */

  /* start_mapped launches `mapped`, start_part the kernel as written. */
  template <class MesiStart>
  void launch(const MesiStart &start_mapped, const MesiStart &start_part, dim3 mapped_grid,
              MesiM &...values) const
  {
    if (!launch_parts(start_part, std::tie(values...),
                      typename mesi_numbers_below<MesiKernels::count>::type()))
      start_mapped(mapped, mapped_grid, values...);
  }

  template <class MesiStart, std::size_t... MesiI>
  bool launch_parts(const MesiStart &start, const std::tuple<MesiM &...> &values,
                    mesi_numbers<MesiI...>) const
  {
    (void)values;
    return written.launch_parts(start, grid, std::get<MesiI>(values)...);
  }
};

/* For the launch of mesi_map. */
template <class... MesiM, class... MesiP>
mesi_mapped_kernels<mesi_part_kernels<MesiP...>, MesiM...>
mesi_mapped_or_parts(void (*mapped)(MesiM...), void (*kernel)(MesiP...),
                     typename mesi_same<void (*)(MesiP..., mesi_run)>::type part, int axis)
{
  return {
      mapped, {kernel, part, axis, false}, mesi_mapped().written_grid, mesi_mapped().written_block};
}

#endif
