/* SPDX-License-Identifier: MIT */
/* gate.c - the choice between one device and several for a launch.
 *
 *     step<<<grid, block>>>(a, b)     0.905 ms on one device; on two 0.45 ms, and 0.13 MB
 *                                     between them: over several
 *     small<<<8, 128>>>(a)            4 us: on one
 *
 * A launch goes out at once where it touches so many bytes that several devices pay whatever it
 * computes. Other launches are timed first on one device: the second launch of a site, since the
 * first one loads the kernel, or a run of launches where a batch holds them back. The prediction is
 *
 *     several = share of the busiest device * one + SUBMIT + exchanged bytes / link
 *
 * and no device is faster than its memory. Data that lie on other devices have to be moved once.
 * The move is worth its price when launches on one device have lost as much time (as one buys skis
 * when renting has cost their price). Then the launch over several devices is timed. A site that
 * does not gain goes back to one device for good.
 *
 * Opening other devices takes OPENING ms, once; launches must have lost that time before, too.
 * Launches that a batch may make as one are timed before all else: together they touch less memory
 * than one by one. A site that stays on one device again and again passes unasked for a while, so
 * that the gate adds no time to short launches.
 *
 * A site without a time borrows that of another one with the same kernel, blocks and bytes. A
 * launch over several devices that takes another time than follows from it ends the loan.
 *
 * Speeds of copies between two devices and within one are measured at the first launch for which
 * several devices may pay, behind all that these devices still have to do.
 *
 * Where several ranks run the program each comes to the same choice: the longest time of any rank
 * counts, and rank 0's speeds do. All else that the choice rests on, all ranks have alike.
 *
 * MESI_SPREAD is auto, always, never or turns (every other launch; for
 * tests).
 */
#include "gate.h"

#include "../base/error.h"
#include "../base/ranks.h"
#include "../stream/batch.h"
#include "../stream/devices.h"
#include "../stream/order.h"
#include "../seeded.h"
#include "../transfer/state.h"
#include "../trace/timeline.h"
#include "../trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUBMIT 0.030 /* ms more than on one device: launches, copies and waits */
#define OPENING 130  /* ms, once: the first use of other devices */
#define LEAST 0.98   /* of the time on one device: a longer time is no gain */
#define ALIKE 1.25   /* times that differ by less may be those of the same launch */
#define FASTEST 1e10 /* bytes a ms of a device's memory where its speed is not measured */

enum {
  SITES = 256,
  SINGLE_FROM = 1, /* a site's first launch is not timed */
  SINGLES = 3,
  WINDOW_FROM = 8, /* launches that a batch holds back are timed together */
  WINDOW = 32,
  PROBE_BYTES = 64 << 20,
  PASSES = 256, /* sites in the table of passing ones, by their addresses */
  SURE = 8,     /* decisions in a row for one device, before ... */
  PASSED = 127  /* ... so many launches of the site pass unasked */
};

/* ---- the prediction ---- */

double mesi_gate_one(const struct mesi_gate_costs *c)
{
  return c->one >= 0 ? c->one : c->touched / c->memory;
}

double mesi_gate_several(const struct mesi_gate_costs *c)
{
  double least = c->touched / c->memory, each = (c->one > least ? c->one : least) * c->share;
  return each + SUBMIT + (SEEDED(GATE_LINK_IGNORED) ? 0 : c->steady / c->link);
}

bool mesi_gate_pays(const struct mesi_gate_costs *c, double saved)
{
  double one = mesi_gate_one(c), several = mesi_gate_several(c);
  double moved = (c->to_several - c->to_one) / c->link;
  return several < LEAST * one && moved < one - several + saved;
}

bool mesi_gate_lost(double one, double several)
{
  return several > LEAST * one && !SEEDED(GATE_NOT_CHECKED);
}

/* ---- the records of sites ---- */

struct timing { /* of launches of a site, on one device or on several */
  unsigned launches;
  unsigned samples;
  double ms;          /* the least time; below 0: not known */
  void *start, *stop; /* events of the sample under way; NULL: none */
  unsigned from;      /* launches of the site before the start */
  unsigned long all;  /* launches of all sites before the sample; at its end, those in it */
  unsigned in;        /* launches of the site in the sample; 0: it has not ended */
};

