/* launch.c - what a launch does to the objects that it uses.
 *
 * begin takes the variables that the kernel names, each mesi_launch_arg what its pointer leads to; both follow the
 * pointers inside. Each object is made valid on the device, and stale on the host where the kernel writes it, before
 * the launch. end checks the launch and lets go of the objects.
 *
 * The runtime's lock is not held while the program makes the launch; an object that it writes counts a writer, for
 * which host uses by other threads wait.
 */
#include "launch.h"

#include "error.h"
#include "pointers.h"
#include "register.h"
#include "report.h"
#include "state.h"
#include "trace.h"

#include <stdlib.h>
#include <string.h>

enum { INLINE_USES = 16 };

struct use {
  struct mesi_object *object;
  unsigned access; /* wanted */
  unsigned done;   /* access for which the object has been made ready */
};

struct launch {
  const struct mesi_site *site; /* NULL: mesi_device_ptr */
  bool active;                  /* between begin and end */
  int device;
  const char *cause;            /* for the trace */
  struct use *uses;
  size_t count, capacity;
  struct use first[INLINE_USES];
  const struct mesi_file *file; /* of the site */
};

static _Thread_local struct launch current;

/* A launch that another thread is making may take the mark over; the object is then listed twice, which does no
 * harm. */
static struct use *find_use(const struct launch *launch, const struct mesi_object *object)
{
  if (object->mark < launch->count && launch->uses[object->mark].object == object)
    return &launch->uses[object->mark];
  return NULL;
}

static void grow_uses(struct launch *launch)
{
  struct use *larger = mesi_need(malloc(launch->capacity * 2 * sizeof *larger));
  memcpy(larger, launch->uses, launch->count * sizeof *larger);
  if (launch->uses != launch->first)
    free(launch->uses);
  launch->uses = larger;
  launch->capacity *= 2;
}

static void add_use(struct launch *launch, struct mesi_object *object, unsigned access)
{
  struct use *use = find_use(launch, object);
  if (use) {
    use->access |= access;
    return;
  }
  if (launch->count == launch->capacity)
    grow_uses(launch);
  object->mark = launch->count;
  launch->uses[launch->count++] = (struct use){ object, access, 0 };
}

static void add_reached(struct launch *launch, struct mesi_object *object, unsigned access)
{
  unsigned reached = MESI_READ;
  if (access & (MESI_WRITE | MESI_REACH_WRITE))
    reached = MESI_READ_WRITE;
  if (!mesi_pointers_reach_known(object)) {
    mesi_state_to_host(object, launch->cause);
    mesi_pointers_reach(object);
  }
  for (size_t i = 0; i < object->reach_count; i++)
    add_use(launch, object->reach[i], reached);
}

static void make_ready(struct launch *launch, size_t index)
{
  struct mesi_object *object = launch->uses[index].object;
  unsigned access = launch->uses[index].access;
  unsigned before = launch->uses[index].done;
  launch->uses[index].done = access;
  mesi_state_to_device(object, launch->device, launch->cause);
  if (mesi_pointers_any(object))
    add_reached(launch, object, access);
  if ((access & MESI_WRITE) && !(before & MESI_WRITE)) {
    object->writers++;
    mesi_state_device_writes(object, launch->device);
  }
}

static void use_object(struct launch *launch, struct mesi_object *object, unsigned access)
{
  if (object->constant)
    access &= ~(unsigned)MESI_WRITE;
  add_use(launch, object, access | MESI_READ);
  bool changed;
  do {
    changed = false;
    for (size_t i = 0; i < launch->count; i++)
      if (launch->uses[i].done != launch->uses[i].access) {
        make_ready(launch, i);
        changed = true;
      }
  } while (changed);
}

static void start(struct launch *launch, const struct mesi_site *site, const char *cause)
{
  *launch = (struct launch){ .site = site, .cause = cause, .capacity = INLINE_USES };
  launch->uses = launch->first;
  mesi_error_set_site(site);
  mesi_check(mesi_device.current(&launch->device), NULL, "no device");
  mesi_report_before_device_exit();
}

static void finish_use(const struct launch *launch, struct use *use)
{
  struct mesi_object *object = use->object;
  if (use->done & MESI_WRITE) {
    mesi_state_device_writes(object, launch->device);
    object->reach_epoch = 0;
    object->writers--;
  }
  if (object->mode == MESI_EAGER) {
    mesi_state_to_host(object, launch->cause);
    mesi_state_forget_device(object);
  }
}

static void finish(struct launch *launch)
{
  for (size_t i = 0; i < launch->count; i++)
    finish_use(launch, &launch->uses[i]);
  if (launch->uses != launch->first)
    free(launch->uses);
  launch->active = false;
  launch->uses = NULL;
  launch->count = 0;
  mesi_error_set_site(NULL);
  mesi_writers_signal();
}

unsigned mesi_launch_writes(const struct mesi_object *object)
{
  unsigned writers = 0;
  for (size_t i = 0; current.active && i < current.count; i++)
    writers += current.uses[i].object == object && (current.uses[i].done & MESI_WRITE);
  return writers;
}

static void set_symbol(struct mesi_unit *unit, unsigned var, int device)
{
  const struct mesi_var *entry = &unit->file->vars[var];
  void **known = &unit->symbols[(size_t)device * unit->file->var_count + var];
  void *value = unit->objects[var]->device[device].address;
  if (!entry->symbol || *known == value)
    return;
  mesi_check(mesi_device.set_symbol(device, entry->symbol, value), unit->objects[var],
             "setting the kernel's pointer");
  *known = value;
}

