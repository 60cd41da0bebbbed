/* SPDX-License-Identifier: MIT */
/* mesi_segments.h - copies in shared memory made of segments, each with a base of its own in device
 * memory. Included by mesi_plan.h. C++14 or later.
 */
#ifndef MESI_SEGMENTS_H
#define MESI_SEGMENTS_H

#include <initializer_list>

enum { MESI_SEGMENTS = 64, MESI_SEGMENT_KEYS = 24, MESI_SEGMENT_TABLES = 9 };

/* passed to the kernel by value; positions of segment i are low[i] ... low[i] + length[i] - 1 */
struct mesi_segments {
  int count, elements;       /* segments; elements of the copy, 0: not known */
  int staged;                /* segments with a length: those that fit */
  double share;              /* staged / count */
  int at[MESI_SEGMENTS];     /* where the segment begins in the copy */
  int length[MESI_SEGMENTS]; /* 0: it stays in device memory */
  int low[MESI_SEGMENTS];
  int shift[MESI_SEGMENTS]; /* at - low */
  /* Rows of segment i begin an element later than they would one behind the other: 2^32 over the
   * elements of a row, rounded up; 0: they do not. */
  unsigned rows[MESI_SEGMENTS];
  int row_low[MESI_SEGMENTS]; /* the least of the table that tells the row */
  unsigned row_set;           /* of arrays: the kernel that knows of rows; 0: as without */
  /* a table of the position is even for all segments: its element i is first + i * increment */
  bool even;
  int first[MESI_SEGMENTS];
  int increment[MESI_SEGMENTS];
  bool grouped; /* the bases that iterations of a loop share are known */
  /* bit i: the base of segment i differs between neighbours (0), between groups of them (1) */
  unsigned differs[2];
};

struct mesi_bounds {
  long long low, high;
  bool known;
};

inline mesi_bounds mesi_bounds_of(bool known, long long low, long long high)
{
  return mesi_bounds{low, high, known};
}

/* The kernels that know of rows. */
struct mesi_row_kernels {
  unsigned set;     /* their number among sets of arrays; 0: there is none for any number */
  unsigned numbers; /* there are others for 1, 2, ... segments, also where some are not staged */
  long long most;   /* elements of a copy */
};

/* The data on which the segments of the last launch at this place rested, for the next one. */
struct mesi_segments_memory {
  struct look {
    const void *table;
    unsigned element;
    long long first, last;
    unsigned long long stamp;
  };

  bool kept = false;
  unsigned keys = 0, looks = 0;
  long long key[MESI_SEGMENT_KEYS];
  look seen[MESI_SEGMENT_TABLES];
  double longest[MESI_SEGMENTS];    /* elements up to which a copy is worth it; below 0: any */
  mesi_plan_row row[MESI_SEGMENTS]; /* by which lanes are apart; no elements: none */
  mesi_row_kernels row_kernels;
  mesi_segments segments;
};

inline long long mesi_shape_key(dim3 shape)
{
  return (long long)(((unsigned long long)shape.z << 48) + ((unsigned long long)shape.y << 32) +
                     shape.x);
}

inline mesi_segments &mesi_planned_segments() /* of the launch that this thread is making */
{
  static thread_local mesi_segments segments;
  return segments;
}

/* Notes that elements first to last of table number `i` are looked at. */
inline void mesi_segments_look(mesi_segments_memory &memory, unsigned i, const volatile void *table,
                               unsigned element, long long first, long long last)
{
  mesi_segments_memory::look &look = memory.seen[i];
  bool again = i < memory.looks;
  look.first = again && look.first < first ? look.first : first;
  look.last = again && look.last > last ? look.last : last;
  look.table = (const void *)table;
  look.element = element;
  memory.looks = again ? memory.looks : i + 1;
}

/* The least and the greatest of the elements first, first + step, ... last of table number `i`. */
inline mesi_bounds mesi_plan_elements(mesi_segments_memory &memory, unsigned i,
                                      const volatile void *table, unsigned element, bool is_signed,
                                      long long first, long long last, long long step)
{
  long long bounds[2] = {0, -1};
  bool known =
      mesi_plan_strided((const void *)table, first, last, step, element, is_signed, bounds) != 0;
  mesi_segments_look(memory, i, table, element, first, last);
  return mesi_bounds{bounds[0], bounds[1], known};
}

/* The same where first ... last must be a range of unsigned ints. */
inline mesi_bounds mesi_plan_elements_unsigned(mesi_segments_memory &memory, unsigned i,
                                               const volatile void *table, unsigned element,
                                               bool is_signed, long long first, long long last,
                                               long long step)
{
  mesi_bounds bounds = mesi_plan_elements(memory, i, table, element, is_signed, first, last, step);
  bounds.known = bounds.known && first >= 0 && last < 1ll << 32;
  return bounds;
}

