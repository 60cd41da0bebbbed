/* SPDX-License-Identifier: MIT */
/* mesi_map.h - kernels with another mapping to threads than in the source, and their launches.
 * Included by mesi_cuda.h and mesi_cpu.h, after the declaration of dim3. C++14 or later.
 */
#ifndef MESI_MAP_H
#define MESI_MAP_H

#include <initializer_list>
#include <math.h>
#include <stddef.h>

/* Memory for the partial sums of several blocks (mesi_sums.h). */
struct mesi_sums {
  void *parts;
  /* blocks that have left parts, by their place along z; zeros between launches */
  unsigned *arrived;
};

/* The grid of a launch whose kernel has another mapping to threads, and the source's threads. */
struct mesi_mapping {
  dim3 grid, block;
  dim3 written_grid, written_block; /* those of the source */
  unsigned each[3]; /* threads of the source along an axis that one block of the launch does */
  int total_x, total_y;
  bool mapped;
  bool written;     /* the launch's arguments may overlap: it takes the first version */
  unsigned version; /* of the kernel, chosen by mesi_choose */
  bool has_stream;  /* `stream` is the launch's */
  cudaStream_t stream;
  mesi_sums sums;   /* for sums that blocks share */
  unsigned total_z; /* along z: threads of the source, or elements of mesi_extents */
  bool extents;     /* the totals are those of mesi_extents */
};

inline mesi_mapping &mesi_mapped() /* of the launch that this thread is making */
{
  static thread_local mesi_mapping mapping;
  return mapping;
}

/* Access to its members for sources that have macros with their names. */
inline dim3 mesi_mapped_grid() { return mesi_mapped().grid; }
inline dim3 mesi_mapped_block() { return mesi_mapped().block; }
inline dim3 mesi_mapped_written_grid() { return mesi_mapped().written_grid; }
inline dim3 mesi_mapped_written_block() { return mesi_mapped().written_block; }
inline int mesi_mapped_total_x() { return mesi_mapped().total_x; }
inline int mesi_mapped_total_y() { return mesi_mapped().total_y; }
inline bool mesi_mapped_mapped() { return mesi_mapped().mapped; }
inline unsigned mesi_mapped_version() { return mesi_mapped().version; }
inline mesi_sums mesi_mapped_sums() { return mesi_mapped().sums; }

/* Does CUDA take a launch of this shape? Otherwise it fails as written, in no other shape. */
inline bool mesi_is_shape(const dim3 &g, const dim3 &b)
{
  return g.x - 1 < 0x7fffffff && g.y - 1 < 65535 && g.z - 1 < 65535 && b.x - 1 < 1024 &&
         b.y - 1 < 1024 && b.z - 1 < 64 && b.x * b.y * b.z <= 1024;
}

/* Do the rows of threads of a launch fit the number of blocks that a grid has along y, and has each
 * row at least `fewest` threads? */
inline bool mesi_rows_fit(unsigned long long x, unsigned long long y, unsigned fewest)
{
  return x >= fewest && y <= 65535;
}

/* Covers grid x block threads with blocks of block_x x block_y elements for `threads`. A launch
 * keeps its shape, for the kernel as written, where it has less than `least` threads, more along an
 * axis than an int holds, or, with `fewest`, rows that do not fit (0: no such limit). `layers` of a
 * block along z, where the launch's grid allows for them; 0: the block's. */
