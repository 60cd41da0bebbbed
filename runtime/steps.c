/* steps.c - launches that hand arrays on, put together.
 *
 *     k(a, b)  k(b, a)  k(a, b)  k(b, a)     =>  one launch of k_steps(a, b) that does three, then k(b, a)
 *
 * A launch is held back while it continues those before it: the same kernel, sizes and arguments, but for the arrays, which change
 * places, and scalars whose values go along by launch. The arrays are different VS objects that nothing else of the kernel leads to.
 *
 * k_steps does an odd number of launches: it reads what the first one reads and writes what the last one writes, which is the other
 * array, so that no block writes what another one still reads. The array that the last launch but one would have written keeps what it had. So there
 * is always one more launch behind: it writes the same elements of that array, and reads none of them. A run of n launches goes out as
 * launches of `depth` steps, a smaller one, and at least one as it was.
 *
 * What may notice that a launch is held back makes it go out first: everything that flushes a batch (batch.c), whose place this is in. All
 * functions require the lock; launches are made by the thread that holds them, or by another one that flushes.
 */
#include "steps.h"

#include "batch.h"
#include "error.h"
#include "launch.h"
#include "mesi.h"
#include "object.h"
#include "order.h"
#include "seeded.h"
#include "trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ARGS = 24, ARG_BYTES = 256 }; /* of a launch that is held back */
#define LONGEST_MS 0.5               /* that one is held back while the program makes further ones, on a device of its own */

struct held {
  const struct mesi_site *site;
  unsigned char bytes[ARG_BYTES];
};

struct steps {                /* of a thread */
  struct steps *next;
  const struct mesi_steps *steps;
  struct mesi_kernel_launch launch; /* without its arguments */
  const void *function;
  mesi_start *start, *start_steps;
  unsigned long long totals[3];
  int device;
  size_t sizes[ARGS];         /* of the arguments */
  size_t offsets[ARGS];       /* of them in held.bytes */
  struct mesi_steps_run run;  /* but for the depth: of the first launch */
  unsigned count;             /* launches held back */
  double since;               /* when the first of them was made, ms */
  struct held held[MESI_STEPS_MOST + 1];
};

static struct steps *all;
static _Thread_local struct steps *current;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* to hear of the end of a thread */

/* ---- launches ---- */

/* Launches that become one at most; below 3: none. */
static unsigned most_steps(void)
{
  static int known = -1;
  if (known < 0) {
    const char *text = getenv("MESI_STEPS");
    long wanted = text ? strtol(text, NULL, 10) : MESI_STEPS_MOST;
    known = wanted < 0 ? 0 : wanted > MESI_STEPS_MOST ? MESI_STEPS_MOST : (int)wanted - (wanted % 2 == 0 && wanted > 0);
  }
  return (unsigned)known;
}

static unsigned depth_of(const struct mesi_steps *steps)
{
  return steps->depth < most_steps() ? steps->depth : most_steps();
}

static void *argument(struct steps *s, unsigned launch, unsigned arg)
{
  return s->held[launch].bytes + s->offsets[arg];
}

/* In its batch, or at once. */
static void make(struct steps *s, const struct mesi_kernel_launch *launch, mesi_start *start)
{
  if (s == current && mesi_batch_take(launch))
    return;
  start(launch);
}

static void make_plain(struct steps *s, unsigned number)
{
  struct mesi_kernel_launch launch = s->launch;
  void *args[ARGS];

  for (unsigned i = 0; i < launch.count; i++)
    args[i] = argument(s, number, i);
  launch.args = args;
  launch.sizes = s->sizes;
  make(s, &launch, s->start);
}

/* The blocks of a launch of `depth` steps; false: there are too many. */
static bool find_grid(const struct steps *s, unsigned depth, unsigned grid[3])
{
  for (unsigned axis = 0; axis < 3; axis++) {
    unsigned long long own = axis < s->steps->axes ? (unsigned long long)(s->steps->tile[axis] - (int)depth * s->steps->lost[axis]) : 1;
    unsigned long long blocks = (s->totals[axis] + own - 1) / own;
    if (blocks > (axis ? 65535 : 0x7fffffff))
      return false;
    grid[axis] = (unsigned)blocks;
  }
  return true;
}

/* The bounds of the slots' objects, from where the first launch's arguments point. */
static void find_bounds(struct steps *s, unsigned first, struct mesi_steps_run *run)
{
  for (unsigned i = 0; i < s->steps->slot_count; i++) {
    const struct mesi_steps_slot *slot = &s->steps->slots[i];
    char *pointer;
    memcpy(&pointer, argument(s, first, slot->param), sizeof pointer);
    const struct mesi_object *object = mesi_object_on_device(s->device, pointer);
    long long before = pointer - (char *)object->device[s->device].address, bytes = (long long)slot->bytes;
    run->first[i] = -(before / bytes);
    run->end[i] = ((long long)object->size - before) / bytes;
  }
}

