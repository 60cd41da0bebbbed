/* SPDX-License-Identifier: MIT */
/* mesi_sums.h - sums that several blocks share, and the number of these blocks. Included by
 * mesi_cuda.h and mesi_cpu.h, after mesi_map.h. C++14 or later.
 *
 *     (mesi_map(grid, block), mesi_stream_is(0),
 *      mesi_choose(true, {{}, {128, 64, 16, 8, 0, false, true, k_parts(n), 32768}}),
 *      mesi_pick(k_plain, k_sums)<<<mesi_mapped().grid, mesi_mapped().block>>>(
 *          ..., mesi_mapped().sums))
 *
 * Block (x, y) of the grid exists gridDim.z times. Each of these takes a run of the loop's
 * iterations and leaves its partial sums in memory of the launch's stream. The last one to finish
 * combines them, in an order that follows from the runs, and executes the code after the loop. So
 * results do not depend on which block is the last. Where there are many parts four blocks meet at
 * a time.
 *
 * The memory is one area for each device and stream, which successive launches share. It grows, and
 * never moves under a running launch: an area that became too small is kept. Where there is no area
 * (a stream that is being captured, the default stream of a thread, no memory, too many streams)
 * the launch takes a version in which blocks share nothing.
 */
#ifndef MESI_SUMS_H
#define MESI_SUMS_H

#include <pthread.h> /* not <mutex>: every file that nvcc compiles would take half as long again */
#include <stdlib.h>

/* ---- the number of blocks that share a sum ---- */

/* Blocks of a version: their elements, the number that a multiprocessor holds, and the cycles of an
 * iteration of a block that is alone there, and of each of many. */
struct mesi_block_time {
  unsigned x, y, resident;
  double alone, busy;
};

#define MESI_SUMS_COST \
  2500.0 /* cycles: writing parts, a fence, an atomic operation, a look at the parts of others */
#define MESI_SUMS_LEVEL 2000.0 /* ... for each further level of a tree */
#define MESI_SUMS_BYTES 16.0   /* bytes of parts that a block writes, or reads, in a cycle */
#define MESI_SUMS_IDLE 2.5     /* cycles of the device for a block without work */
#define MESI_SUMS_GAIN 1.25    /* the least predicted gain in time */
#define MESI_SUMS_MOST 256     /* blocks that share a sum */
#define MESI_SUMS_FAN 4        /* blocks whose parts meet at a level of a tree */

inline unsigned mesi_multiprocessors()
{
#if defined(MESI_CPU_H)
  return 16; /* results do not depend on the computer */
#else
  static int counts[16];
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess || device < 0 || device >= 16) return 0;
  if (!counts[device] && cudaDeviceGetAttribute(&counts[device], cudaDevAttrMultiProcessorCount,
                                                device) != cudaSuccess)
    counts[device] = 0;
  return (unsigned)counts[device];
#endif
}

/* Cycles of a multiprocessor with so many blocks, for one iteration of each. `idle`: other blocks
 * leave bandwidth, and a rest of blocks takes two thirds of its time. */
inline double mesi_iteration_time(const mesi_block_time &block, double blocks, bool idle)
{
  double waves = (double)(long long)(blocks / block.resident),
         rest = blocks - waves * block.resident;
  double full = block.resident * block.busy, part = rest * block.busy * (idle ? 2.0 / 3 : 1);
  return waves * (full > block.alone ? full : block.alone) +
         (rest > 0 ? part > block.alone ? part : block.alone : 0);
}

/* Cycles for combining the parts of so many blocks. */
inline double mesi_meeting_time(double parts, double each, double bytes, bool tree)
{
  double read = parts, levels = 1;
  if (parts < 2) return 0;
  for (double left = parts; tree && left > MESI_SUMS_FAN;
       left = (double)(long long)((left + MESI_SUMS_FAN - 1) / MESI_SUMS_FAN), levels++)
    read = (levels + 1) * MESI_SUMS_FAN;
  return MESI_SUMS_COST + (levels - 1) * MESI_SUMS_LEVEL +
         (read + levels - 1 + each) * bytes / MESI_SUMS_BYTES;
}

struct mesi_sums_launch { /* the values on which the number of blocks depends */
  unsigned x, y;          /* elements with work */
  unsigned idle;          /* others along x */
  long long iterations;
  unsigned processors;

  bool operator==(const mesi_sums_launch &other) const
  {
    return x == other.x && y == other.y && idle == other.idle && iterations == other.iterations &&
           processors == other.processors;
  }
};