struct known {
  const struct mesi_site *site;
  unsigned blocks;
  struct timing one, several;
  struct mesi_gate_costs costs; /* of the latest launch */
  double saved;                 /* ms that staying on one device has lost */
  bool held;                    /* a batch has held a launch back */
  bool borrowed;                /* one.ms is the time of a like site */
  bool returned;                /* it was none: no other is borrowed */
  bool settled;                 /* the site stays on one device for good */
};

static struct known sites[SITES];
static unsigned site_count;
static unsigned long all_launches;
static double link_speed, memory_speed; /* 0: not measured */

/* Prints a line of MESI_STATS for each site that the gate has a record of. */
static void print_stats(FILE *file)
{
  if (link_speed > 0)
    fprintf(file, "link %.1f GB/s between devices, %.1f GB/s of memory\n", link_speed / 1e6,
            memory_speed / 1e6);
  for (unsigned i = 0; i < site_count; i++) {
    const struct known *known = &sites[i];
    fprintf(file, "gate %s %s blocks %u one %u launches %.4f ms several %u launches %.4f ms",
            known->site->kernel, known->site->place, known->blocks, known->one.launches,
            known->one.ms, known->several.launches, known->several.ms);
    fprintf(file, " predicted %.4f ms\n",
            known->costs.link > 0 ? mesi_gate_several(&known->costs) : -1.0);
  }
}

/* Has the other site a time that the site may borrow? Both have costs. */
static bool lends(const struct known *other, const struct known *known)
{
  return other != known && other->one.ms >= 0 && !other->borrowed &&
         other->blocks == known->blocks && other->costs.touched == known->costs.touched &&
         other->costs.steady == known->costs.steady &&
         strcmp(other->site->kernel, known->site->kernel) == 0;
}

static struct known *find(const struct launch *launch)
{
  for (unsigned i = 0; i < site_count; i++)
    if (sites[i].site == launch->site && sites[i].blocks == launch->parts.blocks) return &sites[i];
  if (site_count == SITES) return NULL;
  if (!site_count) mesi_trace_add_stats(print_stats);
  sites[site_count] =
      (struct known){.site = launch->site, .blocks = launch->parts.blocks, .one.ms = -1};
  sites[site_count].several.ms = -1;
  return &sites[site_count++];
}

/* ---- launches that pass unasked ---- */

struct passing {
  const struct mesi_site *site;
  unsigned stayed; /* decisions in a row for one device */
  unsigned left;   /* launches that still pass */
};

static struct passing passing[PASSES];

static struct passing *passing_of(const struct mesi_site *site)
{
  struct passing *found = &passing[(uintptr_t)site / sizeof *site % PASSES];
  if (found->site != site) *found = (struct passing){.site = site};
  return found;
}

bool mesi_gate_passes(const struct mesi_site *site)
{
  struct passing *found = passing_of(site);
  /* the table's order is one of addresses, which differ between ranks */
  if (!found->left || mesi_objects_reserved() || mesi_ranks_several()) return false;
  found->left--;
  return true;
}

static void note_stay(const struct mesi_site *site, bool stays)
{
  struct passing *found = passing_of(site);
  found->stayed = stays ? found->stayed + 1 : 0;
  if (found->stayed >= SURE) found->left = PASSED;
}

/* ---- speeds ---- */

/* Bytes a ms of copies on the lane, of devices that do nothing else. */
static double copied(int device, void *to, int other, const void *from)
{
  void *queue, *start = NULL, *stop;
  double ms = 0;
  mesi_check(mesi_device.lane(device, MESI_TO_DEVICE, &queue), NULL, "timing");
  for (int i = 0; i < 2; i++) {
    if (i && !mesi_ranks_elsewhere(device)) start = mesi_timeline_event(device, queue);
    mesi_check(mesi_device.copy_between(device, to, other, from, PROBE_BYTES), NULL,
               "copying between devices");
  }
  if (start) {
    stop = mesi_timeline_event(device, queue);
    mesi_check(mesi_device.elapsed(device, start, stop, &ms), NULL, "timing");
  }
  return PROBE_BYTES / (ms > 1e-3 ? ms : 1e-3);
}