inline void mesi_map(dim3 grid, dim3 block, unsigned block_x, unsigned block_y, dim3 threads,
                     unsigned long long least, unsigned layers = 0, unsigned fewest = 0)
{
  mesi_mapping &mapping = mesi_mapped();
  unsigned long long x = (unsigned long long)grid.x * block.x,
                     y = (unsigned long long)grid.y * block.y;
  bool counts = x * y * grid.z >= least && x <= 0x7fffffff && y <= 0x7fffffff;
  mapping.mapped = (least == 0 || counts) && (fewest == 0 || mesi_rows_fit(x, y, fewest));
  mapping.grid = mapping.written_grid = grid;
  mapping.block = mapping.written_block = block;
  if (mapping.mapped && mesi_is_shape(grid, block)) {
    mapping.grid = dim3((unsigned)((x + block_x - 1) / block_x),
                        (unsigned)((y + block_y - 1) / block_y), grid.z);
    mapping.block = threads;
  }
  mapping.each[0] = mapping.mapped ? block_x : block.x;
  mapping.each[1] = mapping.mapped ? block_y : block.y;
  mapping.each[2] = layers ? layers : block.z;
  mapping.total_x = (int)x;
  mapping.total_y = (int)y;
  mapping.total_z = grid.z * block.z;
  mapping.extents = false;
  mapping.has_stream = false;
  mapping.written = false;
  mapping.sums = mesi_sums();
}

/* The condition of all versions after the first, for the launch of mesi_map. */
inline void mesi_map_if(bool holds) { mesi_mapped().written |= !holds; }

/* The stream of the launch of mesi_map. */
inline void mesi_stream_is(cudaStream_t stream)
{
  mesi_mapped().has_stream = true;
  mesi_mapped().stream = stream;
}

inline bool mesi_sums_room(cudaStream_t stream, size_t bytes, unsigned long long counters,
                           mesi_sums *ret);

/* Limits the launch of a mapped kernel to so many blocks: each does the work of several in turn. */
inline void mesi_few(unsigned blocks)
{
  mesi_mapping &mapping = mesi_mapped();

  if (!mapping.mapped || !mapping.grid.x) return;
  mapping.grid.x = mapping.grid.x < blocks ? mapping.grid.x : blocks;
  unsigned rows = blocks / mapping.grid.x > 1 ? blocks / mapping.grid.x : 1;
  mapping.grid.y = mapping.grid.y < rows ? mapping.grid.y : rows;
}

/* The launch as written: its grid, block and totals. mesi_choose goes on from here. */
inline void mesi_map(dim3 grid, dim3 block) { mesi_map(grid, block, 1, 1, block, ~0ull); }

/* Has the launch of mesi_map fewer threads? */
inline bool mesi_below(unsigned long long threads)
{
  const mesi_mapping &mapping = mesi_mapped();
  return mapping.total_x > 0 && mapping.total_y > 0 &&
         (unsigned long long)mapping.total_x * (unsigned)mapping.total_y < threads;
}

/* Do the rows of the launch of mesi_map fit? */
inline bool mesi_rows_of(unsigned fewest)
{
  const mesi_mapping &mapping = mesi_mapped();
  return mapping.total_x > 0 && mapping.total_y > 0 &&
         mesi_rows_fit((unsigned)mapping.total_x, (unsigned)mapping.total_y, fewest);
}

/* The elements of the launch of mesi_map, where its kernel has other axes than the launch: so many
 * along x, y and z, and along the axis `derived` as many times as many as the launch's threads make
 * up. Threads from `count` on do nothing; below 0: each has an element. The launch keeps its kernel
 * where a row of elements would end otherwise than its threads, where rows do not fit, or where
 * there are more than twice as many elements as threads. */
inline void mesi_extents(int derived, long long x, long long y, long long z, long long count)
{
  mesi_mapping &mapping = mesi_mapped();
  const dim3 &grid = mapping.written_grid, &block = mapping.written_block;
  const long long most = 0x7fffffff;
  long long threads = (long long)grid.x * block.x, each = 0, times = 0;

  if (x > 0 && y > 0 && z > 0 && x <= most && y <= most && z <= most && x * y <= most / z)
    each = x * y * z;
  bool flat = grid.y == 1 && grid.z == 1 && block.y == 1 && block.z == 1 && threads <= most;
  bool ends = each && (threads % each == 0 || (count >= 0 && threads >= count));
  if (each) times = ((count >= 0 && count < threads ? count : threads) + each - 1) / each;
  bool many = !each || each * times > 2 * threads;
  if (derived == 0) x *= times;
  if (derived == 1) y *= times;
  if (derived == 2) z *= times;
  if (!flat || !ends || many || times < 1 || x > most || y > most || z > 65535) {
    mapping.written = true;
    return;
  }
  mapping.total_x = (int)x;
  mapping.total_y = (int)y;
  mapping.total_z = (unsigned)z;
  mapping.extents = true;
}