inline double mesi_sums_time(const mesi_block_time &block, const mesi_sums_launch &launch,
                             double parts, unsigned unit, double bytes, bool tree)
{
  double blocks = (double)((launch.x + block.x - 1) / block.x) *
                  (double)((launch.y + block.y - 1) / block.y) * parts;
  double each = (double)(long long)((blocks + launch.processors - 1) / launch.processors);
  double runs = (double)(long long)(((double)launch.iterations / unit + parts - 1) / parts);
  double idle = parts > 1 ? MESI_SUMS_IDLE * (launch.idle / block.x) * parts : 0;
  return runs * unit * mesi_iteration_time(block, each, blocks < launch.processors) +
         mesi_meeting_time(parts, each, bytes, tree) + idle;
}

inline unsigned mesi_sums_best(std::initializer_list<mesi_block_time> blocks,
                               const mesi_sums_launch &launch, long long most, unsigned unit,
                               unsigned bytes, bool tree)
{
  const mesi_block_time &block = *blocks.begin();
  double least = mesi_sums_time(block, launch, 1, unit, 0, tree);
  unsigned best = 0;

  for (const mesi_block_time &other : blocks) {
    double time = mesi_sums_time(other, launch, 1, 1, 0, tree);
    least = time < least ? time : least;
  }
  least /= MESI_SUMS_GAIN;

  for (long long parts = 2; parts <= most; parts += 1 + parts / 16) {
    double time = mesi_sums_time(block, launch, (double)parts, unit, bytes, tree);
    if (time < least) {
      least = time;
      best = (unsigned)parts;
    }
  }
  return best;
}

/* MESI_SPLIT=N: so many blocks wherever possible; 0 or 1: one. -1: the predicted number. */
inline int mesi_sums_wish()
{
  static const int wish = getenv("MESI_SPLIT") ? atoi(getenv("MESI_SPLIT")) : -1;
  return wish;
}

struct mesi_sums_known { /* the last prediction for a version */
  mesi_sums_launch launch;
  unsigned best;
  bool set;
};

/* The number of blocks that share the sums of a launch of mesi_map, whose loop has so many
 * iterations; 0: one. Of a launch of one dimension the first `elements` have work (below 0: all). A
 * block's run is a multiple of `unit` iterations. `bytes` are those of its parts, which meet at
 * once or in a `tree`. `blocks`: those of the version, and after them those of versions that share
 * nothing. `fixed`: the number whatever is predicted (0: none). */
inline unsigned mesi_sums_blocks(mesi_sums_known &known,
                                 std::initializer_list<mesi_block_time> blocks,
                                 long long iterations, long long elements, unsigned unit,
                                 unsigned bytes, bool tree, unsigned fixed)
{
  const mesi_mapping &mapping = mesi_mapped();
  mesi_sums_launch launch = {(unsigned)mapping.total_x, (unsigned)mapping.total_y, 0, iterations,
                             mesi_multiprocessors()};
  long long most = (iterations + unit - 1) / unit;
  int wish = mesi_sums_wish() >= 0 ? mesi_sums_wish() : fixed ? (int)fixed : -1;

  if (!mapping.has_stream || mapping.written_grid.z != 1 || mapping.total_x <= 0 ||
      mapping.total_y <= 0 || !launch.processors || most < 2)
    return 0;
  most = most < MESI_SUMS_MOST ? most : MESI_SUMS_MOST;
  if (wish >= 0) return wish < 2 ? 0 : wish < most ? (unsigned)wish : (unsigned)most;
  if (elements >= 0 && elements < launch.x) launch.x = elements ? (unsigned)elements : 1;
  launch.idle = (unsigned)mapping.total_x - launch.x;
  if (!known.set || !(known.launch == launch)) {
    known.best = mesi_sums_best(blocks, launch, most, unit, bytes, tree);
    known.launch = launch;
    known.set = true;
  }
  return known.best;
}

/* ---- memory for parts ---- */

enum { MESI_SUMS_COUNTERS = 1 << 16, MESI_SUMS_AREAS = 32, MESI_SUMS_SMALLEST = 1 << 20 };

struct mesi_sums_area {
  int device;
  unsigned long long stream;
  mesi_sums memory;
  size_t bytes; /* of parts */
};

