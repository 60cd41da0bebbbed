/* SPDX-License-Identifier: MIT */
/* inspect.c - facts about a launch's arguments for its plan: the least and the greatest element of
 * a table or of a row or column of it, the step from one element to the next where it is constant,
 * and the number of elements of an object.
 *
 *     x[col[j]], col a VS object:     4 <= col[j] <= 1003 in the bytes that the launch reads
 *         =>  x[4 ... 1003] is used
 *
 * A table is read where its host copy is valid. It is never brought to the host: the host would
 * have to wait for the kernel that wrote it. The result is kept while the object's version is the
 * same and the bytes are on a device, where host writes are noticed. Gives up (not known): the
 * pointer leads to no VS object, the host's copy is stale, or another thread's launch writes the
 * table.
 */
#include <string.h>

#include "../device/device.h"
#include "../mesi.h"
#include "../object/slab.h"
#include "../transfer/register.h"
#include "rows.h"
#include "../trace/trace.h"
#include "../seeded.h"

enum { KEPT = 64 };

struct look { /* the result for a table */
  const struct mesi_object *object;
  uint64_t version; /* of the object */
  struct mesi_span span;
  size_t step; /* bytes from one inspected element to the next */
  unsigned element, is_signed;
  long long low, high;
  long long first, increment; /* element i is first + i * increment, where they are even */
  bool even;
};

static struct look kept[KEPT]; /* indexed by a hash of the object and the span */

static long long read_element(const char *at, unsigned size, int is_signed)
{
  union {
    int8_t s8;
    uint8_t u8;
    int16_t s16;
    uint16_t u16;
    int32_t s32;
    uint32_t u32;
    int64_t s64;
  } value;

  memcpy(&value, at, size);
  switch (size) {
  case 1: return is_signed ? value.s8 : value.u8;
  case 2: return is_signed ? value.s16 : value.u16;
  case 4: return is_signed ? value.s32 : (long long)value.u32;
  default: return value.s64;
  }
}

static void scan(struct look *look)
{
  const char *data = look->object->view;

  look->low = 0;
  look->high = -1;
  look->first = look->increment = 0;
  look->even = true;
  long long before = 0;
  size_t number = 0;
  for (size_t at = look->span.begin; at + look->element <= look->span.end;
       at += look->step, number++) {
    long long value = read_element(data + at, look->element, (int)look->is_signed);
    look->low = !number || value < look->low ? value : look->low;
    look->high = !number || value > look->high ? value : look->high;
    look->first = number ? look->first : value;
    long long increment =
        number ? (long long)((unsigned long long)value - (unsigned long long)before) : 0;
    look->increment = number == 1 ? increment : look->increment;
    look->even &= number < 2 || increment == look->increment;
    before = value;
  }
}

static struct look *place_of(const struct look *look)
{
  uintptr_t mix = (uintptr_t)look->object / 64 + look->span.begin / look->element * 31 +
                  look->span.end / look->element * 17;
  return &kept[mix % KEPT];
}

static bool same_look(const struct look *a, const struct look *b)
{
  return a->object == b->object && a->version == b->version && a->span.begin == b->span.begin &&
         a->span.end == b->span.end && a->step == b->step && a->element == b->element &&
         a->is_signed == b->is_signed;
}

static bool is_on_device(const struct mesi_object *object, struct mesi_span span)
{
  for (int device = 0; device < object->device_count; device++)
    if (mesi_ranges_contain(&object->device[device].valid, span)) return true;
  return false;
}

/* The elements between `begin` and `end` bytes behind the pointer, clipped to its variable or
 * block. */
static struct mesi_span span_of(const struct mesi_object *object, const void *table,
                                ptrdiff_t begin, ptrdiff_t end, unsigned element)
{
  struct mesi_span all = mesi_slab_span(object, table);
  ptrdiff_t at = (const char *)table - object->host, before = at - (ptrdiff_t)all.begin,
            behind = (ptrdiff_t)all.end - at;
  ptrdiff_t first = -(before / (ptrdiff_t)element) * (ptrdiff_t)element;

  if (mesi_span_empty(all)) return all;
  begin = begin < first ? first : begin;
  end = end > behind ? behind : end;
  return begin < end ? (struct mesi_span){(size_t)(at + begin), (size_t)(at + end)}
                     : (struct mesi_span){0, 0};
}

/* Would a host write be noticed? */
static bool is_watched(const struct mesi_object *object, struct mesi_span span)
{
  return object->constant || (object->mode != MESI_EAGER && is_on_device(object, span));
}