/* The same for a kernel whose loops go over x elements by the launch's threads along x, and over y
 * by those along y; below 0: there is no such loop, each thread has an element. `of_block`: each
 * block has a row of x elements. */
inline void mesi_elements(bool of_block, long long x, long long y)
{
  mesi_mapping &mapping = mesi_mapped();
  const dim3 &grid = mapping.written_grid, &block = mapping.written_block;
  const long long most = 0x7fffffff;
  bool flat = grid.z == 1 && block.z == 1 && (!of_block || (grid.y == 1 && block.y == 1));

  if (x < 0) x = (long long)grid.x * block.x;
  if (y < 0) y = of_block ? (long long)grid.x : (long long)grid.y * block.y;
  if (!flat || x < 1 || y < 1 || x > most || y > most) {
    mapping.written = true;
    return;
  }
  mapping.total_x = (int)x;
  mapping.total_y = (int)y;
  mapping.extents = true;
}

/* The elements from which a version is better than a kernel whose threads share them in a loop:
 * `least`, or as many as make each of its threads wait twice. */
inline unsigned long long mesi_shared_least(unsigned long long least)
{
  const mesi_mapping &m = mesi_mapped();
  const dim3 &grid = m.written_grid, &block = m.written_block;
  unsigned long long threads = (unsigned long long)grid.x * block.x * grid.y * block.y,
                     elements = (unsigned long long)(unsigned)m.total_x * (unsigned)m.total_y;

  return m.extents && elements < least && elements >= 2 * threads ? elements : least;
}

/* The same for a kernel whose codes have blocks of width x height threads in the place of blocks in
 * a row. `turned`: the launch's blocks along y are theirs along x, and the other way round. */
inline void mesi_digits(bool turned, unsigned width, unsigned height)
{
  mesi_mapping &mapping = mesi_mapped();
  const dim3 &grid = mapping.written_grid, &block = mapping.written_block;
  unsigned long long x = (unsigned long long)(turned ? grid.y : grid.x) * width,
                     y = (unsigned long long)(turned ? grid.x : grid.y) * height;

  if (block.x != width * height || block.y != 1 || block.z != 1 || x > 0x7fffffff || y > 65535) {
    mapping.written = true;
    return;
  }
  mapping.total_x = (int)x;
  mapping.total_y = (int)y;
  mapping.extents = true;
}

/* The same for a kernel whose axes are those of the launch in another order: x, y and z of the
 * launch lie where these numbers say, 0 to 2. The launch keeps its kernel where more than `run`
 * threads of a warp are neighbours along the new x already, or where too many lie along y or z. */
inline void mesi_turn(int x, int y, int z, unsigned run)
{
  mesi_mapping &mapping = mesi_mapped();
  const dim3 &grid = mapping.written_grid, &block = mapping.written_block;
  const unsigned threads[3] = {block.x, block.y, block.z};
  const unsigned long long all[3] = {(unsigned long long)grid.x * block.x,
                                     (unsigned long long)grid.y * block.y,
                                     (unsigned long long)grid.z * block.z};
  unsigned below = x == 2 ? block.x * block.y : x == 1 ? block.x : 1;
  unsigned lanes = below >= 32 ? 1 : 32 / (below ? below : 1);

  if ((lanes > run && threads[x] > run) || all[x] > 0x7fffffff || all[y] > 65535 ||
      all[z] > 65535) {
    mapping.written = true;
    return;
  }
  mapping.total_x = (int)all[x];
  mapping.total_y = (int)all[y];
  mapping.total_z = (unsigned)all[z];
  mapping.extents = true;
}