inline bool mesi_sums_stream(cudaStream_t stream, unsigned long long *ret)
{
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
  if (!stream) return false;
#endif
  if (stream == cudaStreamPerThread) return false;
  if (cudaStreamIsCapturing(stream, &status) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  if (status != cudaStreamCaptureStatusNone) /* where cudaStreamGetId is not permitted */
    return false;
  *ret = (unsigned long long)(size_t)stream;
  if (stream == cudaStreamLegacy) *ret = 0;
#if !defined(MESI_CPU_H)
#if CUDART_VERSION >= 12000
  if (*ret && cudaStreamGetId(stream, ret) != cudaSuccess) return false;
#else
  if (*ret) /* another stream may get this one's handle */
    return false;
#endif
#endif
  return true;
}

/* Allocates the counters, as zeros, and behind them the parts. */
inline bool mesi_sums_allocate(mesi_sums_area &area, size_t bytes, cudaStream_t stream)
{
  const size_t counters = MESI_SUMS_COUNTERS * sizeof(unsigned);
  char *memory = nullptr;

#if !defined(MESI_CPU_H)
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; /* another thread may be capturing */
  cudaThreadExchangeStreamCaptureMode(&mode);
#endif
  bool fine = cudaMalloc((void **)&memory, counters + bytes) == cudaSuccess;
  fine = fine && cudaMemsetAsync(memory, 0, counters, stream) == cudaSuccess;
#if !defined(MESI_CPU_H)
  cudaThreadExchangeStreamCaptureMode(&mode);
#endif
  if (!fine) {
    cudaGetLastError();
    return false;
  }
#if defined(MESI_CPU_H)
  mesi_cpu_workspace(memory);
#endif
  area.memory.arrived = (unsigned *)memory;
  area.memory.parts = memory + counters;
  area.bytes = bytes;
  return true;
}

/* The area of a stream that is not captured, with room for so many bytes of parts. */
inline bool mesi_sums_area_of(cudaStream_t stream, int device, unsigned long long number,
                              size_t bytes, mesi_sums *ret)
{
  static mesi_sums_area areas[MESI_SUMS_AREAS];
  static unsigned count;
  unsigned which = 0;

  while (which < count && (areas[which].device != device || areas[which].stream != number)) which++;
  if (which == MESI_SUMS_AREAS) return false;
  mesi_sums_area &area = areas[which];
  if (which == count || area.bytes < bytes) {
    mesi_sums_area larger = {device, number, {}, 0};
    size_t twice = which < count ? 2 * area.bytes : (size_t)MESI_SUMS_SMALLEST;
    if (!mesi_sums_allocate(larger, bytes > twice ? bytes : twice, stream)) return false;
    area = larger;
    count += which == count;
  }
  *ret = area.memory;
  return true;
}

/* Memory for launches of this stream, with zeros in so many counters; each launch leaves zeros. */
inline bool mesi_sums_room(cudaStream_t stream, size_t bytes, unsigned long long counters,
                           mesi_sums *ret)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  unsigned long long number;
  int device;

  if (counters > MESI_SUMS_COUNTERS || !mesi_sums_stream(stream, &number) ||
      cudaGetDevice(&device) != cudaSuccess)
    return false;
  pthread_mutex_lock(&lock);
  bool found = mesi_sums_area_of(stream, device, number, bytes, ret);
  pthread_mutex_unlock(&lock);
  return found;
}

/* ---- in kernels ---- */

#if defined(MESI_CPU_H)
extern "C" void mesi_check_order(const volatile void *address); /* runtime/cpu/check.h */
#endif

/* The start of the run of block z in the loop from `lower` to `end`; it is also the end of the run
 * of block z - 1. */
template <typename MesiInt>
static __device__ inline MesiInt mesi_run_at(MesiInt mesi_lower_, MesiInt mesi_end_, int mesi_step_,
                                             int mesi_unit_, unsigned mesi_z_)
{
  const long long mesi_all_ =
      mesi_end_ > mesi_lower_
          ? ((long long)mesi_end_ - (long long)mesi_lower_ + mesi_step_ - 1) / mesi_step_
          : 0;
  const long long mesi_each_ = (mesi_all_ + (long long)gridDim.z * mesi_unit_ - 1) /
                               ((long long)gridDim.z * mesi_unit_) * mesi_unit_;
  return mesi_each_ * mesi_z_ >= mesi_all_
             ? mesi_end_
             : (MesiInt)(mesi_lower_ + (MesiInt)(mesi_each_ * mesi_z_) * (MesiInt)mesi_step_);
}

/* The place of an element's partial sum of block z. MesiBefore: bytes an element of other sums;
 * MesiElements: elements of a block. */
template <typename MesiNumber, int MesiBefore, int MesiElements>
static __device__ inline MesiNumber *mesi_sums_place(const mesi_sums &mesi_sums_, unsigned mesi_z_,
                                                     int mesi_element_)
{
  const size_t mesi_blocks_ = (size_t)gridDim.x * gridDim.y,
               mesi_block_ = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
  char *mesi_first_ =
      (char *)mesi_sums_.parts + MesiBefore * mesi_blocks_ * gridDim.z * MesiElements;
  return (MesiNumber *)mesi_first_ + (mesi_block_ * gridDim.z + mesi_z_) * MesiElements +
         mesi_element_;
}