static bool look_at(struct mesi_object *object, struct mesi_span span, size_t step,
                    unsigned element, int is_signed, struct look *ret)
{
  struct look look = {.object = object,
                      .version = object->version,
                      .span = span,
                      .step = step,
                      .element = element,
                      .is_signed = is_signed != 0};
  struct look *place = place_of(&look);
  bool noticed = is_watched(object, look.span);

  if (object->writers || !mesi_ranges_contain(&object->host_valid, look.span)) return false;
  if (!noticed || !same_look(place, &look)) {
    scan(&look);
    if (noticed) *place = look;
  } else {
    look = *place;
  }
  *ret = look;
  return true;
}

static bool is_moderate(long long value) { return value >= -(1ll << 40) && value <= 1ll << 40; }

static int take_bounds(bool known, const struct look *look, long long ret_bounds[2])
{
  if (!known || !is_moderate(look->low) || !is_moderate(look->high)) return 0;
  ret_bounds[0] = look->low;
  ret_bounds[1] = look->high;
  return 1;
}

int mesi_plan_table(const void *table, ptrdiff_t begin, ptrdiff_t end, unsigned element,
                    int is_signed, long long ret_bounds[2])
{
  struct look look = {0};

  mesi_register_bind();
  if (mesi_object_reject(table)) return 0;
  mesi_lock_to_launch();
  struct mesi_object *object = mesi_object_of_pointer(table);
  bool known = object && look_at(object, span_of(object, table, begin, end, element), element,
                                 element, is_signed, &look);
  mesi_unlock();
  return take_bounds(known, &look, ret_bounds);
}

/* The span of elements first ... last, of `element` bytes each, behind the pointer. false: the
 * object lacks some of them. */
static bool strided_span(const struct mesi_object *object, const void *table, long long first,
                         long long last, unsigned element, struct mesi_span *ret)
{
  struct mesi_span all = mesi_slab_span(object, table);
  ptrdiff_t at = (const char *)table - object->host;

  if (mesi_span_empty(all) || first > last || !is_moderate(first) || !is_moderate(last))
    return false;
  long long begin = at + first * element, end = at + (last + 1) * element;
  if (begin < (long long)all.begin || end > (long long)all.end) return false;
  *ret = (struct mesi_span){(size_t)begin, (size_t)end};
  return true;
}

static bool look_at_strided(const void *table, long long first, long long last, long long step,
                            unsigned element, int is_signed, struct look *ret)
{
  struct mesi_span span;

  mesi_register_bind();
  if (step < 1 || !is_moderate(step) || mesi_object_reject(table)) return false;
  mesi_lock_to_launch();
  struct mesi_object *object = mesi_object_of_pointer(table);
  bool known = object && strided_span(object, table, first, last, element, &span) &&
               look_at(object, span, (size_t)step * element, element, is_signed, ret);
  mesi_unlock();
  return known;
}

int mesi_plan_strided(const void *table, long long first, long long last, long long step,
                      unsigned element, int is_signed, long long ret_bounds[2])
{
  struct look look = {0};
  bool known = look_at_strided(table, first, last, step, element, is_signed, &look);

  return take_bounds(known, &look, ret_bounds);
}

int mesi_plan_even(const void *table, long long first, long long last, long long step,
                   unsigned element, int is_signed, int ret[2])
{
  struct look look = {0};
  const long long most = 1ll << 30;
  bool known = look_at_strided(table, first, last, step, element, is_signed, &look);

  if (!known || !look.even || look.low < -most || look.high >= most || last - first >= most)
    return 0;
  ret[0] = (int)look.first;
  ret[1] = (int)look.increment;
  return 1;
}

/* The bits of mesi_plan_groups, for elements that are `step` bytes apart. */
static int compare_groups(const char *data, size_t count, size_t step, unsigned element,
                          unsigned inner, unsigned outer)
{
  int bits = 0;

  for (size_t group = 0; group + inner * outer <= count; group += inner * outer)
    for (unsigned i = 0; i < inner * outer; i++) {
      const char *at = data + (group + i) * step;
      bits |= memcmp(at, data + (group + i / inner * inner) * step, element) ? 1 : 0;
      bits |= memcmp(at, data + (group + i % inner) * step, element) ? 2 : 0;
    }
  return bits;
}

long long mesi_plan_changes(const void *table, long long first, long long last, long long step,
                            unsigned element)
{
  struct mesi_span span;
  long long changes = -1;

  mesi_register_bind();
  if (step < 1 || !is_moderate(step) || mesi_object_reject(table)) return -1;
  mesi_lock_to_launch();
  const struct mesi_object *object = mesi_object_of_pointer(table);
  if (object && strided_span(object, table, first, last, element, &span) && !object->writers &&
      mesi_ranges_contain(&object->host_valid, span)) {
    const char *data = object->view + span.begin;
    changes = 1;
    for (long long at = step; at <= last - first; at += step)
      changes += memcmp(data + at * element, data + (at - step) * element, element) != 0;
  }
  mesi_unlock();
  return changes;
}

