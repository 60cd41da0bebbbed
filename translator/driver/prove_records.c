/* prove_records.c - compares memory in the field: a word that is (part of) a floating-point number in one of the runs is
 * compared as an element of the field, every other one as bits. */
#include "translator/driver/prove_records.h"

#include <inttypes.h>
#include <string.h>

#include "prove/shadow.h"
#include "runtime/dump.h"
#include "translator/base/arena.h"
#include "translator/base/file.h"

enum { WORD = 4 };

/* ---- reading -------------------------------------------------------------------------------------- */

static uint64_t cell_at(const struct prove_records *records, unsigned object, size_t word) {
  uint64_t tagged = 0;
  if (records->cells[object]) memcpy(&tagged, (const char *)records->cells[object] + word * sizeof tagged, sizeof tagged);
  return tagged;
}

static void count_elements(struct prove_records *records, unsigned object) {
  for (size_t w = 0; w < records->dump.objects[object].size / WORD; w++) records->elements += TAG_OF(cell_at(records, object, w)) != TAG_NONE;
}

/* Bytes of the record at `at`; 0 where the file ends too early. */
static size_t record_size(const char *text, size_t left, struct prove_object *ret) {
  if (left < sizeof *ret) return 0;
  memcpy(ret, text, sizeof *ret);
  if (ret->kind != RECORD_OBJECT || ret->name_bytes > left || ret->bytes > left) return 0;
  size_t size = sizeof *ret + ret->name_bytes + ret->bytes + (ret->has_cells ? ret->bytes / WORD * 8 : 0);
  return size <= left ? size : 0;
}

static unsigned count_objects(const char *text, size_t length, size_t *ret_end) {
  struct prove_object object;
  unsigned count = 0;
  size_t at = 0;
  for (size_t size; (size = record_size(text + at, length - at, &object)); at += size) count++;
  *ret_end = at;
  return count;
}

bool prove_records_read(struct arena *arena, const char *path, struct prove_records *ret) {
  const char *text;
  size_t length, end;
  *ret = (struct prove_records){0};
  if (file_map(path, &text, &length) != FILE_OK) return false;
  unsigned count = count_objects(text, length, &end);
  if (length - end != sizeof ret->trailer) return false;
  memcpy(&ret->trailer, text + end, sizeof ret->trailer);
  ret->dump.count = count;
  ret->dump.objects = arena_alloc(arena, (count + 1) * sizeof *ret->dump.objects);
  ret->cells = arena_alloc(arena, (count + 1) * sizeof *ret->cells);
  for (unsigned i = 0; i < count; i++) {
    struct prove_object object;
    size_t size = record_size(text, length, &object);
    const char *bytes = text + sizeof object + object.name_bytes;
    ret->dump.objects[i] = (struct dump_object){arena_copy(arena, text + sizeof object, object.name_bytes),
                                                (const unsigned char *)bytes, object.bytes, object.element, NULL};
    ret->cells[i] = object.has_cells ? (const uint64_t *)(const void *)(bytes + object.bytes) : NULL;
    count_elements(ret, i);
    text += size;
  }
  return ret->trailer.kind == RECORD_END;
}

/* ---- comparing ------------------------------------------------------------------------------------ */

static uint32_t bits_at(const struct dump_object *object, size_t word) {
  uint32_t bits;
  memcpy(&bits, object->bytes + word * WORD, sizeof bits);
  return bits;
}

static double double_at(const struct dump_object *object, size_t first_word) {
  double value = 0;
  if ((first_word + 2) * WORD <= object->size) memcpy(&value, object->bytes + first_word * WORD, sizeof value);
  return value;
}

static double float_at(const struct dump_object *object, size_t word) {
  float value;
  memcpy(&value, object->bytes + word * WORD, sizeof value);
  return value;
}

/* The word as part of a number of the kind: the element that is known, or that of the number that stands there. */
static uint64_t element_as(const struct prove_records *records, unsigned object, size_t word, unsigned tag) {
  uint64_t tagged = cell_at(records, object, word);
  const struct dump_object *memory = &records->dump.objects[object];
  if (TAG_OF(tagged) == tag) return ELEMENT_OF(tagged);
  if (tag == TAG_F32) return field_of(float_at(memory, word));
  return field_of(double_at(memory, tag == TAG_F64_HIGH && word ? word - 1 : word));
}

static bool same_word(const struct prove_records *a, const struct prove_records *b, unsigned object, size_t word) {
  unsigned tag = TAG_OF(cell_at(a, object, word)), other = TAG_OF(cell_at(b, object, word));
  if (!tag) tag = other;
  if (other && tag != other) return false;
  if (tag) return element_as(a, object, word, tag) == element_as(b, object, word, tag);
  return bits_at(&a->dump.objects[object], word) == bits_at(&b->dump.objects[object], word);
}

/* ---- words ---------------------------------------------------------------------------------------- */

static const char *value_text(struct arena *arena, const struct prove_records *records, unsigned object, size_t word, unsigned tag) {
  const struct dump_object *memory = &records->dump.objects[object];
  if (!tag) return arena_format(arena, "%" PRId32 " (0x%" PRIx32 ")", (int32_t)bits_at(memory, word), bits_at(memory, word));
  double real = tag == TAG_F32 ? float_at(memory, word) : double_at(memory, tag == TAG_F64_HIGH && word ? word - 1 : word);
  return arena_format(arena, "%.9g (element %" PRIu64 ")", real, element_as(records, object, word, tag));
}

static const char *describe(struct arena *arena, const struct prove_records *a, const struct prove_records *b, unsigned object, size_t word) {
  unsigned tag = TAG_OF(cell_at(a, object, word));
  if (!tag) tag = TAG_OF(cell_at(b, object, word));
  const struct dump_object *memory = &a->dump.objects[object];
  const char *name = memory->type ? dumps_element_name(arena, memory, word * WORD)
                                  : arena_format(arena, "%s (object %u), word %zu", memory->name, object, word);
  return arena_format(arena, "%s is %s, was %s", name, value_text(arena, b, object, word, tag), value_text(arena, a, object, word, tag));
}

static const char *object_difference(struct arena *arena, const struct prove_records *a, const struct prove_records *b, unsigned object) {
  const struct dump_object *x = &a->dump.objects[object], *y = &b->dump.objects[object];
  size_t words = x->size / WORD;
  if (strcmp(x->name, y->name)) return arena_format(arena, "object %u is %s, was %s", object, y->name, x->name);
  if (x->size != y->size) return arena_format(arena, "%s has %zu bytes, had %zu", x->name, y->size, x->size);
  for (size_t w = 0; w < words; w++)
    if (!same_word(a, b, object, w)) return describe(arena, a, b, object, w);
  for (size_t i = words * WORD; i < x->size; i++)
    if (x->bytes[i] != y->bytes[i]) return arena_format(arena, "%s: byte %zu is %u, was %u", x->name, i, y->bytes[i], x->bytes[i]);
  return NULL;
}

const char *prove_records_difference(struct arena *arena, const struct prove_records *a, const struct prove_records *b) {
  if (a->dump.count != b->dump.count) return arena_format(arena, "there are %u objects, were %u", b->dump.count, a->dump.count);
  for (unsigned i = 0; i < a->dump.count; i++) {
    const char *difference = object_difference(arena, a, b, i);
    if (difference) return difference;
  }
  return NULL;
}