template <typename MesiNumber, int MesiBefore, int MesiElements>
static __device__ inline void mesi_sums_put(const mesi_sums &mesi_sums_, unsigned mesi_z_,
                                            int mesi_element_, MesiNumber mesi_value_)
{
  *mesi_sums_place<MesiNumber, MesiBefore, MesiElements>(mesi_sums_, mesi_z_, mesi_element_) =
      mesi_value_;
}

/* After mesi_sums_last: a part of another block. */
template <typename MesiNumber, int MesiBefore, int MesiElements>
static __device__ inline MesiNumber mesi_sums_get(const mesi_sums &mesi_sums_, unsigned mesi_z_,
                                                  int mesi_element_)
{
  return *mesi_sums_place<MesiNumber, MesiBefore, MesiElements>(mesi_sums_, mesi_z_, mesi_element_);
}

/* Parts meet in a tree: at level 0 those of blocks 0 ... 3, 4 ... 7 and so on along z, at level 1
 * their results, four at a time. The part of a node is in the place of its first block's part. */
static __device__ inline int mesi_sums_levels()
{
  int mesi_levels_ = 0;
  for (unsigned mesi_all_ = 1; mesi_all_ < gridDim.z; mesi_all_ *= MESI_SUMS_FAN) mesi_levels_++;
  return mesi_levels_;
}

/* blocks of a node that meets others at this level */
static __device__ inline unsigned mesi_sums_span(int mesi_level_) { return 1u << 2 * mesi_level_; }

/* The block in whose place node `mesi_which_` is, among those that meet at this level;
 * mesi_sums_nodes: their number. */
static __device__ inline int mesi_sums_node(int mesi_level_, int mesi_which_)
{
  const unsigned mesi_span_ = mesi_sums_span(mesi_level_);
  return (int)(blockIdx.z / (mesi_span_ * MESI_SUMS_FAN) * (mesi_span_ * MESI_SUMS_FAN) +
               mesi_span_ * mesi_which_);
}

static __device__ inline int mesi_sums_nodes(int mesi_level_)
{
  const unsigned mesi_span_ = mesi_sums_span(mesi_level_),
                 mesi_left_ =
                     (gridDim.z - mesi_sums_node(mesi_level_, 0) + mesi_span_ - 1) / mesi_span_;
  return (int)(mesi_left_ < MESI_SUMS_FAN ? mesi_left_ : MESI_SUMS_FAN);
}

/* After the parts of all threads of the block: is it the last of so many blocks that count there?
 * All threads call it, and all get the same result. The checker does not follow an order over
 * several blocks: it gets one place for all blocks that share a sum. */
static __device__ inline bool mesi_sums_arrive(unsigned *mesi_arrived_, unsigned mesi_blocks_,
                                               const unsigned *mesi_all_)
{
  __shared__ bool mesi_last_;

  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    __threadfence();
#if defined(MESI_CPU_H)
    mesi_check_order(mesi_all_);
#else
    (void)mesi_all_;
#endif
    mesi_last_ = atomicAdd(mesi_arrived_, 1u) == mesi_blocks_ - 1;
    if (mesi_last_) *mesi_arrived_ = 0;
    __threadfence();
  }
  __syncthreads();
  return mesi_last_;
}

/* Is the block the last of all that share its sums? */
static __device__ inline bool mesi_sums_last(const mesi_sums &mesi_sums_)
{
  unsigned *mesi_arrived_ = mesi_sums_.arrived + ((size_t)blockIdx.y * gridDim.x + blockIdx.x);
  return mesi_sums_arrive(mesi_arrived_, gridDim.z, mesi_arrived_);
}

/* Is it the last of those that meet at this level? Level 0 counts at 0, 4, 8 ..., level 1 at 1, 17,
 * 33 ..., and so on. */
static __device__ inline bool mesi_sums_last(const mesi_sums &mesi_sums_, int mesi_level_)
{
  unsigned *mesi_all_ =
      mesi_sums_.arrived + ((size_t)blockIdx.y * gridDim.x + blockIdx.x) * gridDim.z;
  return mesi_sums_arrive(mesi_all_ + mesi_sums_node(mesi_level_, 0) + mesi_level_,
                          (unsigned)mesi_sums_nodes(mesi_level_), mesi_all_);
}

#endif
