/* SPDX-License-Identifier: MIT */
/* steps.c - launches that hand arrays on, made as one launch of several steps.
 *
 *     k(a, b)  k(b, a)  k(a, b)  k(b, a)
 *         =>  one launch of k_steps(a, b) that does three, then k(b, a)
 *
 * A launch is held back while it continues those before it. It has the same kernel, sizes and
 * arguments, except for the arrays, which change places, and scalars whose values are kept for each
 * launch. The arrays are different VS objects, and no other pointer of the kernel leads to them.
 *
 * k_steps does an odd number of launches: it reads the array that the first one reads and writes
 * the one that the last one writes. That is the other array, so that no block writes bytes that
 * another block still reads. The array that the second to last launch would have written keeps its
 * old bytes. So there is always one more launch behind, which writes the same elements of that
 * array and reads none of them. A run of n launches goes out as launches of `depth` steps, a
 * smaller one, and at least one as it was.
 *
 * Everything that could notice a held launch makes it go out first: all that flushes a batch
 * (batch.c), in whose place these launches are. All functions require the lock. The thread that
 * holds the launches makes them, or another one that flushes.
 */
#include "steps.h"

#include "../stream/batch.h"
#include "../base/error.h"
#include "launch.h"
#include "../mesi.h"
#include "../object/object.h"
#include "../stream/order.h"
#include "../seeded.h"
#include "../trace/trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ARGS = 24, ARG_BYTES = 256, KINDS = 2 }; /* of a launch that is held back */
enum { ALL_ARGS = 2 * ARGS + 1 + 2 * MESI_STEPS_BUFFERS };
#define LONGEST_MS \
  0.5 /* that one is held back while the program makes further ones, on a device of its own */

struct kind { /* a kernel of the launches; two may take turns */
  const struct mesi_steps *steps;
  struct mesi_kernel_launch launch; /* without its arguments */
  mesi_start *start;
  const void *function; /* the kernel of several launches, beginning with this kind */
  mesi_start *start_steps;
  size_t sizes[ARGS];   /* of the arguments */
  size_t offsets[ARGS]; /* of the arguments in held.bytes */
};

struct held {
  const struct mesi_site *site;
  unsigned kind;
  unsigned char bytes[ARG_BYTES];
};

struct steps { /* the launches that a thread holds back */
  struct steps *next;
  struct kind kinds[KINDS];
  /* kinds seen since the first launch that is held back, or before */
  unsigned kind_count;
  unsigned long long totals[3];
  int device;
  unsigned count; /* launches held back */
  double since;   /* the time of the first of them, ms */
  struct held held[MESI_STEPS_MOST + 1];
};

static struct steps *all;
static _Thread_local struct steps *current;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* its destructor notices the end of a thread */

/* ---- launches ---- */

/* The most launches that become one; below 3: none do. */
static unsigned most_steps(void)
{
  static int known = -1;
  if (known < 0) {
    const char *text = getenv("MESI_STEPS");
    long wanted = text ? strtol(text, NULL, 10) : MESI_STEPS_MOST;
    known = wanted < 0                 ? 0
            : wanted > MESI_STEPS_MOST ? MESI_STEPS_MOST
                                       : (int)wanted - (wanted % 2 == 0 && wanted > 0);
  }
  return (unsigned)known;
}

static unsigned depth_of(const struct mesi_steps *steps)
{
  return steps->depth < most_steps() ? steps->depth : most_steps();
}

static struct kind *kind_of(struct steps *s, unsigned launch)
{
  return &s->kinds[s->held[launch].kind];
}

static void *argument(struct steps *s, unsigned launch, unsigned arg)
{
  return s->held[launch].bytes + kind_of(s, launch)->offsets[arg];
}

