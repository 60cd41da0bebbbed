/* SPDX-License-Identifier: MIT */
/* mesi_plan.h - launches whose arguments choose the arrays to stage. Included by mesi_cuda.h and
 * mesi_cpu.h, after the declaration of dim3. C++14 or later.
 */
#ifndef MESI_PLAN_H
#define MESI_PLAN_H

#include <cstdint>

#include "mesi_segments.h"

inline mesi_plan &mesi_planned() /* of the launch that this thread is making */
{
  static thread_local mesi_plan plan;
  return plan;
}

/* Access to its members for sources that have macros with their names. */
inline unsigned mesi_planned_bytes() { return mesi_planned().bytes; }
inline const long long *mesi_planned_value() { return mesi_planned().value; }

/* Finds the values of number `slot`: bounds of elements of a table, or of the object behind a
 * pointer. */
inline void mesi_plan_inspect(unsigned slot, const volatile void *table, unsigned element,
                              bool is_signed, std::ptrdiff_t begin = -PTRDIFF_MAX,
                              std::ptrdiff_t end = PTRDIFF_MAX)
{
  mesi_plan &plan = mesi_planned();
  plan.known &= ~(1u << slot);
  if (mesi_plan_table((const void *)table, begin, end, element, is_signed, &plan.value[2 * slot]))
    plan.known |= 1u << slot;
}

inline void mesi_plan_measure(unsigned slot, const volatile void *pointer,
                              unsigned long long element)
{
  mesi_plan &plan = mesi_planned();
  plan.known &= ~(1u << slot);
  if (mesi_plan_extent((const void *)pointer, element, &plan.value[2 * slot]))
    plan.known |= 1u << slot;
}

/* Are the values of these numbers known? */
inline bool mesi_plan_knows(unsigned slots) { return (mesi_planned().known & slots) == slots; }

/* An array for mesi_plan_launch; sizes may have any integer type. */
inline mesi_plan_array mesi_plan_of(bool condition, std::size_t element, double accesses,
                                    std::initializer_list<long long> sizes,
                                    bool only_beside = false, bool segments = false,
                                    double reuse = 0)
{
  mesi_plan_array array = {};
  array.condition = condition;
  array.element = (unsigned)element;
  array.accesses = accesses;
  array.only_beside = only_beside;
  array.segments = segments;
  array.reuse = reuse;
  for (long long size : sizes) array.size[array.dims++] = size;
  return array;
}

/* The same with rows that begin an odd number of elements apart. */
inline mesi_plan_array mesi_plan_odd(mesi_plan_array array)
{
  array.odd_rows = true;
  return array;
}

inline void mesi_plan_launch(dim3 block, unsigned long long capacity, double reuse,
                             std::initializer_list<mesi_plan_array> arrays)
{
  mesi_plan_choose(arrays.begin(), (unsigned)arrays.size(), capacity,
                   (unsigned long long)block.x * block.y * block.z, reuse, &mesi_planned());
  mesi_plan_note(&mesi_planned());
}

/* The same where one array has segments: segments that do not fit stay in device memory. */
inline void mesi_plan_launch_segments(dim3 block, unsigned long long capacity, double reuse,
                                      std::initializer_list<mesi_plan_array> arrays)
{
  mesi_plan_array some[MESI_PLAN_ARRAYS];
  unsigned count = 0;
  bool partly = mesi_planned_segments().staged < mesi_planned_segments().count;
  for (const mesi_plan_array &array : arrays) {
    mesi_planned_segments().even &= array.condition || !array.segments;
    mesi_planned_segments().grouped &= array.condition || !array.segments;
    some[count] = array;
    some[count].condition = array.condition && (!partly || array.segments);
    count++;
  }
  mesi_plan_choose(some, count, capacity, (unsigned long long)block.x * block.y * block.z, reuse,
                   &mesi_planned());
  mesi_plan_note(&mesi_planned());
}

/* Iterations of a loop whose last one is `span` after its first; none where that is negative. */
inline double mesi_trips(long long span, long long step)
{
  return span < 0 ? 0.0 : (double)(span / step + 1);
}

