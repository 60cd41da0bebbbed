/* SPDX-License-Identifier: MIT */
/* register.c - registration of the program's files, and the objects of their variables.
 *
 * Constructors register files, in any order. Their entries are bound at the next use of the
 * runtime: first the definitions, then the extern entries of known size, then those of unknown
 * size.
 */
#include "register.h"

#include "../base/error.h"
#include "state.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20 }; /* bytes, on x86-64 */

static struct mesi_unit *first, *last;
static atomic_bool pending; /* a file is registered but not bound */

void mesi_register_add(const struct mesi_file *file)
{
  struct mesi_unit *unit = mesi_need(calloc(1, sizeof *unit));
  unit->file = file;
  unit->objects = mesi_need(calloc(file->var_count + 1, sizeof *unit->objects));
  unit->symbols =
      mesi_need(calloc((size_t)file->var_count * MESI_DEVICE_MAX + 1, sizeof *unit->symbols));
  mesi_lock();
  if (last)
    last->next = unit;
  else
    first = unit;
  last = unit;
  atomic_store(&pending, true);
  mesi_unlock();
}

static struct mesi_object *object_at(const void *host)
{
  struct mesi_object *object = mesi_object_containing(host);
  return object && object->host == (const char *)host ? object : NULL;
}

/* For a variable of several large pages: the host's first touch of such a page, and its
 * page-locking, are then one step in place of 512. Does nothing where the system has no large
 * pages, and to a variable with contents in the program's file. */
static void ask_for_large_pages(const struct mesi_var *var)
{
  uintptr_t begin = ((uintptr_t)var->host + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  uintptr_t end = ((uintptr_t)var->host + var->size) / LARGE_PAGE * LARGE_PAGE;
  if (begin + LARGE_PAGE < end && !(var->flags & MESI_VAR_CONST))
    madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

static struct mesi_object *create(const struct mesi_var *var)
{
  struct mesi_object *object = mesi_need(calloc(1, sizeof *object));
  object->name = var->name;
  object->place = var->place;
  object->host = var->host;
  object->size = object->extent = var->size;
  object->constant = var->flags & MESI_VAR_CONST;
  object->defined = !(var->flags & MESI_VAR_EXTERN);
  if (object->defined) ask_for_large_pages(var);
  mesi_object_enter(object);
  return object;
}

static void bind(struct mesi_unit *unit, unsigned index)
{
  const struct mesi_var *var = &unit->file->vars[index];
  struct mesi_object *object = object_at(var->host);
  if (!object && var->size) object = create(var);
  if (!object) return;
  if (!(var->flags & MESI_VAR_EXTERN) && !object->prepared) object->defined = true;
  if (var->pointers && !object->pointers) object->pointers = var->pointers;
  if (var->flags & MESI_VAR_GUARDED) mesi_state_want_guard(object);
  unit->objects[index] = object;
}

enum pass { DEFINITIONS, KNOWN_SIZE, UNKNOWN_SIZE, PASS_COUNT };

static enum pass pass_of(const struct mesi_var *var)
{
  if (!(var->flags & MESI_VAR_EXTERN)) return DEFINITIONS;
  return var->size ? KNOWN_SIZE : UNKNOWN_SIZE;
}

static void bind_pass(enum pass pass)
{
  for (struct mesi_unit *unit = first; unit; unit = unit->next)
    for (unsigned i = 0; !unit->bound && i < unit->file->var_count; i++)
      if (pass_of(&unit->file->vars[i]) == pass) bind(unit, i);
}

void mesi_register_bind(void)
{
  if (!atomic_load_explicit(&pending, memory_order_acquire)) return;
  mesi_lock();
  if (atomic_load(&pending)) {
    for (enum pass pass = DEFINITIONS; pass < PASS_COUNT; pass++) bind_pass(pass);
    for (struct mesi_unit *unit = first; unit; unit = unit->next) unit->bound = true;
    atomic_store_explicit(&pending, false, memory_order_release);
  }
  mesi_unlock();
}

struct mesi_unit *mesi_register_unit(const struct mesi_file *file)
{
  struct mesi_unit *unit = first;
  while (unit && unit->file != file) unit = unit->next;
  return unit;
}

const struct mesi_unit *mesi_register_first(void) { return first; }