static void *probe_memory(int device)
{
  void *memory = NULL;
  mesi_check(mesi_device.alloc(device, PROBE_BYTES, &memory), NULL, "memory for timing");
  return memory;
}

static void drop(int device, void *memory)
{
  if (memory) mesi_check(mesi_device.free(device, memory), NULL, "memory for timing");
}

static void measure(void)
{
  static bool done;
  if (done) return;
  done = true;
  mesi_batch_flush();
  /* the last device is another rank's, where there are several */
  int first = mesi_devices_at(0),
      other = mesi_devices_at(mesi_ranks_several() ? mesi_devices_count() - 1 : 1);
  void *here = probe_memory(first), *there = probe_memory(other), *beside = probe_memory(first);
  if (mesi_ranks_all(here && there && beside)) {
    mesi_check(mesi_device.wait(other), NULL, "timing");
    if (!SEEDED(GATE_DEVICE_BUSY)) mesi_check(mesi_device.wait(first), NULL, "timing");
    link_speed = copied(first, here, other, there);
    memory_speed = 2 * copied(first, here, first, beside);
    mesi_ranks_of_first(&link_speed, sizeof link_speed);
    mesi_ranks_of_first(&memory_speed, sizeof memory_speed);
  }
  drop(first, here);
  drop(other, there);
  drop(first, beside);
}

/* ---- the costs of a launch ---- */

/* The bytes that the part gets from its neighbours, or from all parts, where it reads more than it
 * writes. */
static double exchanged(const struct mesi_pending *pending)
{
  const struct mesi_part *part = &pending->read_part;
  ptrdiff_t more = part->end - part->begin - part->step;
  double whole = (double)mesi_span_bytes(pending->read);
  if (part->step <= 0 || more <= 0) return 0;
  return (double)more < whole ? (double)more : whole;
}

static double missing(const struct mesi_parts *parts, int device, unsigned part)
{
  double bytes = 0;
  for (unsigned i = 0; i < parts->count; i++) {
    const struct mesi_pending *pending = &parts->items[i];
    bool whole = part >= parts->number;
    struct mesi_span read = whole ? pending->read : mesi_parts_read(parts, pending, part),
                     write = whole ? pending->write : mesi_parts_write(parts, pending, part);
    if (pending->access & MESI_READ)
      bytes += (double)mesi_state_missing(pending->object, device, read);
    else if (!(pending->access & MESI_OVERWRITE))
      bytes += (double)mesi_state_missing(pending->object, device, write);
  }
  return bytes;
}

static struct mesi_gate_costs costs_of(const struct launch *launch, const struct known *known)
{
  const struct mesi_parts *parts = &launch->parts;
  struct mesi_gate_costs costs = {.one = known->one.ms,
                                  .link = link_speed > 0 ? link_speed : 1,
                                  .memory = memory_speed > 0 ? memory_speed : FASTEST};
  unsigned most = 0;
  for (unsigned i = 0; i < parts->count; i++) {
    const struct mesi_pending *pending = &parts->items[i];
    if (pending->access & MESI_READ) costs.touched += (double)mesi_span_bytes(pending->read);
    if (pending->access & MESI_WRITE) costs.touched += (double)mesi_span_bytes(pending->write);
    costs.steady += exchanged(pending);
  }
  for (unsigned i = 0; i < parts->number; i++) {
    double bytes = missing(parts, mesi_devices_at((int)i), i);
    unsigned blocks = mesi_parts_blocks(parts, i);
    most = blocks > most ? blocks : most;
    costs.to_several = bytes > costs.to_several ? bytes : costs.to_several;
  }
  costs.share = (double)most / parts->blocks;
  costs.to_one = missing(parts, launch->uses.device, parts->number);
  return costs;
}

/* ---- timing ---- */

/* Where this rank's part of a launch is: the launch's own device and stream, or the default stream
 * of the rank's first device. */
static struct place place_of(const struct launch *launch)
{
  struct place place = {launch->uses.device, launch->stream, launch->handle};
  for (int i = 0; mesi_ranks_elsewhere(place.device) && i < mesi_devices_count(); i++)
    if (!mesi_ranks_elsewhere(mesi_devices_at(i)))
      return (struct place){mesi_devices_at(i), 0, (void *)1}; /* cudaStreamLegacy */
  return place;
}

