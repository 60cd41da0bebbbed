/* SPDX-License-Identifier: MIT */
/* launch_uses.c - the variables of a launch's site, made ready, and the kernel's pointers to them.
 *
 *     k<<<grid, block>>>(p)      of a variable that k names, the ranges that the launch gives, or
 *                                the whole, are made ready, and k's pointer to it is set
 *
 * A launch that may go out in parts only notes its uses, as far as there is room for them. A kernel
 * of another file may name any variable of any file. Requires: the runtime's lock; launch->uses is
 * initialised.
 */
#include "launch_uses.h"

#include "../base/error.h"
#include "launch_sums.h"
#include "../seeded.h"
#include "../stream/batch.h"
#include "../transfer/register.h"
#include "../transfer/state.h"

bool mesi_launch_add_use(struct launch *launch, const struct mesi_pending *wanted)
{
  if (!launch->deferred || !mesi_parts_add(&launch->parts, wanted))
    return mesi_uses_add(&launch->uses, wanted->object, wanted->read, wanted->write,
                         wanted->access & ~(unsigned)MESI_SUM_ANY);
  mesi_state_prepare(wanted->object);
  mesi_object_device_memory(wanted->object, launch->uses.device);
  return false;
}

static void set_symbol(const struct launch *launch, struct mesi_unit *unit, unsigned var)
{
  int device = launch->uses.device;
  const struct mesi_var *entry = &unit->file->vars[var];
  void **known = &unit->symbols[(size_t)device * unit->file->var_count + var];
  void *value = mesi_sums_address(launch, unit->objects[var], device);
  if (!entry->symbol || *known == value) return;
  mesi_change();
  mesi_batch_flush();
  mesi_check(mesi_device.set_symbol(device, entry->symbol, value), unit->objects[var],
             "setting the kernel's pointer");
  *known = value;
}

static void use_whole(struct launch *launch, struct mesi_object *object, unsigned access)
{
  struct mesi_span whole = mesi_object_whole(object);
  mesi_launch_add_use(
      launch, &(struct mesi_pending){object, whole, whole, access, mesi_no_part, mesi_no_part});
}

/* A kernel of another file may use every variable of every file, through every file's pointers. */
static void use_all(struct launch *launch, unsigned access)
{
  for (const struct mesi_unit *first = mesi_register_first(); first; first = first->next) {
    struct mesi_unit *unit = mesi_register_unit(first->file);
    for (unsigned i = 0; i < unit->file->var_count; i++)
      if (unit->objects[i]) {
        use_whole(launch, unit->objects[i], access);
        set_symbol(launch, unit, i);
      }
  }
}

static struct mesi_object *object_of(const struct mesi_unit *unit, unsigned index)
{
  const struct mesi_var *var = &unit->file->vars[index];
  if (!unit->objects[index])
    mesi_fatal("variable of unknown size", NULL,
               "'%s' (%s) has no size here, and no file translated by mesicc defines it", var->name,
               var->place);
  return unit->objects[index];
}

static void use_variable(struct launch *launch, struct mesi_object *object, unsigned use)
{
  bool whole = true;
  for (unsigned i = 0; i < launch->narrowed_count; i++) {
    const struct narrowed *narrowed = &launch->narrowed[i];
    if (narrowed->use != use) continue;
    mesi_launch_add_use(launch, &(struct mesi_pending){object, narrowed->read, narrowed->write,
                                                       narrowed->access, narrowed->read_part,
                                                       narrowed->write_part});
    whole = false;
  }
  if (whole) use_whole(launch, object, launch->site->uses[use].access);
}

void mesi_launch_set_symbols(struct launch *launch)
{
  struct mesi_unit *unit = mesi_register_unit(launch->file);
  for (unsigned i = 0; i < launch->site->use_count; i++)
    set_symbol(launch, unit, launch->site->uses[i].var);
}

void mesi_launch_use_variables(struct launch *launch)
{
  const struct mesi_site *site = launch->site;
  struct mesi_unit *unit = mesi_register_unit(launch->file);
  if (!unit)
    mesi_fatal("launch from a file that is not registered", NULL, "%s", launch->file->name);
  for (unsigned i = 0; i < site->use_count; i++)
    use_variable(launch, object_of(unit, site->uses[i].var), i);
  mesi_launch_set_symbols(launch);
  if (site->all_access && !SEEDED(OTHER_FILES_MISSED)) use_all(launch, site->all_access);
}