int mesi_plan_groups(const void *table, long long first, long long last, long long step,
                     unsigned element, int is_signed, unsigned inner, unsigned outer)
{
  struct mesi_span span;
  int bits = -1;

  (void)is_signed;
  mesi_register_bind();
  if (step < 1 || !is_moderate(step) || mesi_object_reject(table)) return -1;
  mesi_lock_to_launch();
  const struct mesi_object *object = mesi_object_of_pointer(table);
  bool known = object && strided_span(object, table, first, last, element, &span) &&
               !object->writers && mesi_ranges_contain(&object->host_valid, span);
  size_t count = known ? (size_t)((last - first) / step) + 1 : 0;
  if (count >= (size_t)inner * outer)
    bits = compare_groups(object->view + span.begin, count, (size_t)step * element, element, inner,
                          outer);
  mesi_unlock();
  return bits;
}

int mesi_plan_rows_of(const void *table, long long first, long long last, long long step,
                      unsigned element, int is_signed, unsigned size, struct mesi_plan_row *ret)
{
  struct mesi_span span;
  bool found = false;

  mesi_register_bind();
  if (step < 1 || !is_moderate(step) || mesi_object_reject(table)) return 0;
  mesi_lock_to_launch();
  const struct mesi_object *object = mesi_object_of_pointer(table);
  if (object && strided_span(object, table, first, last, element, &span) && !object->writers &&
      mesi_ranges_contain(&object->host_valid, span)) {
    const struct mesi_places places = {object->view + span.begin,
                                       (size_t)((last - first) / step) + 1, (size_t)step * element,
                                       element, is_signed != 0};
    found = mesi_rows_find(&places, size, ret);
  }
  mesi_unlock();
  return found;
}

unsigned long long mesi_plan_stamp(const void *table, long long first, long long last,
                                   unsigned element)
{
  struct mesi_span span;
  unsigned long long stamp = 0;

  mesi_register_bind();
  if (mesi_object_reject(table)) return 0;
  mesi_lock_to_launch();
  const struct mesi_object *object = mesi_object_of_pointer(table);
  bool known = object && strided_span(object, table, first, last, element, &span) &&
               is_watched(object, span) && !object->writers &&
               mesi_ranges_contain(&object->host_valid, span);
  if (known) stamp = object->constant ? 1 : object->version + 1;
  mesi_unlock();
  return stamp;
}

int mesi_plan_extent(const void *pointer, unsigned long long element, long long ret_bounds[2])
{
  mesi_register_bind();
  if (mesi_object_reject(pointer) || !element) return 0;
  mesi_lock_to_launch();
  const struct mesi_object *object = mesi_object_of_pointer(pointer);
  struct mesi_span all = object ? mesi_slab_span(object, pointer) : (struct mesi_span){0, 0};
  if (!mesi_span_empty(all)) {
    ptrdiff_t at = (const char *)pointer - object->host;
    ret_bounds[0] = -((at - (ptrdiff_t)all.begin) / (ptrdiff_t)element);
    ret_bounds[1] = ((ptrdiff_t)all.end - at) / (ptrdiff_t)element;
  }
  mesi_unlock();
  return !mesi_span_empty(all);
}

void mesi_plan_note(const struct mesi_plan *plan)
{
  unsigned arrays = 0;

  for (unsigned i = 0; i < MESI_PLAN_ARRAYS; i++) arrays += plan->staged >> i & 1;
  mesi_lock_to_launch();
  mesi_trace_plan(arrays, plan->bytes);
  mesi_unlock();
}

/* Do the pointers lead to two allocations that the program has got from CUDA? */
static bool allocated_apart(const void *p, const void *q)
{
  const void *first, *second;
  size_t bytes;

  if (!mesi_device.extent) return false;
  return mesi_device.extent(p, &first, &bytes) && mesi_device.extent(q, &second, &bytes) &&
         (first != second || SEEDED(EXTENT_ONE_FOR_TWO));
}

int mesi_plan_no_alias(const void *p, const void *q)
{
  mesi_register_bind();
  if (mesi_object_reject(p) && mesi_object_reject(q)) return allocated_apart(p, q);
  mesi_lock_to_launch();
  const struct mesi_object *first = mesi_object_of_pointer(p), *second = mesi_object_of_pointer(q);
  bool apart = first || second ? first && second : allocated_apart(p, q);
  if (first && first == second) {
    struct mesi_span one = mesi_slab_span(first, p), other = mesi_slab_span(second, q);
    apart = !mesi_span_empty(one) && !mesi_span_empty(other) && one.begin != other.begin;
  }
  mesi_unlock();
  return apart;
}