/* Are these elements, which belong to segment `i`, even? */
inline void mesi_plan_evenly(long long i, const volatile void *table, unsigned element,
                             bool is_signed, long long first, long long last, long long step)
{
  mesi_segments &segments = mesi_planned_segments();
  int found[2] = {0, 0};
  segments.even = segments.even && mesi_plan_even((const void *)table, first, last, step, element,
                                                  is_signed, found) != 0;
  segments.first[i] = found[0];
  segments.increment[i] = found[1];
}

/* Compares these elements, the bases of segment `segment` in iterations 0, 1, ..., in groups of
 * inner * outer iterations. */
inline void mesi_plan_grouping(mesi_segments_memory &memory, unsigned i, long long segment,
                               const volatile void *table, unsigned element, bool is_signed,
                               long long first, long long last, long long step, unsigned inner,
                               unsigned outer)
{
  mesi_segments &segments = mesi_planned_segments();
  int bits = segment < 32 ? mesi_plan_groups((const void *)table, first, last, step, element,
                                             is_signed, inner, outer)
                          : -1;
  segments.grouped = segments.grouped && bits >= 0;
  for (unsigned k = 0; k < 2 && bits >= 0; k++)
    segments.differs[k] |= ((unsigned)bits >> k & 1) << segment;
  mesi_segments_look(memory, i, table, element, first, last);
}

/* A copy of segment `segment` serves the accesses of all iterations up to the next one that changes
 * its base, one of these elements. It is worth its loads where each element serves two accesses or
 * more. `accesses`: of a block in an iteration, to this segment. */
inline void mesi_plan_worth(mesi_segments_memory &memory, unsigned i, long long segment,
                            double accesses, const volatile void *table, unsigned element,
                            bool is_signed, long long first, long long last, long long step)
{
  long long changes = mesi_plan_changes((const void *)table, first, last, step, element);
  (void)is_signed;
  if (changes < 1) return;
  double iterations = (double)((last - first) / step + 1);
  memory.longest[segment] = accesses * iterations / (double)changes / 2;
  mesi_segments_look(memory, i, table, element, first, last);
}

/* Are lanes of a warp rows of segment `segment` apart? The elements tell where each thread is. */
inline void mesi_plan_rows(mesi_segments_memory &memory, mesi_row_kernels kernels,
                           long long segment, unsigned size, const volatile void *table,
                           unsigned element, bool is_signed, long long first, long long last,
                           long long step)
{
  mesi_plan_row &row = memory.row[segment];
  if (!mesi_plan_rows_of((const void *)table, first, last, step, element, is_signed, size, &row))
    row.elements = 0;
  memory.row_kernels = kernels;
}

inline double mesi_threads_of(dim3 block) { return (double)block.x * block.y * block.z; }

inline bool mesi_segments_recall(const mesi_segments_memory &memory,
                                 std::initializer_list<long long> key)
{
  bool same = memory.kept && memory.keys == key.size();
  for (unsigned i = 0; same && i < memory.keys; i++) same = memory.key[i] == key.begin()[i];
  for (unsigned i = 0; same && i < memory.looks; i++) {
    const mesi_segments_memory::look &look = memory.seen[i];
    same = look.stamp &&
           mesi_plan_stamp(look.table, look.first, look.last, look.element) == look.stamp;
  }
  if (same) mesi_planned_segments() = memory.segments;
  return same;
}

inline void mesi_segments_keep(mesi_segments_memory &memory, std::initializer_list<long long> key)
{
  memory.kept = key.size() <= MESI_SEGMENT_KEYS;
  memory.keys = 0;
  for (long long value : key)
    if (memory.kept) memory.key[memory.keys++] = value;
  for (unsigned i = 0; i < memory.looks; i++) {
    mesi_segments_memory::look &look = memory.seen[i];
    look.stamp = mesi_plan_stamp(look.table, look.first, look.last, look.element);
  }
  memory.segments = mesi_planned_segments();
}

/* Places the shortest segments one after the other, as far as there is room for them (0: all). */
inline void mesi_place_segments(mesi_segments &segments, long long room)
{
  long long elements = 0, longest = 0;
  int fitting = 0;
  for (int i = 0; i < segments.count; i++) elements += segments.length[i];
  /* segments of one length go together: the choice is the same in any order */
  while (room && elements > room) {
    longest = 0;
    for (int i = 0; i < segments.count; i++)
      longest = segments.length[i] > longest ? segments.length[i] : longest;
    for (int i = 0; i < segments.count && elements > room; i++)
      if (segments.length[i] == longest) {
        elements -= longest;
        segments.length[i] = 0;
      }
  }
  segments.elements = 0;
  for (int i = 0; i < segments.count; i++) {
    segments.at[i] = segments.elements;
    segments.shift[i] = segments.elements - segments.low[i];
    segments.elements += segments.length[i];
    fitting += segments.length[i] != 0;
  }
  segments.staged = fitting;
  segments.share = (double)fitting / segments.count;
}