/* Are blocks of so many elements mostly full, where rows have the length that arguments give? */
inline bool mesi_extents_suit(unsigned block_x, unsigned block_y)
{
  const mesi_mapping &m = mesi_mapped();
  if (!m.extents) return true;
  unsigned long long x = (unsigned)m.total_x, y = (unsigned)m.total_y,
                     across = (x + block_x - 1) / block_x, down = (y + block_y - 1) / block_y;
  return down <= 65535 && across * block_x * (down * block_y) <= x * y + x * y / 2;
}

/* One of several versions of a kernel: blocks of block_x x block_y elements for threads_x x
 * threads_y threads, for launches of `least` elements or more; `exact`: whose blocks are whole. No
 * block: the launch keeps its shape. `parts` blocks share the sums of their elements, with `bytes`
 * of partial sums each; below 2: none do. `layers`: elements of a block along z; 0: the threads of
 * one as written. */
struct mesi_version {
  unsigned block_x = 0, block_y = 0, threads_x = 0, threads_y = 0;
  unsigned long long least = 0;
  bool exact = false, when = true; /* `when`: it is for this launch */
  unsigned z_parts = 1;            /* blocks along z for one of the launch */
  unsigned parts = 0, bytes = 0, layers = 0;
  constexpr mesi_version() {}
  constexpr mesi_version(unsigned bx, unsigned by, unsigned tx, unsigned ty,
                         unsigned long long from, bool whole = false, bool fit = true,
                         unsigned deep = 1, unsigned high = 0)
      : block_x(bx), block_y(by), threads_x(tx), threads_y(ty), least(from), exact(whole),
        when(fit), z_parts(deep), layers(high)
  {
  }
  constexpr mesi_version(unsigned bx, unsigned by, unsigned tx, unsigned ty,
                         unsigned long long from, bool whole, unsigned shared_by,
                         unsigned part_bytes)
      : block_x(bx), block_y(by), threads_x(tx), threads_y(ty), least(from), exact(whole),
        when(shared_by > 1), parts(shared_by), bytes(part_bytes)
  {
  }
};

/* Gets memory for a version's partial sums. False: there is none, and the launch takes another
 * version. */
inline bool mesi_has_room(const mesi_version &v)
{
  mesi_mapping &mapping = mesi_mapped();
  unsigned long long x = ((unsigned)mapping.total_x + v.block_x - 1) / v.block_x,
                     y = ((unsigned)mapping.total_y + v.block_y - 1) / v.block_y;
  return y <= 65535 && mesi_sums_room(mapping.stream, (size_t)(x * y * v.parts * v.bytes),
                                      x * y * v.parts, &mapping.sums);
}

/* Takes the last version that suits the launch of mesi_map. `fits`: the condition of exact versions
 * holds. One from 0 elements on is wanted even where its blocks are mostly empty. */
inline void mesi_choose(bool fits, std::initializer_list<mesi_version> versions)
{
  mesi_mapping &mapping = mesi_mapped();
  unsigned x = (unsigned)mapping.total_x, y = (unsigned)mapping.total_y, number = 0;
  bool countable = mapping.total_x > 0 && mapping.total_y > 0,
       as_written = versions.begin()->block_x == 0;
  unsigned z = mapping.total_z;
  mesi_version chosen;

  mapping.version = 0;
  for (const mesi_version &v : versions) {
    bool right = number && mapping.written ? false
                 : v.exact ? fits && countable && x % v.block_x == 0 && y % v.block_y == 0
                           : countable || !as_written;
    bool suits = !v.block_x || !v.least || mesi_extents_suit(v.block_x, v.block_y);
    if (right && v.when && suits && (unsigned long long)x * y * z >= v.least &&
        (v.layers < 1 || (z + v.layers - 1) / v.layers <= 65535) &&
        (v.parts < 2 || mesi_has_room(v))) {
      mapping.version = number;
      chosen = v;
    }
    number++;
  }
  mapping.mapped |= chosen.block_x > 0;
  if (!chosen.block_x || !mesi_is_shape(mapping.written_grid, mapping.written_block)) {
    mapping.sums = mesi_sums();
    return;
  }
  mapping.each[0] = chosen.block_x;
  mapping.each[1] = chosen.block_y;
  mapping.grid.x = (x + chosen.block_x - 1) / chosen.block_x;
  mapping.grid.y = (y + chosen.block_y - 1) / chosen.block_y;
  mapping.grid.z = (mapping.extents ? z : mapping.grid.z) * chosen.z_parts;
  if (chosen.layers) {
    mapping.grid.z = (z + chosen.layers - 1) / chosen.layers;
    mapping.each[2] = chosen.layers;
  }
  mapping.block = dim3(chosen.threads_x, chosen.threads_y);
  if (chosen.parts > 1)
    mapping.grid.z = chosen.parts;
  else
    mapping.sums = mesi_sums();
}

