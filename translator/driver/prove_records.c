/* SPDX-License-Identifier: MIT */
/* prove_records.c - compares memory in the field: a word that is (part of) a floating-point number
 * in one of the runs is compared as an element of the field, every other one as bits. */
#include "translator/driver/prove_records.h"

#include <inttypes.h>
#include <string.h>

#include "prove/shadow.h"
#include "runtime/dump.h"
#include "translator/base/arena.h"
#include "translator/base/file.h"

enum { WORD = 4, CELL_BYTES = 12 /* of a word, in the file: tagged element, launch */ };

/* ---- reading ---- */

static uint64_t cell_at(const struct prove_records *records, unsigned object, size_t word)
{
  uint64_t tagged = 0;
  if (records->cells[object])
    memcpy(&tagged, records->cells[object] + word * sizeof tagged, sizeof tagged);
  return tagged;
}

/* The launch that wrote a word; 0: the host, or unknown. */
static uint32_t launch_at(const struct prove_records *records, unsigned object, size_t word)
{
  uint32_t launch = 0;
  size_t words = records->dump.objects[object].size / WORD;
  if (records->cells[object])
    memcpy(&launch, records->cells[object] + words * sizeof(uint64_t) + word * sizeof launch,
           sizeof launch);
  return launch <= records->launches ? launch : 0;
}

static void count_elements(struct prove_records *records, unsigned object)
{
  for (size_t w = 0; w < records->dump.objects[object].size / WORD; w++)
    records->elements += TAG_OF(cell_at(records, object, w)) != TAG_NONE;
}

struct cursor { /* a place in the file */
  const char *text;
  size_t length, at;
};

/* Reads a record's head and the name after it; false: the file has another kind of record there, or
 * ends. */
static bool read_launch(struct cursor *cursor, struct arena *arena, const char **ret_kernel)
{
  struct prove_launch head;
  size_t left = cursor->length - cursor->at;
  if (left < sizeof head) return false;
  memcpy(&head, cursor->text + cursor->at, sizeof head);
  if (head.kind != RECORD_LAUNCH || head.name_bytes > left - sizeof head) return false;
  *ret_kernel = arena_copy(arena, cursor->text + cursor->at + sizeof head, head.name_bytes);
  cursor->at += sizeof head + head.name_bytes;
  return true;
}

static bool read_object(struct cursor *cursor, struct arena *arena, struct dump_object *ret,
                        const char **ret_cells)
{
  struct prove_object head;
  size_t left = cursor->length - cursor->at;
  if (left < sizeof head) return false;
  memcpy(&head, cursor->text + cursor->at, sizeof head);
  if (head.kind != RECORD_OBJECT || head.name_bytes > left || head.bytes > left) return false;
  size_t cells = head.has_cells ? head.bytes / WORD * CELL_BYTES : 0;
  if (sizeof head + head.name_bytes + head.bytes + cells > left) return false;
  const char *name = cursor->text + cursor->at + sizeof head, *bytes = name + head.name_bytes;
  *ret = (struct dump_object){arena_copy(arena, name, head.name_bytes),
                              (const unsigned char *)bytes, head.bytes, head.element, NULL};
  *ret_cells = head.has_cells ? bytes + head.bytes : NULL;
  cursor->at += sizeof head + head.name_bytes + head.bytes + cells;
  return true;
}

bool prove_records_read(struct arena *arena, const char *path, struct prove_records *ret)
{
  struct cursor cursor = {0};
  struct {
    LIST_OF(const char *) kernels;
    LIST_OF(const char *) cells;
    LIST_OF(struct dump_object) objects;
  } lists = {0};
  const char *kernel, *cells;
  struct dump_object object;
  *ret = (struct prove_records){0};
  if (file_map(path, &cursor.text, &cursor.length) != FILE_OK) return false;
  for (bool more = true; more;) {
    if (read_launch(&cursor, arena, &kernel)) {
      *ARENA_PUSH(arena, &lists.kernels) = kernel;
    } else if ((more = read_object(&cursor, arena, &object, &cells))) {
      *ARENA_PUSH(arena, &lists.objects) = object;
      *ARENA_PUSH(arena, &lists.cells) = cells;
    }
  }
  if (cursor.length - cursor.at != sizeof ret->trailer) return false;
  memcpy(&ret->trailer, cursor.text + cursor.at, sizeof ret->trailer);
  ret->dump = (struct dump_file){lists.objects.items, lists.objects.count};
  ret->cells = lists.cells.items;
  ret->kernels = lists.kernels.items;
  ret->launches = lists.kernels.count;
  for (unsigned i = 0; i < ret->dump.count; i++) count_elements(ret, i);
  return ret->trailer.kind == RECORD_END;
}

/* ---- comparing ---- */

static uint32_t bits_at(const struct dump_object *object, size_t word)
{
  uint32_t bits;
  memcpy(&bits, object->bytes + word * WORD, sizeof bits);
  return bits;
}

static double double_at(const struct dump_object *object, size_t first_word)
{
  double value = 0;
  if ((first_word + 2) * WORD <= object->size)
    memcpy(&value, object->bytes + first_word * WORD, sizeof value);
  return value;
}

static double float_at(const struct dump_object *object, size_t word)
{
  float value;
  memcpy(&value, object->bytes + word * WORD, sizeof value);
  return value;
}