/* Makes the launch now, behind those that the batch holds for a graph. Each is timed by itself. */
static void make(const struct steps *s, const struct mesi_site *site,
                 const struct mesi_kernel_launch *launch, mesi_start *start)
{
  mesi_batch_submit();
  mesi_trace_launch_starts(site, s->device, NULL);
  mesi_device.before_launch(s->device);
  start(launch);
  mesi_check(mesi_device.launch_error(s->device), NULL, "launch failed");
  mesi_trace_held_ends(site, s->device);
}

static void make_plain(struct steps *s, unsigned number)
{
  const struct kind *kind = kind_of(s, number);
  struct mesi_kernel_launch launch = kind->launch;
  void *args[ARGS];

  for (unsigned i = 0; i < launch.count; i++) args[i] = argument(s, number, i);
  launch.args = args;
  launch.sizes = kind->sizes;
  make(s, s->held[number].site, &launch, kind->start);
}

/* The points that a tile loses at its ends over `depth` launches. Where warps have tiles of their
 * own, a multiple of four. */
static int margin_of(const struct mesi_steps *steps, unsigned depth)
{
  int margin = steps->moves[0] * (int)((depth + 1) / 2) + steps->moves[1] * (int)(depth / 2);
  margin = steps->tiles > 1 ? (margin + 3) / 4 * 4 : margin;
  return margin - SEEDED(STEPS_MARGIN_SHORT);
}

/* The blocks of a launch of `depth` steps; false: there are too many. */
static bool find_grid(const struct steps *s, const struct mesi_steps *steps, unsigned depth,
                      unsigned grid[3])
{
  for (unsigned axis = 0; axis < 3; axis++) {
    unsigned long long own =
        axis < steps->axes
            ? (unsigned long long)(steps->tile[axis] - margin_of(steps, depth) * steps->halo[axis])
            : 1;
    unsigned long long blocks = (s->totals[axis] + own - 1) / own;
    if (!axis) blocks = (blocks + steps->tiles - 1) / steps->tiles;
    if (blocks > (axis ? 65535 : 0x7fffffff)) return false;
    grid[axis] = (unsigned)blocks;
  }
  return true;
}

/* The bounds of the buffers' objects, relative to the first launch's pointers. */
static void find_bounds(struct steps *s, unsigned first, struct mesi_steps_run *run)
{
  const struct mesi_steps *steps = kind_of(s, first)->steps;

  for (unsigned i = 0; i < steps->buffer_count; i++) {
    const struct mesi_steps_buffer *buffer = &steps->buffers[i];
    char *pointer;
    if (buffer->param == MESI_STEPS_NAMED) {
      run->end[i] = (long long)buffer->elements;
      continue;
    }
    memcpy(&pointer, argument(s, first, buffer->param), sizeof pointer);
    const struct mesi_object *object = mesi_object_on_device(s->device, pointer);
    long long before = pointer - (char *)object->device[s->device].address,
              bytes = (long long)buffer->bytes;
    run->first[i] = -(before / bytes);
    run->end[i] = ((long long)object->size - before) / bytes;
  }
}

static int buffer_of(const struct mesi_steps *steps, unsigned param)
{
  for (unsigned i = 0; i < steps->buffer_count; i++)
    if (steps->buffers[i].param == param) return (int)i;
  return -1;
}

struct arguments { /* the arguments of a launch of several steps */
  void *items[ALL_ARGS];
  size_t sizes[ALL_ARGS];
  unsigned count;
  struct mesi_steps_run run;
  struct mesi_steps_values values[2 * MESI_STEPS_BUFFERS];
  unsigned value_count;
};

static void add_argument(struct arguments *a, void *item, size_t size)
{
  a->items[a->count] = item;
  a->sizes[a->count++] = size;
}

/* Adds the values of launches first + which, first + which + 2 and so on, or of all launches. */
static void add_values(struct steps *s, unsigned first, unsigned depth, unsigned which,
                       struct arguments *a)
{
  const struct kind *kind = kind_of(s, first + which);

