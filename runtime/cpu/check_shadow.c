/* SPDX-License-Identifier: MIT */
/* check_shadow.c - an access: its bounds, and its races with the records of its memory.
 *
 *     write by thread 4 of s[5], then read of s[5] by thread 5 in the same epoch
 *       cell of s[5]: writer = {epoch, 4}   =>   the read finds a writer without an order: a race
 *
 * An access replaces the records that are ordered before it: a later access that races with such a
 * record races with this access too, or follows it. Two decisions wait. Whether two writes are of
 * equal values is decided after the second has happened. Whether a read of shared memory reads
 * unwritten bytes, or races with a write, is decided at the end of the epoch.
 */
#include "check_internal.h"

#include <string.h>

struct check check = {.next = 1, .floor = 1, .first_known = 1};
__thread struct check_block *check_block;

struct access {
  struct check_block *block;
  struct object *object;
  const char *address;
  size_t element;
  const struct mesi_check_site *site;
  unsigned mode, thread;
  uint32_t floor; /* records of lower epochs come before this one, for example other blocks' of
                     shared memory */
  bool reported;  /* the access has had its message */
};

/* ---- writes of equal values ---- */

static struct { /* a write over another one, before it happens */
  bool open, is_race;
  const char *address;
  size_t size;
  unsigned char before[16];
  struct cell *cells;
  size_t count;
  enum problem problem; /* the race, with its detail */
  struct party me, them;
  long long element;
} second_write;

void check_settle(void)
{
  if (!second_write.open) return;
  second_write.open = false;
  if (!memcmp(second_write.address, second_write.before, second_write.size)) return;
  for (size_t i = 0; i < second_write.count; i++) second_write.cells[i].writer.who |= RECORD_VALUES;
  if (second_write.is_race)
    check_problem(second_write.problem, &second_write.me, &second_write.them, " (element %lld)",
                  second_write.element);
}

static bool expect_write(const struct access *a, size_t size, struct cell *cells, size_t count,
                         bool is_race)
{
  if (size > sizeof second_write.before) return false;
  second_write.open = true;
  second_write.is_race = is_race;
  second_write.address = a->address;
  second_write.size = size;
  second_write.cells = cells;
  second_write.count = count;
  memcpy(second_write.before, a->address, size);
  return true;
}

/* ---- races ---- */

static long long element_of(const struct access *a)
{
  long long distance = a->address - a->object->start,
            size = (long long)(a->element ? a->element : 1);
  return distance >= 0 ? distance / size : -((-distance + size - 1) / size);
}

static void race(struct access *a, struct record earlier, const char *verb)
{
  if (a->reported) return;
  a->reported = true;
  bool same = check_block_of(earlier.epoch) == a->block->block && !(earlier.who & RECORD_BLOCKS);
  enum problem problem = same ? PROBLEM_RACE_BLOCK : PROBLEM_RACE_GRID;
  struct party me = check_me(a->site, a->mode), them = check_them(earlier, verb);
  check_problem(problem, &me, &them, " (element %lld)", element_of(a));
}

/* Notes the race of two plain writes: it is one once the values are known to differ. */
static void race_of_writes(struct access *a, struct record earlier, size_t size, struct cell *cells,
                           size_t count)
{
  bool decided = (a->mode & MESI_CHECK_READ) || (a->mode & MESI_CHECK_IS_ATOMIC) ||
                 (earlier.who & RECORD_VALUES);
  if (decided || a->reported || !expect_write(a, size, cells, count, true)) {
    race(a, earlier, "write");
    return;
  }
  a->reported = true;
  bool same = check_block_of(earlier.epoch) == a->block->block && !(earlier.who & RECORD_BLOCKS);
  second_write.problem = same ? PROBLEM_RACE_BLOCK : PROBLEM_RACE_GRID;
  second_write.me = check_me(a->site, a->mode);
  second_write.them = check_them(earlier, "write");
  second_write.element = element_of(a);
}