/* The kernel of the version that mesi_choose took. */
template <typename MesiKernel, typename... MesiKernels>
inline MesiKernel mesi_pick(MesiKernel first, MesiKernels... others)
{
  MesiKernel all[] = {first, others...};
  return all[mesi_mapped().version];
}

template <typename T> struct mesi_as {
  typedef T type;
};

/* The first kernel where the condition holds, otherwise the kernel as written. The name may also be
 * one of the C library (`div`, `puts`): the first kernel's type then says which function is
 * meant. */
template <typename MesiKernel>
inline MesiKernel *mesi_pick_if(bool condition, MesiKernel *first,
                                typename mesi_as<MesiKernel>::type *written)
{
  return condition ? first : written;
}

/* Neighbouring elements, aligned to their size, and one load of all of them. */
template <typename MesiNumber, int MesiCount>
struct alignas(sizeof(MesiNumber) * MesiCount) mesi_vector {
  MesiNumber e[MesiCount];
};

/* A GPU stops at several elements at once that are not aligned. So does the CPU backend. */
template <typename MesiVector>
static __device__ inline void mesi_expect_aligned(const void *mesi_at_)
{
#ifdef MESI_CPU_H
  if ((size_t)mesi_at_ % alignof(MesiVector)) mesi_cpu_fail("misaligned address");
#else
  (void)mesi_at_;
#endif
}

template <int MesiCount, typename MesiNumber>
static __device__ inline mesi_vector<MesiNumber, MesiCount>
mesi_vector_from(const MesiNumber *mesi_from_)
{
  typedef mesi_vector<MesiNumber, MesiCount> mesi_all_;
  mesi_expect_aligned<mesi_all_>(mesi_from_);
#ifdef __CUDA_ARCH__
  return *(const mesi_all_ *)mesi_from_;
#else
  mesi_all_ mesi_value_;
  for (int mesi_i_ = 0; mesi_i_ < MesiCount; mesi_i_++)
    mesi_value_.e[mesi_i_] = mesi_from_[mesi_i_];
  return mesi_value_;
#endif
}

/* The same load through the read-only cache, for memory that the kernel does not write. It may move
 * above stores. */
template <int MesiCount, typename MesiNumber>
static __device__ inline mesi_vector<MesiNumber, MesiCount>
mesi_vector_read(const MesiNumber *mesi_from_)
{
#ifdef __CUDA_ARCH__
  union mesi_bits {
    uint4 all;
    mesi_vector<MesiNumber, MesiCount> each;
    __device__ mesi_bits() {}
  } mesi_value_;
  mesi_value_.all = __ldg((const uint4 *)mesi_from_);
  return mesi_value_.each;
#else
  return mesi_vector_from<MesiCount>(mesi_from_);
#endif
}

/* Can elements be copied from here 16 bytes at a time? */
inline bool mesi_aligned(const void *pointer) { return ((size_t)pointer & 15) == 0; }

/* Can the device access 16 bytes here at once? The functions below do. */
static __device__ inline bool mesi_vector_at(const void *mesi_at_)
{
  return ((size_t)mesi_at_ & 15) == 0;
}