  for (unsigned v = 0; v < kind->steps->value_count; v++) {
    struct mesi_steps_values *values = &a->values[a->value_count++];
    unsigned param = kind->steps->values[v];
    memset(values, 0, sizeof *values);
    for (unsigned t = which; t < depth; t += kind->steps->next == kind->steps ? 1 : 2)
      memcpy(&values->value[t], argument(s, first + t, param), kind->sizes[param]);
    add_argument(a, values, sizeof *values);
  }
}

/* Makes `depth` launches from `first` on as one. */
static bool make_steps(struct steps *s, unsigned first, unsigned depth)
{
  const struct kind *kind = kind_of(s, first);
  const struct mesi_steps *steps = kind->steps, *next = steps->next;
  struct mesi_kernel_launch launch = {
      .function = kind->function,
      .block = {steps->threads[0], steps->threads[1], steps->threads[2]}};
  struct arguments a;

  if (!find_grid(s, steps, depth, launch.grid)) return false;
  memset(&a.run, 0, sizeof a.run);
  a.count = a.value_count = 0;
  a.run.depth = (int)depth;
  a.run.margin = margin_of(steps, depth);
  for (unsigned axis = 0; axis < 3; axis++) a.run.total[axis] = (int)s->totals[axis];
  find_bounds(s, first, &a.run);
  for (unsigned i = 0; i < steps->params; i++)
    add_argument(&a, argument(s, first, i), kind->sizes[i]);
  for (unsigned i = 0; next != steps && i < next->params; i++)
    if (buffer_of(next, i) < 0)
      add_argument(&a, argument(s, first + 1, i), kind_of(s, first + 1)->sizes[i]);
  add_argument(&a, &a.run, sizeof a.run);
  for (unsigned which = 0; which < 1u + (next != steps); which++)
    add_values(s, first, depth, which, &a);
  launch.args = a.items;
  launch.sizes = a.sizes;
  launch.count = a.count;
  make(s, s->held[first].site, &launch, kind->start_steps);
  mesi_trace_steps(depth);
  return true;
}

/* The number of the `count` launches that become one next: odd, at most `most`, and such that all
 * parts are about as long. */
static unsigned next_depth(unsigned count, unsigned most)
{
  unsigned parts = (count + most - 1) / most, depth = (count + parts - 1) / parts;

  if (depth % 2) return depth;
  return depth < most && depth < count ? depth + 1 : depth - 1;
}

/* Makes the first `count` launches; the last of them goes out as it was. */
static void make_first(struct steps *s, unsigned count)
{
  unsigned most = depth_of(s->kinds[0].steps);

  for (unsigned i = 0; i < count;) {
    unsigned left = count - i, depth = left > 3 ? next_depth(left - 1, most) : 1;
    if (SEEDED(STEPS_EVEN) && left > 2) depth = left < most ? left : most;
    bool together = left > 3 && make_steps(s, i, depth);
    if (!together) make_plain(s, i);
    i += together ? depth : 1;
  }
}

static void flush(struct steps *s)
{
  unsigned count = s->count;

  s->count = 0; /* the launch that is timed may flush */
  if (!count) return;
  make_first(s, count - SEEDED(STEPS_LAST_LOST));
  if (mesi_launch_site()) /* the thread makes a launch behind these */
    mesi_trace_launch_starts(mesi_launch_site(), s->device, NULL);
}

void mesi_steps_flush(void)
{
  for (struct steps *s = all; s; s = s->next) flush(s);
}

void mesi_steps_end(void)
{
  mesi_lock();
  mesi_steps_flush();
  mesi_unlock();
}

/* ---- launches that are held back ---- */

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
  while (*link != s) link = &(*link)->next;
  *link = s->next;
  mesi_unlock();
  free(s);
}

