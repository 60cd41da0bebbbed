/* SPDX-License-Identifier: MIT */
/* dumps.c - reads and compares the files of MESI_DUMP. */
#include "translator/driver/dumps.h"

#include <math.h>
#include <string.h>

#include "runtime/dump.h"
#include "translator/base/arena.h"
#include "translator/base/file.h"

bool dumps_read(struct arena *arena, const char *path, struct dump_file *ret)
{
  const char *text;
  size_t length, at = sizeof(struct mesi_dump_header);
  struct mesi_dump_header header;
  if (file_map(path, &text, &length) != FILE_OK || length < at) return false;
  memcpy(&header, text, sizeof header);
  if (memcmp(header.magic, MESI_DUMP_MAGIC, 8) || header.version != MESI_DUMP_VERSION) return false;
  ret->count = header.count;
  ret->objects = arena_alloc(arena, (header.count + 1) * sizeof *ret->objects);
  for (unsigned i = 0; i < header.count; i++) {
    struct mesi_dump_entry entry;
    if (length - at < sizeof entry) return false;
    memcpy(&entry, text + at, sizeof entry);
    at += sizeof entry;
    if (entry.name_bytes > length - at || entry.size > length - at - entry.name_bytes) return false;
    ret->objects[i] = (struct dump_object){arena_copy(arena, text + at, entry.name_bytes),
                                           (const unsigned char *)text + at + entry.name_bytes,
                                           entry.size, entry.element, NULL};
    at += entry.name_bytes + entry.size;
  }
  return true;
}

static double value_at(const struct dump_object *object, size_t index)
{
  if (object->element == MESI_DUMP_FLOAT) {
    float value;
    memcpy(&value, object->bytes + index * sizeof value, sizeof value);
    return value;
  }
  double value;
  memcpy(&value, object->bytes + index * sizeof value, sizeof value);
  return value;
}

/* Do two floating-point objects agree up to rounding, in the relative 2-norm? Infinities and NaNs
 * must be alike. */
static bool close_enough(const struct dump_object *a, const struct dump_object *b)
{
  size_t size = a->element == MESI_DUMP_FLOAT ? 4 : 8, count = a->size / size;
  double difference = 0, norm = 0;
  for (size_t i = 0; i < count; i++) {
    double x = value_at(a, i), y = value_at(b, i);
    if (isnan(x) && isnan(y)) continue;
    if (x == y) {
      if (isfinite(x)) norm += x * x;
      continue;
    }
    if (!isfinite(x) || !isfinite(y)) return false;
    difference += (x - y) * (x - y);
    norm += x * x;
  }
  double allowed = a->element == MESI_DUMP_FLOAT ? 1e-5 : 1e-12;
  return sqrt(difference) <= allowed * sqrt(norm);
}

/* ---- the first difference in words ---- */

static const char *element_text(struct arena *arena, const struct object_type *type,
                                const unsigned char *bytes)
{
  float single;
  double real;
  uint64_t integer = 0;
  if (type->kind == 'f' && type->size == 4) {
    memcpy(&single, bytes, sizeof single);
    return arena_format(arena, "%.9g", (double)single);
  }
  if (type->kind == 'f') {
    memcpy(&real, bytes, sizeof real);
    return arena_format(arena, "%.17g", real);
  }
  memcpy(&integer, bytes, type->size); /* little-endian */
  unsigned unused = 64 - 8 * type->size;
  if (type->kind == 'i')
    return arena_format(arena, "%lld", (long long)(integer << unused) >> unused);
  return arena_format(arena, "%llu", (unsigned long long)integer);
}

static const char *index_text(struct arena *arena, const struct object_type *type, uint64_t element)
{
  const char *text = "";
  for (unsigned d = type->dim_count; d-- > 0;) {
    uint64_t extent = d && type->extents[d] ? type->extents[d] : UINT64_MAX;
    text = arena_format(arena, "[%llu]%s", (unsigned long long)(element % extent), text);
    element /= extent;
  }
  return text;
}

const char *dumps_element_name(struct arena *arena, const struct dump_object *object, size_t byte)
{
  return arena_format(arena, "%s%s", object->name,
                      index_text(arena, object->type, byte / object->type->size));
}

static const char *describe_typed(struct arena *arena, const struct dump_object *a,
                                  const struct dump_object *b, size_t at)
{
  const struct object_type *type = a->type;
  size_t element = at / type->size, begin = element * type->size;
  const char *name = arena_format(arena, "%s%s", a->name, index_text(arena, type, element));
  if (type->kind == 'b' || begin + type->size > a->size)
    return arena_format(arena, "%s: byte %zu of it is %u, was %u", name, at - begin, b->bytes[at],
                        a->bytes[at]);
  const char *was = element_text(arena, type, a->bytes + begin),
             *is = element_text(arena, type, b->bytes + begin);
  return arena_format(arena, "%s is %s, was %s%s", name, is, was,
                      strcmp(is, was) ? "" : ", with other bits");
}

static const char *describe(struct arena *arena, const struct dump_object *a,
                            const struct dump_object *b)
{
  size_t at = 0;
  while (at < a->size && a->bytes[at] == b->bytes[at]) at++;
  if (a->type) return describe_typed(arena, a, b, at);
  if (a->element == MESI_DUMP_FLOAT || a->element == MESI_DUMP_DOUBLE) {
    size_t index = at / (a->element == MESI_DUMP_FLOAT ? 4 : 8);
    return arena_format(arena, "%s: element %zu is %.9g, was %.9g", a->name, index,
                        value_at(b, index), value_at(a, index));
  }
  if (at / 4 * 4 + 4 <= a->size) {
    int x, y;
    memcpy(&x, a->bytes + at / 4 * 4, 4);
    memcpy(&y, b->bytes + at / 4 * 4, 4);
    return arena_format(arena, "%s: the word at byte %zu is %d (0x%x), was %d (0x%x)", a->name,
                        at / 4 * 4, y, (unsigned)y, x, (unsigned)x);
  }
  return arena_format(arena, "%s: byte %zu is %u, was %u", a->name, at, b->bytes[at], a->bytes[at]);
}

const char *dumps_difference(struct arena *arena, const struct dump_file *a,
                             const struct dump_file *b, bool exact)
{
  if (a->count != b->count)
    return arena_format(arena, "there are %u objects, were %u", b->count, a->count);
  for (unsigned i = 0; i < a->count; i++) {
    const struct dump_object *x = &a->objects[i], *y = &b->objects[i];
    if (strcmp(x->name, y->name))
      return arena_format(arena, "object %u is %s, was %s", i, y->name, x->name);
    if (x->size != y->size)
      return arena_format(arena, "%s: has %zu bytes, had %zu", x->name, y->size, x->size);
    if (!memcmp(x->bytes, y->bytes, x->size)) continue;
    bool floating = x->element == MESI_DUMP_FLOAT || x->element == MESI_DUMP_DOUBLE;
    if (!exact && floating && close_enough(x, y)) continue;
    return describe(arena, x, y);
  }
  return NULL;
}