/* Lets the rows of each staged segment begin an element later where that saves a request of the
 * banks for each access and there is room. Rows are exact where all but the table's element stays
 * within one: quotients of numbers below 2^16 are those of mesi_segment_row. */
inline void mesi_space_rows(mesi_segments &segments, const mesi_plan_row *row,
                            const mesi_row_kernels &kernels)
{
  const long long limit = 1 << 16;
  long long more[MESI_SEGMENTS], elements = segments.elements;
  double saved = 0;
  bool partly = segments.staged < segments.count,
       numbered = segments.count <= (long long)kernels.numbers;
  if (partly && !numbered) return;
  for (int i = 0; i < segments.count; i++) {
    const long long span = row[i].high - row[i].low, size = row[i].elements;
    const bool fits = size > 0 && segments.length[i] - 1 - span < size &&
                      segments.length[i] <= limit && size < limit;
    more[i] = fits && row[i].padded < row[i].requests && segments.length[i] ? span / size : 0;
    saved += more[i] ? row[i].requests - row[i].padded : 0;
    elements += more[i];
  }
  if (saved < segments.staged || elements > kernels.most || elements == segments.elements) return;
  for (int i = 0, behind = 0; i < segments.count; i++) {
    segments.at[i] += behind;
    segments.shift[i] += behind;
    behind += (int)more[i];
    segments.row_low[i] = more[i] ? (int)row[i].low : 0;
    segments.rows[i] =
        more[i] ? (unsigned)(((1ull << 32) + row[i].elements - 1) / row[i].elements) : 0;
  }
  segments.elements = (int)elements;
  segments.row_set = kernels.set;
}

/* Bounds the positions of each segment and places those that are not too long. */
template <class MesiB>
inline void mesi_place_segments(long long room, long long count, MesiB bounds,
                                const double *longest = nullptr)
{
  mesi_segments &segments = mesi_planned_segments();
  segments.count = segments.elements = segments.staged = 0;
  segments.share = 0;
  segments.even = segments.grouped = true;
  segments.differs[0] = segments.differs[1] = 0;
  segments.row_set = 0;
  for (unsigned &rows : segments.rows) rows = 0;
  for (int &low : segments.row_low) low = 0;
  if (count < 1 || count > MESI_SEGMENTS) return;
  segments.share = 1; /* for mesi_plan_worth: as if all fitted */
  for (int i = 0; i < (int)count; i++) {
    const mesi_bounds b = bounds(i);
    if (!b.known || b.high < b.low || b.low < -(1ll << 30) || b.high > 1ll << 30) {
      segments.share = 0;
      return;
    }
    segments.length[i] = b.high - b.low < 1 << 24 ? (int)(b.high - b.low + 1) : 1 << 24;
    segments.low[i] = (int)b.low;
    if (longest && longest[i] >= 0 && segments.length[i] > longest[i]) segments.length[i] = 0;
  }
  segments.count = (int)count;
  mesi_place_segments(segments, room);
}

/* The same for a launch, where `key` (values from the launch's arguments) or a table differs from
 * the last launch. */
template <class MesiB>
inline void mesi_plan_segments(mesi_segments_memory &memory, std::initializer_list<long long> key,
                               long long room, long long count, MesiB bounds)
{
  if (mesi_segments_recall(memory, key)) return;
  memory.looks = 0;
  for (double &longest : memory.longest) longest = -1;
  for (mesi_plan_row &row : memory.row) row.elements = 0;
  mesi_place_segments(room, count, bounds, memory.longest);
  mesi_space_rows(mesi_planned_segments(), memory.row, memory.row_kernels);
  mesi_segments_keep(memory, key);
}

/* The elements by which a place in a segment is further on: its row. */
static __device__ inline int mesi_segment_row(long long mesi_place_, unsigned mesi_rows_)
{
  return (int)((unsigned long long)(unsigned)mesi_place_ * mesi_rows_ >> 32);
}

/* An element of a table; outside of it 0, which no used value comes from. */
template <class MesiT>
static __device__ inline long long mesi_element(const MesiT *mesi_table_, long long mesi_at_,
                                                long long mesi_begin_, long long mesi_end_)
{
  return mesi_at_ >= mesi_begin_ && mesi_at_ < mesi_end_ ? (long long)mesi_table_[mesi_at_] : 0;
}

#endif