static inline bool is_mine(const struct access *a, struct record r)
{
  return r.epoch == a->block->epoch && r.who >> 22 == a->thread && !(r.who & RECORD_SEVERAL);
}

static inline bool races(const struct access *a, struct record earlier)
{
  return earlier.epoch >= a->floor && !is_mine(a, earlier) &&
         !check_ordered(a->block, earlier, a->thread, a->address);
}

static inline struct record record_of(const struct access *a, unsigned flags)
{
  uint32_t clock = check_clock(a->block, a->thread);
  return (struct record){a->block->epoch, a->thread << 22 | clock << 6 | flags, a->site->id};
}

/* The distance of two concurrent accesses: lanes of a warp, warps, blocks. */
static unsigned distance(struct record a, struct record b)
{
  if (a.epoch != b.epoch) return check_block_of(a.epoch) != check_block_of(b.epoch) ? 3 : 0;
  return a.who >> 27 != b.who >> 27 ? 2 : a.who >> 22 != b.who >> 22;
}

static inline bool same_thread(struct record a, struct record b)
{
  return a.epoch == b.epoch && a.who >> 22 == b.who >> 22;
}

static void note_reader(const struct access *a, struct cell *cell, struct record mine)
{
  struct record *first = &cell->reader[0], *second = &cell->reader[1];
  bool apart = first->epoch >= a->floor && second->epoch >= a->floor && !a->block->acquired_count;
  if (apart && distance(*first, *second) == 3 && check_block_of(first->epoch) != a->block->block &&
      check_block_of(second->epoch) != a->block->block)
    return; /* a later write races with one of them */
  if (same_thread(*first, mine) || !races(a, *first))
    *first = mine;
  else if (same_thread(*second, mine) || !races(a, *second) ||
           distance(*first, mine) > distance(*first, *second))
    *second = mine;
}

static void note_atomic(const struct access *a, struct cell *cell, struct record mine)
{
  struct record earlier = cell->atomic;
  unsigned shared = earlier.who & RECORD_SHARED,
           apart = earlier.epoch >= a->floor ? distance(earlier, mine) : 0;
  bool before = earlier.epoch < a->floor ||
                (earlier.epoch != mine.epoch && apart == 0 && !(shared & RECORD_BLOCKS));
  if (!before) {
    mine.who |= shared | (same_thread(earlier, mine) ? 0 : RECORD_SEVERAL);
    mine.who |= apart == 3 ? RECORD_BLOCKS : apart == 2 ? RECORD_WARPS : 0;
  }
  cell->atomic = mine;
}

/* Reports a read of a staged copy whose source another block wrote. */
static void read_stale(struct access *a, const struct cell *cell)
{
  struct record source = cell->atomic;
  if (a->reported || source.epoch < check.floor) return;
  a->reported = true;
  struct party me = check_me(a->site, a->mode), them = check_them(source, "write");
  check_problem(PROBLEM_RACE_GRID, &me, &them, " (element %lld of the copy)", element_of(a));
}

static inline void peek_cell(struct access *a, const struct cell *cell)
{
  if (races(a, cell->writer))
    a->block->peeked = cell->writer;
  else if (races(a, cell->atomic))
    a->block->peeked = cell->atomic;
}

static inline void read_cell(struct access *a, const struct cell *cell, bool gentle)
{
  if (cell->writer.who & RECORD_STALE) read_stale(a, cell);
  if (races(a, cell->writer)) race(a, cell->writer, "write");
  if (!gentle && races(a, cell->atomic)) race(a, cell->atomic, "atomic write");
}

static inline void write_cell(struct access *a, const struct cell *cell, bool gentle)
{
  if (!gentle && races(a, cell->atomic)) race(a, cell->atomic, "atomic write");
  for (unsigned i = 0; i < 2; i++)
    if (races(a, cell->reader[i]) && !(gentle && (cell->reader[i].who & RECORD_VOLATILE)))
      race(a, cell->reader[i], "read");
}