/* The word as part of a number of the kind: its element, or, where it has none, the element of the
 * number in memory. */
static uint64_t element_as(const struct prove_records *records, unsigned object, size_t word,
                           unsigned tag)
{
  uint64_t tagged = cell_at(records, object, word);
  const struct dump_object *memory = &records->dump.objects[object];
  if (TAG_OF(tagged) == tag) return ELEMENT_OF(tagged);
  if (tag == TAG_F32) return field_of(float_at(memory, word));
  return field_of(double_at(memory, tag == TAG_F64_HIGH && word ? word - 1 : word));
}

static bool same_word(const struct prove_records *a, const struct prove_records *b, unsigned object,
                      size_t word)
{
  unsigned tag = TAG_OF(cell_at(a, object, word)), other = TAG_OF(cell_at(b, object, word));
  if (!tag) tag = other;
  if (other && tag != other) return false;
  if (tag) return element_as(a, object, word, tag) == element_as(b, object, word, tag);
  return bits_at(&a->dump.objects[object], word) == bits_at(&b->dump.objects[object], word);
}

/* ---- words ---- */

static const char *value_text(struct arena *arena, const struct prove_records *records,
                              unsigned object, size_t word, unsigned tag)
{
  const struct dump_object *memory = &records->dump.objects[object];
  if (!tag)
    return arena_format(arena, "%" PRId32 " (0x%" PRIx32 ")", (int32_t)bits_at(memory, word),
                        bits_at(memory, word));
  double real = tag == TAG_F32 ? float_at(memory, word)
                               : double_at(memory, tag == TAG_F64_HIGH && word ? word - 1 : word);
  return arena_format(arena, "%.9g (element %" PRIu64 ")", real,
                      element_as(records, object, word, tag));
}

static const char *describe(struct arena *arena, const struct prove_records *a,
                            const struct prove_records *b, unsigned object, size_t word)
{
  unsigned tag = TAG_OF(cell_at(a, object, word));
  if (!tag) tag = TAG_OF(cell_at(b, object, word));
  const struct dump_object *memory = &a->dump.objects[object];
  const char *name =
      memory->type ? dumps_element_name(arena, memory, word * WORD)
                   : arena_format(arena, "%s (object %u), word %zu", memory->name, object, word);
  return arena_format(arena, "%s is %s, was %s", name, value_text(arena, b, object, word, tag),
                      value_text(arena, a, object, word, tag));
}

static const char *launch_text(struct arena *arena, const struct prove_records *records,
                               unsigned object, size_t word)
{
  uint32_t launch = launch_at(records, object, word);
  if (!launch) return "the host, or is not known";
  return arena_format(arena, "launch %" PRIu32 ", %s", launch, records->kernels[launch - 1]);
}

struct place { /* the place of a difference; launch UINT32_MAX: there is none */
  unsigned object;
  size_t word;
  uint32_t launch;
};

/* Looks for a difference of an earlier launch than that of `best`. */
static void look_for_earlier(const struct prove_records *a, const struct prove_records *b,
                             unsigned object, struct place *best)
{
  size_t words = a->dump.objects[object].size / WORD;
  for (size_t w = 0; w < words; w++) {
    if (same_word(a, b, object, w)) continue;
    uint32_t launch = launch_at(b, object, w);
    if (!launch) launch = UINT32_MAX - 1;
    if (launch < best->launch) *best = (struct place){object, w, launch};
  }
}

static const char *shape_difference(struct arena *arena, const struct prove_records *a,
                                    const struct prove_records *b, unsigned object)
{
  const struct dump_object *x = &a->dump.objects[object], *y = &b->dump.objects[object];
  if (strcmp(x->name, y->name))
    return arena_format(arena, "object %u is %s, was %s", object, y->name, x->name);
  return x->size != y->size
             ? arena_format(arena, "%s has %zu bytes, had %zu", x->name, y->size, x->size)
             : NULL;
}

/* A difference after the last whole word. */
static const char *rest_difference(struct arena *arena, const struct dump_object *x,
                                   const struct dump_object *y)
{
  for (size_t i = x->size / WORD * WORD; i < x->size; i++)
    if (x->bytes[i] != y->bytes[i])
      return arena_format(arena, "%s: byte %zu is %u, was %u", x->name, i, y->bytes[i],
                          x->bytes[i]);
  return NULL;
}

const char *prove_records_difference(struct arena *arena, const struct prove_records *a,
                                     const struct prove_records *b)
{
  struct place best = {.launch = UINT32_MAX};
  const char *other = NULL;
  if (a->dump.count != b->dump.count)
    return arena_format(arena, "there are %u objects, were %u", b->dump.count, a->dump.count);
  for (unsigned i = 0; i < a->dump.count; i++) {
    const char *shape = shape_difference(arena, a, b, i);
    if (shape) return shape;
    look_for_earlier(a, b, i, &best);
    if (!other) other = rest_difference(arena, &a->dump.objects[i], &b->dump.objects[i]);
  }
  if (best.launch == UINT32_MAX) return other;
  const char *is = launch_text(arena, b, best.object, best.word),
             *was = launch_text(arena, a, best.object, best.word);
  return arena_format(arena, "%s; written by %s%s%s", describe(arena, a, b, best.object, best.word),
                      is, strcmp(is, was) ? ", was by " : "", strcmp(is, was) ? was : "");
}