/* The set of arrays whose kernel a launch takes, of `each` sets: the last stages some segments. */
inline unsigned mesi_plan_set(unsigned each)
{
  const mesi_segments &segments = mesi_planned_segments();
  unsigned staged = mesi_planned().staged;
  if (!staged) return 0;
  return segments.staged < segments.count ? each - 1 : segments.row_set ? segments.row_set : staged;
}

/* The kernel for the arrays that the plan stages: kernels[i] stages those whose bits are set in
 * i. */
template <class MesiK, class... MesiR> inline MesiK *mesi_plan_kernel(MesiK *first, MesiR *...rest)
{
  MesiK *const kernels[] = {first, rest...};
  return kernels[mesi_planned().staged];
}

/* The same with a set of `each` kernels for every number of segments from 1 to `numbers`. */
template <class MesiK, class... MesiR>
inline MesiK *mesi_plan_kernel_number(long long number, unsigned numbers, unsigned each,
                                      MesiK *first, MesiR *...rest)
{
  MesiK *const kernels[] = {first, rest...};
  return kernels[(number > 0 && number <= numbers ? (unsigned)number : 0) * each +
                 mesi_plan_set(each)];
}

/* The same with all kernels once more for launches whose segments have an even table. `numbers` 0:
 * none for a number of segments. */
template <class MesiK, class... MesiR>
inline MesiK *mesi_plan_kernel_even(long long number, unsigned numbers, unsigned each, MesiK *first,
                                    MesiR *...rest)
{
  MesiK *const kernels[] = {first, rest...};
  const mesi_segments &segments = mesi_planned_segments();
  bool even = segments.even && segments.count > 0;
  return kernels[((even ? 1 + numbers : 0) +
                  (number > 0 && number <= numbers ? (unsigned)number : 0)) *
                     each +
                 mesi_plan_set(each)];
}

/* A kernel that runs inner * outer iterations of a loop at once, for a number of segments (0: for
 * no particular number). Segments whose bits are not set have the same base for neighbours
 * (differs[0]), or for groups of them (differs[1]). */
template <class MesiK> struct mesi_numbered {
  long long number;
  unsigned differs[2];
  MesiK *kernel;
};

/* the cache's room for a block, in elements, and the elements of a segment that its threads use at
 * most */
struct mesi_room {
  double elements, used;
};

/* The room for a block with `cache` bytes for each thread. `accesses` of a thread to all segments
 * that could be staged, between two changes of their bases. */
inline mesi_room mesi_numbered_room(dim3 block, unsigned cache, unsigned element, double accesses)
{
  double threads = (double)block.x * block.y * block.z, staged = mesi_planned_segments().staged;
  return mesi_room{threads * cache / element, staged > 0 ? threads * accesses / staged : 1e300};
}

/* Among the versions that suit the launch, the one with the fewest loads. `kernel` where there is
 * none, where an array is staged, or where the elements of the iterations do not stay in the
 * cache. */
template <class MesiK>
inline MesiK *mesi_plan_kernel_numbered(long long number, bool condition, unsigned inner,
                                        unsigned outer, mesi_room room, MesiK *kernel,
                                        std::initializer_list<mesi_numbered<MesiK>> versions)
{
  const mesi_segments &segments = mesi_planned_segments();
  unsigned least = 0;
  if (!condition || !segments.grouped || segments.count < 1 || mesi_planned().staged) return kernel;
  for (const mesi_numbered<MesiK> &version : versions) {
    unsigned loads = 0;
    double used = 0;
    for (int i = 0; i < segments.count && i < 32; i++) {
      unsigned times =
          (version.differs[0] >> i & 1 ? inner : 1) * (version.differs[1] >> i & 1 ? outer : 1);
      loads += times;
      used += times * (segments.length[i] < room.used ? segments.length[i] : room.used);
    }
    if (used > room.elements || version.number != number ||
        segments.differs[0] & ~version.differs[0] || segments.differs[1] & ~version.differs[1] ||
        (least && loads >= least))
      continue;
    kernel = version.kernel;
    least = loads;
  }
  return kernel;
}

/* The same with one more kernel, for launches that stage some segments of an array; before it,
 * there may be one for rows that have an end. */
template <class MesiK, class... MesiR>
inline MesiK *mesi_plan_kernel_segments(MesiK *first, MesiR *...rest)
{
  MesiK *const kernels[] = {first, rest...};
  return kernels[mesi_plan_set(1 + sizeof...(rest))];
}

#endif