static void make_key(void)
{
  pthread_key_create(&key, thread_ends);
  mesi_batch_after(mesi_steps_flush);
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

/* Is there room for the arguments, and are the sizes within the limits? */
static bool fits(const struct mesi_steps *steps, const struct mesi_kernel_launch *launch,
                 const unsigned long long totals[3])
{
  size_t bytes = 0;

  for (unsigned i = 0; i < launch->count; i++) bytes += (launch->sizes[i] + 7) / 8 * 8;
  for (unsigned axis = 0; axis < 3; axis++)
    if (!totals[axis] || totals[axis] > 0x3fffffff || (axis >= steps->axes && totals[axis] != 1))
      return false;
  return launch->count <= ARGS && bytes <= ARG_BYTES && steps->depth <= MESI_STEPS_MOST;
}

static const struct mesi_object *object_of(const struct mesi_kernel_launch *launch, unsigned arg,
                                           int device)
{
  void *pointer;

  memcpy(&pointer, launch->args[arg], sizeof pointer);
  return mesi_object_on_device(device, pointer);
}

/* Do the arrays that change places lead to different objects, and no other pointer of the launch to
 * one of these? */
static bool apart(const struct mesi_steps *steps, const struct mesi_kernel_launch *launch,
                  int device)
{
  const struct mesi_object *objects[MESI_STEPS_BUFFERS] = {NULL};

  for (unsigned i = 0; i < steps->buffer_count; i++) {
    if (steps->buffers[i].param == MESI_STEPS_NAMED) continue;
    objects[i] = object_of(launch, steps->buffers[i].param, device);
    if (!objects[i] || objects[i]->mode == MESI_EAGER || objects[i]->pointers) return false;
    for (unsigned k = 0; k < i; k++)
      if (objects[i] == objects[k] && !SEEDED(STEPS_ALIAS)) return false;
  }
  for (unsigned i = 0; i < launch->count; i++) {
    const struct mesi_object *object =
        launch->sizes[i] == sizeof(void *) ? object_of(launch, i, device) : NULL;
    if (object && mesi_launch_names(object)) return false;
    for (unsigned k = 0; object && buffer_of(steps, i) < 0 && k < steps->buffer_count; k++)
      if (objects[k] == object) return false;
  }
  return true;
}

static bool is_value(const struct mesi_steps *steps, unsigned arg)
{
  for (unsigned i = 0; i < steps->value_count; i++)
    if (steps->values[i] == arg) return true;
  return false;
}

/* The record of the launch's kind; NULL: it has not been seen. */
static struct kind *find_kind(struct steps *s, const struct mesi_steps *steps)
{
  for (unsigned i = 0; i < s->kind_count; i++)
    if (s->kinds[i].steps == steps) return &s->kinds[i];
  return NULL;
}

static bool same_kind(const struct kind *kind, const struct mesi_kernel_launch *launch)
{
  return kind->launch.function == launch->function && kind->launch.count == launch->count &&
         !memcmp(kind->launch.grid, launch->grid, sizeof launch->grid) &&
         !memcmp(kind->launch.block, launch->block, sizeof launch->block);
}

/* Does the launch have the arrays of the one before, and otherwise the arguments of the latest of
 * its kind? */
static bool same_arguments(struct steps *s, const struct mesi_steps *steps,
                           const struct mesi_kernel_launch *launch)
{
  unsigned back = steps->next == steps ? 1 : 2;
  bool same = true;

  for (unsigned i = 0; i < steps->buffer_count && same; i++) {
    const struct mesi_steps_buffer *buffer = &steps->buffers[i];
    unsigned before = kind_of(s, s->count - 1)->steps->buffers[buffer->before].param;
    same = buffer->param == MESI_STEPS_NAMED ||
           !memcmp(argument(s, s->count - 1, before), launch->args[buffer->param], sizeof(void *));
  }
  for (unsigned i = 0; i < launch->count && same && s->count >= back; i++)
    same = buffer_of(steps, i) >= 0 || is_value(steps, i) ||
           (kind_of(s, s->count - back)->sizes[i] == launch->sizes[i] &&
            !memcmp(argument(s, s->count - back, i), launch->args[i], launch->sizes[i]));
  return same;
}

/* Is a launch of the same kind held back, whose arguments this one must have? */
static bool is_known(const struct steps *s, const struct mesi_steps *steps)
{
  return s->count >= (steps->next == steps ? 1 : 2);
}

/* Is the launch the next one after those that are held back? */
static bool continues(struct steps *s, const struct mesi_steps *steps,
                      const struct mesi_kernel_launch *launch, const unsigned long long totals[3],
                      int device)
{
  if (!s->count || s->device != device || memcmp(s->totals, totals, sizeof s->totals) ||
      kind_of(s, s->count - 1)->steps->next != steps)
    return false;
  if (is_known(s, steps) && !same_kind(find_kind(s, steps), launch)) return false;
  return same_arguments(s, steps, launch);
}

static void note_kind(struct steps *s, const struct mesi_steps *steps,
                      const struct mesi_kernel_launch *launch)
{
  struct kind *kind = find_kind(s, steps);
  size_t at = 0;

  if (!kind) kind = &s->kinds[s->kind_count++];
  kind->steps = steps;
  kind->launch = *launch;
  for (unsigned i = 0; i < launch->count; i++) {
    kind->sizes[i] = launch->sizes[i];
    kind->offsets[i] = at;
    at += (launch->sizes[i] + 7) / 8 * 8;
  }
}

static void keep(struct steps *s, const struct mesi_steps *steps,
                 const struct mesi_kernel_launch *launch)
{
  struct held *held = &s->held[s->count];

  held->site = mesi_launch_site();
  held->kind = (unsigned)(find_kind(s, steps) - s->kinds);
  for (unsigned i = 0; i < launch->count; i++)
    memcpy(argument(s, s->count, i), launch->args[i], launch->sizes[i]);
  s->count++;
}

/* Makes as many launches as fit in one, once another one is behind them. */
static void make_full(struct steps *s)
{
  unsigned depth = depth_of(s->kinds[0].steps);

  if (s->count > depth) {
    struct held last = s->held[depth];
    s->count = 0;
    if (!make_steps(s, 0, depth))
      for (unsigned i = 0; i < depth; i++) make_plain(s, i);
    s->held[0] = last;
    s->count = 1;
    s->since = now_ms();
  } else if (s->count % 8 == 0 && mesi_device.launch && now_ms() - s->since > LONGEST_MS) {
    flush(s);
  }
}

static bool take(const struct mesi_steps *steps, const struct mesi_kernel_launch *launch,
                 const unsigned long long totals[3])
{
  struct steps *s = of_thread();
  int device = mesi_launch_device();
  bool may_start =
      is_known(s, steps) || (fits(steps, launch, totals) && apart(steps, launch, device));
  bool goes_on = may_start && continues(s, steps, launch, totals, device);
  if (!goes_on) {
    flush(s);
    if (!fits(steps, launch, totals) || !apart(steps, launch, device)) return false;
    s->kind_count = 0;
    s->device = device;
    s->since = now_ms();
    memcpy(s->totals, totals, sizeof s->totals);
  }
  if (!is_known(s, steps)) note_kind(s, steps, launch);
  keep(s, steps, launch);
  return true;
}

int mesi_steps_add(const struct mesi_steps *steps, const struct mesi_kernel_launch *launch,
                   mesi_start *start, const void *function, mesi_start *start_steps,
                   const unsigned long long totals[3])
{
  if (!mesi_batch_open() || most_steps() < 3 || !mesi_launch_site()) return 0;
  mesi_lock_to_launch();
  bool taken = take(steps, launch, totals);
  if (taken) {
    struct kind *kind = find_kind(current, steps);
    kind->start = start;
    kind->function = function;
    kind->start_steps = start_steps;
    make_full(current);
    mesi_launch_held();
  }
  mesi_unlock();
  return taken;
}