/* The flags of a plain write's record: whether others wrote too, and whether there were several
 * values. */
static inline unsigned write_flags(const struct access *a, const struct record *earlier,
                                   const struct record *mine, bool raced)
{
  unsigned flags = 0, apart;
  if (raced) {
    apart = distance(*earlier, *mine);
    flags = (earlier->who & RECORD_SHARED) | RECORD_SEVERAL |
            (apart == 3   ? RECORD_BLOCKS
             : apart == 2 ? RECORD_WARPS
                          : 0);
  }
  if (same_thread(*earlier, *mine)) flags |= earlier->who & RECORD_VALUES;
  if (same_thread(*earlier, *mine) && (a->mode & MESI_CHECK_READ)) flags |= RECORD_VALUES;
  return flags;
}

/* `gentle`: atomic, or volatile and in device memory. */
static inline void touch_cell(struct access *a, struct cell *cells, size_t i, size_t count,
                              size_t size, bool gentle)
{
  struct cell *cell = &cells[i];
  struct record mine = record_of(a, gentle ? RECORD_VOLATILE : 0);
  if (a->mode & MESI_CHECK_PEEK) {
    peek_cell(a, cell);
    return;
  }
  if (!(a->mode & MESI_CHECK_WRITE)) {
    if (same_thread(cell->reader[0], mine) && !races(a, cell->writer) &&
        cell->atomic.epoch < a->floor && !(cell->writer.who & RECORD_STALE)) {
      cell->reader[0] = mine;
      return;
    }
    read_cell(a, cell, gentle);
    note_reader(a, cell, mine);
    return;
  }
  bool raced = races(a, cell->writer);
  write_cell(a, cell, gentle);
  if (raced) race_of_writes(a, cell->writer, size, cells, count);
  if (gentle) {
    note_atomic(a, cell, mine);
    return;
  }
  bool again = same_thread(cell->writer, mine),
       stale = (a->mode & MESI_CHECK_STAGE) && a->block->peeked.epoch;
  if (stale) {
    mine.who |= RECORD_STALE;
    cell->atomic = a->block->peeked;
  }
  if ((cell->writer.who & RECORD_STALE) && (a->mode & MESI_CHECK_READ)) read_stale(a, cell);
  mine.who |= write_flags(a, &cell->writer, &mine, raced);
  cell->writer = mine;
  if (a->mode & MESI_CHECK_READ)
    note_reader(a, cell, mine);
  else if (again && i == 0 && !second_write.open && !(mine.who & RECORD_VALUES))
    expect_write(a, size, cells, count, false);
}

/* ---- unwritten shared memory ---- */

static void await_writer(struct access *a, struct cell *cell)
{
  struct check_block *block = a->block;
  for (unsigned i = 0; i < block->waiting_count; i++)
    if (block->waiting[i].cell == cell && block->waiting[i].site == a->site &&
        block->waiting[i].thread == a->thread)
      return;
  if (block->waiting_count == WAITING_MOST) check_settle_reads(block);
  block->waiting[block->waiting_count++] =
      (struct waiting_read){cell, a->site, a->thread, block->epoch, element_of(a)};
}

void check_settle_reads(struct check_block *block)
{
  for (unsigned i = 0; i < block->waiting_count; i++) {
    const struct waiting_read *r = &block->waiting[i];
    bool raced = r->cell->writer.epoch == r->epoch && r->cell->writer.who >> 22 != r->thread;
    struct party me = check_me(r->site, MESI_CHECK_READ);
    me.thread = r->thread;
    if (!raced) check_problem(PROBLEM_UNWRITTEN, &me, NULL, " (element %lld)", r->element);
  }
  block->waiting_count = 0;
}

/* ---- bounds ---- */

/* Was the thread's last index out of range, which led here, already reported? */
static bool is_told(const struct access *a)
{
  const struct mesi_check_site *bad = a->block->bad_index;
  return bad && a->block->bad_thread == a->thread && bad->file == a->site->file &&
         bad->line == a->site->line && bad->column == a->site->column;
}