/* `depth` launches from `first` on in one. */
static bool make_steps(struct steps *s, unsigned first, unsigned depth)
{
  const struct mesi_steps *steps = s->steps;
  struct mesi_kernel_launch launch = { .function = s->function, .block = { steps->threads[0], steps->threads[1], steps->threads[2] } };
  struct mesi_steps_run run = { .depth = (int)depth };
  struct mesi_steps_values values[MESI_STEPS_SLOTS];
  void *args[ARGS + 1 + MESI_STEPS_SLOTS];
  size_t sizes[ARGS + 1 + MESI_STEPS_SLOTS];

  if (!find_grid(s, depth, launch.grid))
    return false;
  for (unsigned axis = 0; axis < 3; axis++)
    run.total[axis] = (int)s->totals[axis];
  find_bounds(s, first, &run);
  for (unsigned i = 0; i < steps->params; i++) {
    args[i] = argument(s, first, i);
    sizes[i] = s->sizes[i];
  }
  args[steps->params] = &run;
  sizes[steps->params] = sizeof run;
  memset(values, 0, steps->value_count * sizeof *values);
  for (unsigned v = 0; v < steps->value_count; v++) {
    for (unsigned t = 0; t < depth; t++)
      memcpy(&values[v].value[t], argument(s, first + t, steps->values[v]), s->sizes[steps->values[v]]);
    args[steps->params + 1 + v] = &values[v];
    sizes[steps->params + 1 + v] = sizeof values[v];
  }
  launch.args = args;
  launch.sizes = sizes;
  launch.count = steps->params + 1 + steps->value_count;
  make(s, &launch, s->start_steps);
  return true;
}

/* The first `count` launches, of which the last goes out as it was. */
static void make_first(struct steps *s, unsigned count)
{
  bool apart = !mesi_launch_site(); /* not while the thread makes a launch, which is timed */

  if (apart)
    mesi_trace_launch_starts(s->device, NULL);
  for (unsigned i = 0; i < count;) {
    unsigned left = count - i, depth = left - 1 < depth_of(s->steps) ? left - 1 : depth_of(s->steps);
    depth -= depth % 2 == 0;
    if (SEEDED(STEPS_EVEN) && left > 2)
      depth = left < depth_of(s->steps) ? left : depth_of(s->steps);
    bool together = left > 3 && make_steps(s, i, depth);
    if (!together)
      make_plain(s, i);
    else
      mesi_trace_steps(depth);
    i += together ? depth : 1;
  }
  if (apart)
    mesi_trace_steps_end(s->held[0].site, s->device);
}

static void flush(struct steps *s)
{
  unsigned count = s->count;

  s->count = 0; /* what is timed may flush */
  if (count)
    make_first(s, count - SEEDED(STEPS_LAST_LOST));
}

void mesi_steps_flush(void)
{
  for (struct steps *s = all; s; s = s->next)
    flush(s);
}

void mesi_steps_end(void)
{
  mesi_lock();
  mesi_steps_flush();
  mesi_unlock();
}

/* ---- what is held back ---- */