/* Turns a sample that has ended into a time, which replaces a borrowed one; the host waits for its
 * events. */
static void read_sample(struct timing *timing, const struct launch *launch, bool borrowed)
{
  double ms = 0;
  if (!timing->in) return;
  mesi_check(mesi_device.elapsed(place_of(launch).device, timing->start, timing->stop, &ms), NULL,
             "timing");
  ms = mesi_ranks_most(ms) / timing->in;
  if (timing->ms < 0 || ms < timing->ms || borrowed) timing->ms = ms;
  timing->start = NULL;
  timing->in = 0;
  timing->samples++;
}

static void read_samples(struct known *known, const struct launch *launch)
{
  bool ends = known->one.in > 0;
  read_sample(&known->one, launch, known->borrowed);
  read_sample(&known->several, launch, false);
  known->borrowed &= !ends;
}

/* The share of the site in a window's launches, where a batch holds them back: the window times all
 * launches of the loop. */
static double share_of_loop(const struct known *known)
{
  unsigned long all = known->one.all;
  return known->held && !known->borrowed && all > WINDOW ? (double)WINDOW / (double)all : 1;
}

static void start_sample(struct timing *timing, const struct launch *launch)
{
  struct place place = place_of(launch);
  timing->start = mesi_timeline_event(place.device, place.handle);
  timing->from = timing->launches;
  timing->all = all_launches;
}

static void stop_sample(struct timing *timing, const struct launch *launch)
{
  struct place place = place_of(launch);
  timing->stop = mesi_timeline_event(place.device, place.handle);
  timing->in = timing->launches - timing->from;
  timing->all = all_launches - timing->all;
}

/* Times one window of launches; it ends in front of a launch. */
static void window(struct timing *timing, const struct launch *launch)
{
  if (timing->samples || timing->in) return;
  bool starts = !timing->start && timing->launches >= WINDOW_FROM,
       ends = timing->start && timing->launches >= timing->from + WINDOW;
  if (!starts && !ends) return;
  mesi_batch_flush();
  (starts ? start_sample : stop_sample)(timing, launch);
}

void mesi_gate_begins(struct launch *launch, bool several)
{
  struct known *known = launch->gated;
  if (!known || launch->stream == MESI_STREAM_UNKNOWN) return;
  struct timing *timing = several ? &known->several : &known->one;
  if (known->held)
    window(timing, launch);
  else if (!timing->start && timing->launches >= SINGLE_FROM && timing->samples < SINGLES)
    start_sample(timing, launch);
}

void mesi_gate_ends(struct launch *launch, bool several)
{
  struct known *known = launch->gated;
  launch->gated = NULL;
  if (!known) return;
  struct timing *timing = several ? &known->several : &known->one;
  all_launches++;
  timing->launches++;
  if (!several && (launch->held || launch->counted) && !known->held) {
    known->held = true;
    timing->start = NULL;
    timing->in = 0;
    timing->samples = SEEDED(GATE_WINDOW_NEVER); /* of single launches; a window is none of them */
    if (!known->borrowed) timing->ms = -1;
  }
  if (!known->held && timing->start && !timing->in && launch->stream != MESI_STREAM_UNKNOWN)
    stop_sample(timing, launch);
}

/* ---- the gate ---- */

enum mode { MODE_UNKNOWN, MODE_AUTO, MODE_ALWAYS, MODE_NEVER, MODE_TURNS };

static enum mode mode(void)
{
  static const char *const names[] = {"", "auto", "always", "never", "turns"};
  static enum mode found;
  if (found) return found;
  const char *text = getenv("MESI_SPREAD");
  found = MODE_AUTO;
  if (!text || !*text) return found;
  found = MODE_UNKNOWN;
  for (int i = MODE_AUTO; i <= MODE_TURNS; i++)
    if (strcmp(text, names[i]) == 0) found = (enum mode)i;
  if (!found)
    mesi_fatal("MESI_SPREAD", NULL, "\"%s\" is none of auto, always, never and turns", text);
  return found;
}