/* A kernel of another file: every variable of every file, and every file's pointers. */
static void use_all(struct launch *launch, unsigned access)
{
  for (const struct mesi_unit *first = mesi_register_first(); first; first = first->next) {
    struct mesi_unit *unit = mesi_register_unit(first->file);
    for (unsigned i = 0; i < unit->file->var_count; i++)
      if (unit->objects[i]) {
        use_object(launch, unit->objects[i], access);
        set_symbol(unit, i, launch->device);
      }
  }
}

static void begin(struct launch *launch, const struct mesi_file *file)
{
  struct mesi_unit *unit = mesi_register_unit(file);
  if (!unit)
    mesi_fatal("launch from a file that is not registered", NULL, "%s", file->name);
  const struct mesi_site *site = launch->site;
  for (unsigned i = 0; i < site->use_count; i++) {
    const struct mesi_var *var = &file->vars[site->uses[i].var];
    struct mesi_object *object = unit->objects[site->uses[i].var];
    if (!object)
      mesi_fatal("variable of unknown size", NULL,
                 "'%s' (%s) has no size here, and no file translated by mesicc defines it", var->name, var->place);
    use_object(launch, object, site->uses[i].access);
  }
  for (unsigned i = 0; i < site->use_count; i++)
    set_symbol(unit, site->uses[i].var, launch->device);
  if (site->all_access)
    use_all(launch, site->all_access);
}

/* A launch of this thread that never ended (an exception left its arguments) is over. */
void mesi_launch_begin(const struct mesi_file *file, unsigned site)
{
  mesi_register_bind();
  mesi_lock();
  if (current.active)
    finish(&current);
  start(&current, &file->sites[site], "launch");
  current.file = file;
  current.active = true;
  begin(&current, file);
  mesi_trace_launch_starts(current.device);
  mesi_device.before_launch(current.device);
  mesi_unlock();
}

static void *translate(struct launch *launch, const void *pointer, unsigned access)
{
  struct mesi_object *object = mesi_object_of_pointer(pointer);
  if (!object)
    return (void *)(uintptr_t)pointer;
  use_object(launch, object, access);
  return (char *)object->device[launch->device].address + ((const char *)pointer - object->host);
}

void *mesi_launch_arg(const void *pointer, unsigned access)
{
  if (!current.active)
    return mesi_device_ptr(pointer, access);
  if (mesi_object_reject(pointer))
    return (void *)(uintptr_t)pointer;
  mesi_lock();
  void *result = translate(&current, pointer, access);
  mesi_trace_launch_starts(current.device);
  mesi_device.before_launch(current.device);
  mesi_unlock();
  return result;
}

/* An error that waiting repeats is one of an earlier kernel. */
void mesi_launch_end(void)
{
  if (!current.active)
    return;
  mesi_lock();
  const char *cause = mesi_device.launch_error(current.device);
  if (cause && current.count) { /* a launch without VS objects is the program's own business */
    mesi_wait(current.device);
    mesi_fatal("launch failed", NULL, "%s", cause);
  }
  mesi_waiting_launch(current.site);
  mesi_trace_launch_ends(current.site, current.device);
  finish(&current);
  mesi_unlock();
}

void *mesi_device_ptr(const void *host, unsigned access)
{
  mesi_register_bind();
  if (mesi_object_reject(host))
    return (void *)(uintptr_t)host;
  struct launch launch;
  const struct mesi_site *site = mesi_error_site();
  mesi_lock();
  start(&launch, NULL, "mesi_device_ptr");
  void *result = translate(&launch, host, access);
  finish(&launch);
  mesi_error_set_site(site);
  mesi_unlock();
  return result;
}

/* MESI_POISON: what the program promised to overwrite is overwritten first, so that a broken promise shows. */
static void poison(struct mesi_object *object, ptrdiff_t begin, ptrdiff_t end, unsigned access)
{
  begin = begin < 0 ? 0 : begin;
  end = end > (ptrdiff_t)object->size ? (ptrdiff_t)object->size : end;
  if (!(access & MESI_OVERWRITE) || end <= begin || !getenv("MESI_POISON"))
    return;
  char *bytes = mesi_need(malloc((size_t)(end - begin)));
  memset(bytes, 0xa5, (size_t)(end - begin));
  mesi_wait(current.device);
  mesi_check(mesi_device.copy_to_device(current.device, (char *)object->device[current.device].address + begin, bytes,
                                        (size_t)(end - begin)), object, "poison");
  free(bytes);
}

void mesi_launch_use_range(unsigned use, size_t read_begin, size_t read_end, size_t write_begin, size_t write_end,
                           unsigned access)
{
  (void)read_begin, (void)read_end;
  mesi_lock();
  poison(mesi_register_unit(current.file)->objects[current.site->uses[use].var], (ptrdiff_t)write_begin, (ptrdiff_t)write_end, access);
  mesi_unlock();
}

void *mesi_launch_arg_range(const void *pointer, ptrdiff_t read_begin, ptrdiff_t read_end, ptrdiff_t write_begin,
                            ptrdiff_t write_end, unsigned access)
{
  (void)read_begin, (void)read_end;
  void *result = mesi_launch_arg(pointer, access & MESI_READ_WRITE);
  mesi_lock();
  struct mesi_object *object = mesi_object_reject(pointer) ? NULL : mesi_object_of_pointer(pointer);
  ptrdiff_t offset = object ? (const char *)pointer - object->host : 0;
  if (object)
    poison(object, offset + write_begin, offset + write_end, access);
  mesi_unlock();
  return result;
}