/* Reports an access outside of the object that it is near. */
static int refuse(struct access *a)
{
  struct party me = check_me(a->site, a->mode);
  if (is_told(a)) return 0;
  struct object *object = a->object;
  long long elements = (long long)(object->bytes / (a->element ? a->element : 1));
  if (object->freed && !object->bytes)
    check_problem(PROBLEM_FREED, &me, NULL, " (%s)", object->what);
  else if (object->freed)
    check_problem(PROBLEM_FREED, &me, NULL, ": it was %zu bytes (%s)", object->bytes, object->what);
  else
    check_problem(PROBLEM_BOUNDS, &me, NULL, ": element %lld of %lld (%zu bytes, %s)",
                  element_of(a), elements, object->bytes, object->what);
  return 0;
}

static int unknown_address(struct access *a)
{
  struct party me = check_me(a->site, a->mode);
  if ((uintptr_t)a->address < 65536) {
    check_problem(PROBLEM_NULL, &me, NULL, ": address %p", (const void *)a->address);
    return 0;
  }
  if (!(a->site->flags & MESI_CHECK_IN_SHARED) || a->block->trusts) return 1;
  if (is_told(a)) return 0;
  check_problem(PROBLEM_BOUNDS, &me, NULL,
                ": no shared memory is there (%zu bytes of dynamic shared memory)",
                a->block->dynamic.bytes);
  return 0;
}

/* ---- the interface ---- */

static inline bool in_bounds(const struct object *object, const char *address, size_t size)
{
  return address >= object->start && address + size <= object->start + object->bytes;
}

static void touch(struct access *a, size_t size)
{
  struct object *object = a->object;
  size_t offset = (size_t)(a->address - object->start);
  struct cell *cell = check_cells(object, offset, size);
  if (!cell) mesi_cpu_fail("no memory for the checker");
  size_t count = (size + object->granule - 1) / object->granule;
  bool shared = object->kind == OBJECT_SHARED;
  a->floor = shared ? a->block->first : check.floor;
  bool gentle = (a->mode & MESI_CHECK_IS_ATOMIC) || ((a->mode & MESI_CHECK_VOLATILE) && !shared);
  bool unwritten = false;
  for (size_t i = 0; i < count; i++) {
    struct cell *at = &cell[i];
    if (shared && (a->mode & MESI_CHECK_READ) && !a->block->trusts && !unwritten &&
        at->writer.epoch < a->block->first && at->atomic.epoch < a->block->first) {
      await_writer(a, at);
      unwritten = true;
    }
    touch_cell(a, cell, i, count, size, gentle);
  }
  if (gentle) check_atomic(a->block, a->address, a->thread, a->mode);
}

int mesi_check_access(const volatile void *address, size_t size, size_t element,
                      const struct mesi_check_site *site, unsigned mode)
{
  struct check_block *block = check_block;
  if (!block || !block->worker->launch) return 1;
  if (second_write.open) check_settle();
  check.accesses++;
  struct access a = {.block = block,
                     .address = (const char *)(uintptr_t)address,
                     .element = element,
                     .site = site,
                     .mode = mode,
                     .thread = block->worker->current};
  a.object = block->last;
  if (!a.object || a.address < block->low || a.address + size > block->high) {
    a.object = check_find(block, a.address);
    if (!a.object) return unknown_address(&a);
    struct object part, *limits = check_part(a.object, a.address, &part) ? &part : a.object;
    if (a.object->freed || limits->freed || !in_bounds(limits, a.address, size)) {
      if (!a.object->freed) a.object = limits;
      return refuse(&a);
    }
    block->last = a.object;
    block->low = limits->start;
    block->high = limits->start + limits->bytes;
  }
  if (mode & MESI_CHECK_PEEK) block->peeked.epoch = 0;
  touch(&a, size);
  return 1;
}