/* A site that has no time asks the others. */
static void borrow(struct known *known)
{
  for (unsigned i = 0; i < site_count && known->one.ms < 0 && !known->returned; i++) {
    if (!lends(&sites[i], known)) continue;
    known->one.ms = sites[i].one.ms * share_of_loop(&sites[i]);
    known->borrowed = true;
  }
}

/* Launches over several devices that do not take the time that follows from a borrowed one show
 * that the sites are not alike. */
static void return_borrowed(struct known *known)
{
  double predicted = mesi_gate_several(&known->costs), ms = known->several.ms;
  bool alike = ms < 0 || (ms < ALIKE * predicted && predicted < ALIKE * ms);
  if (!known->borrowed || alike || SEEDED(GATE_LOAN_KEPT)) return;
  known->borrowed = false;
  known->returned = true;
  known->one.ms = -1;
}

/* Has the site been timed on several devices without a gain? */
static bool loses(struct known *known)
{
  if (known->several.ms < 0 || known->one.ms < 0) return false;
  if (!known->held && known->several.samples < SINGLES) return false;
  return mesi_gate_lost(known->one.ms, known->several.ms);
}

/* Have launches on one device lost the time that opening other devices takes? It is paid once. */
static bool may_open(const struct mesi_gate_costs *costs)
{
  static double missed;
  double gain = mesi_gate_one(costs) * (1 - costs->share) - SUBMIT;
  if (link_speed > 0 || gain + missed >= OPENING) return true;
  if (costs->one >= 0) missed += gain;
  return false;
}

/* *ret_sure: the next launch of the site will be refused, too. */
static const char *refuse_by_time(struct launch *launch, struct known *known, bool *ret_sure)
{
  static const char *const unknown = "its time on one device is not known yet";
  read_samples(known, launch);
  return_borrowed(known);
  if (!known->settled) known->settled = loses(known);
  *ret_sure = known->settled;
  if (known->settled) return "several devices have not been faster";
  known->costs = costs_of(launch, known);
  borrow(known);
  struct mesi_gate_costs *costs = &known->costs;
  costs->one = known->one.ms;
  if (costs->one >= 0) costs->one *= share_of_loop(known);
  bool timed = costs->one >= 0;
  if (!timed && (known->held || mesi_batch_open())) return unknown;
  *ret_sure = timed;
  if (mesi_gate_one(costs) * (1 - costs->share) <= SUBMIT)
    return timed ? "it is too short" : unknown;
  *ret_sure = false;
  if (!may_open(costs)) return timed ? "opening other devices has not paid yet" : unknown;
  measure();
  if (link_speed <= 0) return "the devices have no memory to measure their link";
  costs->link = link_speed;
  if (memory_speed > 0) costs->memory = memory_speed;
  if (mesi_gate_pays(costs, known->saved)) return NULL;
  double gain = mesi_gate_one(costs) - mesi_gate_several(costs);
  if (gain > 0 && timed) known->saved += gain;
  *ret_sure = timed && gain <= 0;
  return timed ? "it is predicted not to gain" : unknown;
}

bool mesi_gate_is_forced(void) { return mode() == MODE_ALWAYS || mode() == MODE_TURNS; }

/* Does the launch's device lack room for all of an object? Then no times are asked for. */
static bool has_reserved(const struct launch *launch)
{
  for (unsigned i = 0; i < launch->parts.count; i++)
    if (launch->parts.items[i].object->device[launch->uses.device].reserved) return true;
  return false;
}

const char *mesi_gate_refuses(struct launch *launch)
{
  static unsigned turn;
  launch->gated = NULL;
  switch (mode()) {
  case MODE_ALWAYS: return NULL;
  case MODE_NEVER: return "MESI_SPREAD says so";
  case MODE_TURNS: return turn++ % 2 ? NULL : "MESI_SPREAD says so";
  default: break;
  }
  if (has_reserved(launch)) return NULL;
  struct known *known = find(launch);
  if (!known) return "there are too many launches to time";
  launch->gated = known;
  bool sure = false;
  const char *why = refuse_by_time(launch, known, &sure);
  note_stay(launch->site, why && sure);
  return why;
}