template <typename MesiT>
static __device__ inline void mesi_vector_load(MesiT *mesi_to_, const MesiT *mesi_from_)
{
  typedef mesi_vector<MesiT, 16 / sizeof(MesiT)> mesi_vector_;
  mesi_expect_aligned<mesi_vector_>(mesi_from_);
  const mesi_vector_ mesi_all_ = *(const mesi_vector_ *)mesi_from_;
  for (int mesi_i_ = 0; mesi_i_ < (int)(16 / sizeof(MesiT)); mesi_i_++)
    mesi_to_[mesi_i_] = mesi_all_.e[mesi_i_];
}

template <typename MesiT>
static __device__ inline void mesi_vector_store(MesiT *mesi_to_, const MesiT *mesi_from_)
{
  typedef mesi_vector<MesiT, 16 / sizeof(MesiT)> mesi_vector_;
  mesi_vector_ mesi_all_;
  mesi_expect_aligned<mesi_vector_>(mesi_to_);
  for (int mesi_i_ = 0; mesi_i_ < (int)(16 / sizeof(MesiT)); mesi_i_++)
    mesi_all_.e[mesi_i_] = mesi_from_[mesi_i_];
  *(mesi_vector_ *)mesi_to_ = mesi_all_;
}

/* The same for MesiCount elements, which are fewer bytes. */
template <int MesiCount, typename MesiT>
static __device__ inline void mesi_some_load(MesiT *mesi_to_, const MesiT *mesi_from_)
{
  typedef mesi_vector<MesiT, MesiCount> mesi_vector_;
  mesi_expect_aligned<mesi_vector_>(mesi_from_);
  const mesi_vector_ mesi_all_ = *(const mesi_vector_ *)mesi_from_;
  for (int mesi_i_ = 0; mesi_i_ < MesiCount; mesi_i_++) mesi_to_[mesi_i_] = mesi_all_.e[mesi_i_];
}

template <int MesiCount, typename MesiT>
static __device__ inline void mesi_some_store(MesiT *mesi_to_, const MesiT *mesi_from_)
{
  typedef mesi_vector<MesiT, MesiCount> mesi_vector_;
  mesi_vector_ mesi_all_;
  mesi_expect_aligned<mesi_vector_>(mesi_to_);
  for (int mesi_i_ = 0; mesi_i_ < MesiCount; mesi_i_++) mesi_all_.e[mesi_i_] = mesi_from_[mesi_i_];
  *(mesi_vector_ *)mesi_to_ = mesi_all_;
}

#include "mesi_row_lanes.h"

/* ---- rows of a thread that goes through layers; mesi_in_: does the thread as written load or
 * store the element? ---- */

/* mesi_lane_load where the thread as written loads, or where the element is in its own 16 bytes. */
template <typename MesiT>
static __device__ inline MesiT mesi_lane_load_in(const MesiT *mesi_first_, int mesi_place_,
                                                 bool mesi_in_)
{
  const bool mesi_own_ = (unsigned)mesi_place_ < 16 / sizeof(MesiT);
  return mesi_own_ || mesi_in_ ? mesi_lane_load(mesi_first_, mesi_place_) : MesiT();
}

/* An element of a row in registers, or one beside it from memory. */
template <typename MesiT>
static __device__ inline MesiT mesi_row_element(const MesiT *mesi_row_, int mesi_place_,
                                                bool mesi_in_, const MesiT *mesi_at_)
{
  if ((unsigned)mesi_place_ < 16 / sizeof(MesiT)) return mesi_row_[mesi_place_];
  return mesi_in_ ? __ldg(mesi_at_) : MesiT();
}

/* Loads a row: a thread's 16 bytes, which begin at mesi_own_, and those elements beside them that a
 * neighbour with mesi_in_ needs. */