static double now_ms(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static void thread_ends(void *gone)
{
  struct steps *s = gone, **link = &all;

  mesi_lock();
  while (*link != s)
    link = &(*link)->next;
  *link = s->next;
  mesi_unlock();
  free(s);
}

static void make_key(void)
{
  pthread_key_create(&key, thread_ends);
}

static struct steps *of_thread(void)
{
  if (!current) {
    current = mesi_need(calloc(1, sizeof *current));
    pthread_once(&once, make_key);
    pthread_setspecific(key, current);
    current->next = all;
    all = current;
  }
  return current;
}

static int slot_of(const struct mesi_steps *steps, unsigned param)
{
  for (unsigned i = 0; i < steps->slot_count; i++)
    if (steps->slots[i].param == param)
      return (int)i;
  return -1;
}

/* Sizes and numbers that fit. */
static bool fits(const struct mesi_steps *steps, const struct mesi_kernel_launch *launch, const unsigned long long totals[3])
{
  size_t bytes = 0;

  for (unsigned i = 0; i < launch->count; i++)
    bytes += (launch->sizes[i] + 7) / 8 * 8;
  for (unsigned axis = 0; axis < 3; axis++)
    if (!totals[axis] || totals[axis] > 0x3fffffff || (axis >= steps->axes && totals[axis] != 1))
      return false;
  return launch->count <= ARGS && bytes <= ARG_BYTES && steps->depth <= MESI_STEPS_MOST;
}

/* Do the arrays that change places lead to different objects, and nothing else of the launch to one of these? */
static bool apart(const struct mesi_steps *steps, const struct mesi_kernel_launch *launch, int device)
{
  const struct mesi_object *objects[MESI_STEPS_SLOTS];

  for (unsigned i = 0; i < steps->slot_count; i++) {
    void *pointer;
    memcpy(&pointer, launch->args[steps->slots[i].param], sizeof pointer);
    objects[i] = mesi_object_on_device(device, pointer);
    if (!objects[i] || objects[i]->mode == MESI_EAGER || objects[i]->pointers || mesi_launch_names(objects[i]))
      return false;
    for (unsigned k = 0; k < i; k++)
      if (objects[i] == objects[k] && !SEEDED(STEPS_ALIAS))
        return false;
  }
  for (unsigned i = 0; i < launch->count; i++) {
    void *pointer;
    if (launch->sizes[i] != sizeof pointer || slot_of(steps, i) >= 0)
      continue;
    memcpy(&pointer, launch->args[i], sizeof pointer);
    const struct mesi_object *object = mesi_object_on_device(device, pointer);
    for (unsigned k = 0; object && k < steps->slot_count; k++)
      if (objects[k] == object)
        return false;
  }
  return true;
}

static bool is_value(const struct mesi_steps *steps, unsigned arg)
{
  for (unsigned i = 0; i < steps->value_count; i++)
    if (steps->values[i] == arg)
      return true;
  return false;
}

/* Is it the next one of those that are held back? */
static bool continues(struct steps *s, const struct mesi_steps *steps, const struct mesi_kernel_launch *launch, const unsigned long long totals[3],
                      int device)
{
  bool same = s->count && s->steps == steps && s->device == device && s->launch.function == launch->function && s->launch.count == launch->count &&
              !memcmp(s->totals, totals, sizeof s->totals) && !memcmp(s->launch.grid, launch->grid, sizeof launch->grid) &&
              !memcmp(s->launch.block, launch->block, sizeof launch->block);

  for (unsigned i = 0; same && i < launch->count; i++) {
    int slot = slot_of(steps, i);
    unsigned before = slot >= 0 ? steps->slots[steps->slots[slot].next].param : i;
    same = s->sizes[i] == launch->sizes[i] && (is_value(steps, i) || !memcmp(argument(s, s->count - 1, before), launch->args[i], launch->sizes[i]));
  }
  return same;
}

static void begin(struct steps *s, const struct mesi_steps *steps, const struct mesi_kernel_launch *launch, const unsigned long long totals[3],
                  int device)
{
  size_t at = 0;

  s->steps = steps;
  s->launch = *launch;
  s->device = device;
  memcpy(s->totals, totals, sizeof s->totals);
  for (unsigned i = 0; i < launch->count; i++) {
    s->sizes[i] = launch->sizes[i];
    s->offsets[i] = at;
    at += (launch->sizes[i] + 7) / 8 * 8;
  }
  s->since = now_ms();
}

static void keep(struct steps *s, const struct mesi_kernel_launch *launch)
{
  struct held *held = &s->held[s->count];

  held->site = mesi_launch_site();
  for (unsigned i = 0; i < launch->count; i++)
    memcpy(argument(s, s->count, i), launch->args[i], launch->sizes[i]);
  s->count++;
}

/* As many as fit one launch go out once one more is there. */
static void make_full(struct steps *s)
{
  unsigned depth = depth_of(s->steps);

  if (s->count > depth) {
    struct held last = s->held[depth];
    s->count = 0;
    if (make_steps(s, 0, depth))
      mesi_trace_steps(depth);
    else
      for (unsigned i = 0; i < depth; i++)
        make_plain(s, i);
    s->held[0] = last;
    s->count = 1;
    s->since = now_ms();
  } else if (s->count % 8 == 0 && mesi_device.launch && now_ms() - s->since > LONGEST_MS) {
    flush(s);
  }
}

static bool take(const struct mesi_steps *steps, const struct mesi_kernel_launch *launch, const unsigned long long totals[3])
{
  struct steps *s = of_thread();
  int device;

  mesi_check(mesi_device.current(&device), NULL, "no device");
  if (!continues(s, steps, launch, totals, device)) {
    flush(s);
    if (!fits(steps, launch, totals) || !apart(steps, launch, device))
      return false;
    begin(s, steps, launch, totals, device);
  }
  keep(s, launch);
  return true;
}

int mesi_steps_add(const struct mesi_steps *steps, const struct mesi_kernel_launch *launch, mesi_start *start, const void *function,
                   mesi_start *start_steps, const unsigned long long totals[3])
{
  if (!mesi_batch_open() || most_steps() < 3 || !mesi_launch_site())
    return 0;
  mesi_lock();
  bool taken = take(steps, launch, totals);
  if (taken) {
    current->start = start;
    current->function = function;
    current->start_steps = start_steps;
    make_full(current);
  }
  mesi_unlock();
  return taken;
}