template <int MesiLeft, int MesiRight, typename MesiT>
static __device__ inline void mesi_row_load(MesiT *mesi_row_, const MesiT *mesi_own_,
                                            const bool *mesi_in_)
{
  const int mesi_lanes_ = (int)(16 / sizeof(MesiT));
#ifdef __CUDA_ARCH__
  const int4 mesi_all_ = __ldg((const int4 *)mesi_own_);
  const int mesi_words_[4] = {mesi_all_.x, mesi_all_.y, mesi_all_.z, mesi_all_.w};
  for (int mesi_i_ = 0; mesi_i_ < mesi_lanes_; mesi_i_++)
    memcpy(mesi_row_ + MesiLeft + mesi_i_, (const char *)mesi_words_ + mesi_i_ * sizeof(MesiT),
           sizeof(MesiT));
#else
  for (int mesi_i_ = 0; mesi_i_ < mesi_lanes_; mesi_i_++)
    mesi_row_[MesiLeft + mesi_i_] = mesi_own_[mesi_i_];
#endif
  for (int mesi_i_ = 1; mesi_i_ <= MesiLeft; mesi_i_++) {
    bool mesi_any_ = false;
    for (int mesi_k_ = 0; mesi_k_ < mesi_lanes_ && mesi_k_ <= MesiLeft - mesi_i_; mesi_k_++)
      mesi_any_ = mesi_any_ || mesi_in_[mesi_k_];
    mesi_row_[MesiLeft - mesi_i_] = mesi_any_ ? __ldg(mesi_own_ - mesi_i_) : MesiT();
  }
  for (int mesi_i_ = 0; mesi_i_ < MesiRight; mesi_i_++) {
    bool mesi_any_ = false;
    for (int mesi_k_ = 0; mesi_k_ < mesi_lanes_; mesi_k_++)
      mesi_any_ = mesi_any_ || (mesi_k_ >= mesi_lanes_ + mesi_i_ - MesiRight && mesi_in_[mesi_k_]);
    mesi_row_[MesiLeft + mesi_lanes_ + mesi_i_] =
        mesi_any_ ? __ldg(mesi_own_ + mesi_lanes_ + mesi_i_) : MesiT();
  }
}

/* Shifts the rows by a layer: each layer's row becomes that of the next one. */
template <int MesiLayers, int MesiRows, int MesiLong, typename MesiT>
static __device__ inline void mesi_rows_older(MesiT (&mesi_all_)[MesiLayers][MesiRows][MesiLong])
{
  for (int mesi_layer_ = 0; mesi_layer_ + 1 < MesiLayers; mesi_layer_++)
    for (int mesi_row_ = 0; mesi_row_ < MesiRows; mesi_row_++)
      for (int mesi_i_ = 0; mesi_i_ < MesiLong; mesi_i_++)
        mesi_all_[mesi_layer_][mesi_row_][mesi_i_] = mesi_all_[mesi_layer_ + 1][mesi_row_][mesi_i_];
}

/* mesi_lane_store for the lanes with mesi_in_. */
template <typename MesiT>
static __device__ inline void mesi_lane_store_in(MesiT *mesi_at_, MesiT *mesi_row_,
                                                 const bool *mesi_in_, int mesi_lane_,
                                                 typename mesi_plain<MesiT>::type mesi_value_)
{
  const int mesi_last_ = (int)(16 / sizeof(MesiT)) - 1;
  bool mesi_all_ = true;

  mesi_row_[mesi_lane_] = mesi_value_;
  if (mesi_lane_ != mesi_last_) return;
  for (int mesi_i_ = 0; mesi_i_ <= mesi_last_; mesi_i_++)
    mesi_all_ = mesi_all_ && mesi_in_[mesi_i_];
  if (mesi_all_) {
    mesi_vector_store(mesi_at_ - mesi_last_, mesi_row_);
    return;
  }
  for (int mesi_i_ = 0; mesi_i_ <= mesi_last_; mesi_i_++)
    if (mesi_in_[mesi_i_]) mesi_at_[mesi_i_ - mesi_last_] = mesi_row_[mesi_i_];
}

#endif
