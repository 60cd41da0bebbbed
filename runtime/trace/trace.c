/* SPDX-License-Identifier: MIT */
/* trace.c - counts and times, the lines of MESI_TRACE, the trace file.
 *
 * Times are taken where MESI_STATS or a trace file is requested, by events around each transfer and
 * launch (timeline.c). The names of launches go to a profiler's timeline where one is attached.
 */
#include "trace.h"

#include "../base/error.h"
#include "../base/file.h"
#include "../base/ranks.h"
#include "../seeded.h"
#include "../stream/devices.h"
#include "timeline.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMES_KEPT 4096 /* for the median: times of the launches of one kernel, or of one site */

struct timed {       /* launches of a kernel, or of a launch site */
  const char *name;  /* of the kernel */
  const char *place; /* of the site; NULL: all sites of the kernel */
  unsigned long long launches;
  double ms;
  double *times; /* ms of the first TIMES_KEPT launches */
};

struct totals {
  unsigned long long count, bytes;
};

struct variable { /* totals of the objects with one name */
  char *name;
  struct totals moved[MESI_LANE_COUNT];
  unsigned long long faults;
};

struct tag { /* the tag of an entry of the timeline */
  /* of the launch, or of the launch that a transfer is for; may be NULL */
  const struct mesi_site *site;
  enum mesi_lane lane;   /* MESI_LANE_COUNT: a launch */
  struct mesi_span span; /* of a part of a launch: its blocks; empty: the whole launch */
  const char *cause;
  bool between; /* a copy from device `other` */
  int other;
  char name[64]; /* of the object */
};

static const char *const lane_names[MESI_LANE_COUNT] = {"h2d", "d2h"};

static bool opened, tracing, timing, profiled;
static const char *stats_file;         /* NULL: no statistics */
static FILE *trace_file;               /* NULL: none */
static void (*print_more)(FILE *file); /* NULL: nothing */
static double opened_at;               /* ms */
static unsigned long long planned, planned_staged;
static unsigned long long launches, stepped, parts, faults, joined_bytes, redundant_bytes;
static unsigned long long spread; /* launches over several devices */
static struct totals between;     /* copies from device to device */
static double kernel_ms, transfer_ms;
static struct totals totals[MESI_LANE_COUNT];
static struct timed *timed; /* in the order of the first launch, sites after their kernel */
static size_t timed_count;
static struct variable *variables;
static size_t variable_count;
static void *transfer_start;             /* event of the transfer that is being submitted */
static _Thread_local void *launch_start; /* of the launch that this thread is making */
static _Thread_local bool launch_named;  /* its range is on the profiler's timeline */

void mesi_trace_add_stats(void (*print)(FILE *file)) { print_more = print; }

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Numbers get a decimal point, whatever the program's locale has. */
static locale_t use_plain_numbers(void)
{
  static locale_t plain;
  if (!plain) plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return plain && !SEEDED(PROGRAMS_LOCALE) ? uselocale(plain) : (locale_t)0;
}

static void restore_numbers(locale_t before)
{
  if (before) uselocale(before);
}

static void say(const char *format, ...)
{
  va_list arguments;
  locale_t before = use_plain_numbers();
  va_start(arguments, format);
  vdprintf(2, format, arguments);
  va_end(arguments);
  restore_numbers(before);
}

static void put(FILE *file, const char *format, ...)
{
  va_list arguments;
  locale_t before = use_plain_numbers();
  va_start(arguments, format);
  vfprintf(file, format, arguments);
  va_end(arguments);
  restore_numbers(before);
}

/* A setting; NULL on all ranks but 0, which alone writes. */
static const char *setting(const char *name)
{
  const char *value = mesi_rank() ? NULL : getenv(name);
  return value && *value ? value : NULL;
}

/* ---- the trace file: Chrome's trace event format, "X" events, microseconds ---- */

/* Bytes of the UTF-8 character at the start of the text; 0: there is none. */
static size_t character_bytes(const unsigned char *text)
{
  unsigned char first = text[0];
  size_t bytes = first < 0x80                    ? 1
                 : first >= 0xc2 && first < 0xe0 ? 2
                 : (first & 0xf0) == 0xe0        ? 3
                 : first >= 0xf0 && first < 0xf5 ? 4
                                                 : 0;
  for (size_t i = 1; i < bytes; i++)
    if ((text[i] & 0xc0) != 0x80) return 0;
  if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] >= 0xa0) ||
      (first == 0xf0 && text[1] < 0x90) ||
      (first == 0xf4 && text[1] >= 0x90)) /* too long, surrogates, beyond the last */
    return 0;
  return bytes;
}

/* Writes a JSON string; a byte outside of UTF-8 becomes the replacement character. */
static void write_string(const char *text)
{
  for (size_t bytes; *text; text += bytes ? bytes : 1) {
    bytes = character_bytes((const unsigned char *)text);
    if (*text == '"' || *text == '\\')
      fprintf(trace_file, "\\%c", *text);
    else if (bytes == 1 && *text < ' ')
      fprintf(trace_file, "\\u%04x", (unsigned)*text);
    else if (bytes || SEEDED(NOT_UTF8))
      fwrite(text, 1, bytes ? bytes : 1, trace_file);
    else
      fputs("\\ufffd", trace_file);
  }
}

static void write_head(const char *kind, const char *name, int device, int row,
                       struct mesi_times times)
{
  put(trace_file,
      ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"cat\":\"%s\",\"name\":\"",
      device, row, times.start * 1e3, times.ms * 1e3, kind);
  write_string(name);
  fprintf(trace_file, "\",\"args\":{");
}

static void write_site(const struct mesi_site *site)
{
  fprintf(trace_file, "\"kernel\":\"");
  write_string(site->kernel);
  fprintf(trace_file, "\",\"place\":\"");
  write_string(site->place);
  fprintf(trace_file, "\"");
}

static void write_transfer(const struct tag *tag, int device, struct mesi_times times)
{
  write_head(tag->between ? "peer" : lane_names[tag->lane], tag->name, device, (int)tag->lane,
             times);
  if (tag->between) fprintf(trace_file, "\"from\":%d,", tag->other);
  fprintf(trace_file, "\"begin\":%zu,\"end\":%zu,\"bytes\":%zu,\"cause\":\"%s\"", tag->span.begin,
          tag->span.end, mesi_span_bytes(tag->span), tag->cause);
  if (tag->site) {
    fputc(',', trace_file);
    write_site(tag->site);
  }
  fprintf(trace_file, "}}");
}

static void write_launch(const struct tag *tag, int device, struct mesi_times times)
{
  write_head("launch", tag->site->kernel, device, MESI_LANE_COUNT, times);
  write_site(tag->site);
  if (!mesi_span_empty(tag->span))
    fprintf(trace_file, ",\"first_block\":%zu,\"blocks\":%zu", tag->span.begin,
            mesi_span_bytes(tag->span));
  fprintf(trace_file, "}}");
}

static void open_trace_file(const char *path)
{
  static const char *const rows[] = {"to the device", "to the host", "launches", "host"};
  trace_file = mesi_file_create(path);
  if (!trace_file) {
    mesi_warn("mesi: warning: the trace cannot be written to %s\n", path);
    return;
  }
  fprintf(
      trace_file,
      "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
      "{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"mesi, device %s\"}}",
      mesi_device.name);
  for (int row = 0; row < (int)(sizeof rows / sizeof *rows); row++)
    put(trace_file,
        ",\n{\"ph\":\"M\",\"pid\":0,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}"
        "}",
        row, rows[row]);
}

/* ---- times ---- */

static bool same_place(const char *a, const char *b)
{
  return a == b || (a && b && strcmp(a, b) == 0);
}

static struct timed *find_timed(const char *name, const char *place)
{
  for (size_t i = 0; i < timed_count; i++)
    if (strcmp(timed[i].name, name) == 0 && same_place(timed[i].place, place)) return &timed[i];
  timed = mesi_need(realloc(timed, (timed_count + 1) * sizeof *timed));
  timed[timed_count] =
      (struct timed){name, place, 0, 0, mesi_need(malloc(TIMES_KEPT * sizeof(double)))};
  return &timed[timed_count++];
}

/* `continues`: another part of the launch that the last call counted. */
static void count_launch(struct timed *launch, double ms, bool continues)
{
  if (!continues || !launch->launches) {
    if (launch->launches < TIMES_KEPT) launch->times[launch->launches] = 0;
    launch->launches++;
  }
  if (launch->launches <= TIMES_KEPT) launch->times[launch->launches - 1] += ms;
  launch->ms += ms;
}

static void count_kernel(const struct mesi_site *site, double ms, bool continues)
{
  count_launch(find_timed(site->kernel, NULL), ms, continues);
  count_launch(find_timed(site->kernel, site->place), ms, continues);
  kernel_ms += ms;
}

static void told(const struct mesi_entry *entry, struct mesi_times times)
{
  struct tag *tag = entry->tag;
  if (tag->lane == MESI_LANE_COUNT)
    count_kernel(tag->site, times.ms, tag->span.begin > 0);
  else
    transfer_ms += times.ms;
  if (trace_file && tag->lane == MESI_LANE_COUNT)
    write_launch(tag, entry->device, times);
  else if (trace_file)
    write_transfer(tag, entry->device, times);
  free(tag);
}

void mesi_trace_open(void)
{
  if (opened) return;
  opened = true;
  const char *trace = setting("MESI_TRACE");
  size_t length = trace ? strlen(trace) : 0;
  bool to_file = length > 5 && strcmp(trace + length - 5, ".json") == 0;
  tracing = trace && !to_file && strcmp(trace, "0") != 0;
  stats_file = setting("MESI_STATS");
  opened_at = mesi_timeline_now();
  if (to_file) open_trace_file(trace);
  timing = stats_file || trace_file;
  profiled = mesi_device.range_push && setting("NVTX_INJECTION64_PATH");
  mesi_timeline_begin(told);
}

bool mesi_trace_on(void) { return tracing || timing; }

static void *lane_queue(int device, enum mesi_lane lane)
{
  void *queue = NULL;
  mesi_check(mesi_device.lane(device, lane, &queue), NULL, "timing");
  return queue;
}

static struct tag *new_tag(const struct mesi_site *site, enum mesi_lane lane)
{
  struct tag *tag = mesi_need(calloc(1, sizeof *tag));
  tag->site = site;
  tag->lane = lane;
  return tag;
}

/* ---- transfers and faults ---- */

static struct variable *variable_of(const struct mesi_object *object)
{
  const char *name = object->slab ? "mesi_malloc" : object->name;
  for (size_t i = 0; i < variable_count; i++)
    if (strcmp(variables[i].name, name) == 0) return &variables[i];
  variables = mesi_need(realloc(variables, (variable_count + 1) * sizeof *variables));
  variables[variable_count] = (struct variable){.name = mesi_need(strdup(name))};
  return &variables[variable_count++];
}

static void print_cause(const char *cause)
{
  const struct mesi_site *site = mesi_error_site();
  if (site)
    say(", %s of %s (%s)\n", cause, site->kernel, site->place);
  else
    say(", %s\n", cause);
}

void mesi_trace_transfer_starts(int device, enum mesi_lane lane)
{
  if (timing) transfer_start = mesi_timeline_event(device, lane_queue(device, lane));
}

void mesi_trace_transfer(const struct mesi_object *object, int device, enum mesi_lane lane,
                         struct mesi_span span, const char *cause)
{
  size_t bytes = mesi_span_bytes(span);
  totals[lane].count++;
  totals[lane].bytes += bytes;
  if (timing) {
    struct tag *tag = new_tag(mesi_error_site(), lane);
    tag->span = span;
    tag->cause = cause;
    snprintf(tag->name, sizeof tag->name, "%s", object->name);
    mesi_timeline_add(device, transfer_start, lane_queue(device, lane), tag);
  }
  if (!tracing) return;
  struct variable *variable = variable_of(object);
  variable->moved[lane].count++;
  variable->moved[lane].bytes += bytes;
  say("mesi: trace: %.3f ms: %s %s [%zu, %zu) %zu bytes", mesi_timeline_now() - opened_at,
      lane_names[lane], object->name, span.begin, span.end, bytes);
  if (mesi_devices_several()) say(", device %d", device);
  print_cause(cause);
}

void mesi_trace_between(const struct mesi_object *object, int device, int other,
                        struct mesi_span span, const char *cause)
{
  between.count++;
  between.bytes += mesi_span_bytes(span);
  if (timing) {
    struct tag *tag = new_tag(mesi_error_site(), MESI_TO_DEVICE);
    tag->span = span;
    tag->cause = cause;
    tag->between = true;
    tag->other = other;
    snprintf(tag->name, sizeof tag->name, "%s", object->name);
    mesi_timeline_add(device, transfer_start, lane_queue(device, MESI_TO_DEVICE), tag);
  }
  if (!tracing) return;
  say("mesi: trace: %.3f ms: device %d to %d %s [%zu, %zu) %zu bytes",
      mesi_timeline_now() - opened_at, other, device, object->name, span.begin, span.end,
      mesi_span_bytes(span));
  print_cause(cause);
}

void mesi_trace_joined(size_t bytes) { joined_bytes += bytes; }

void mesi_trace_plan(unsigned arrays, unsigned bytes)
{
  planned++;
  planned_staged += arrays != 0;
  if (tracing)
    say("mesi: trace: %.3f ms: the next launch stages %u arrays, %u bytes\n",
        mesi_timeline_now() - opened_at, arrays, bytes);
}

void mesi_trace_redundant(size_t bytes) { redundant_bytes += bytes; }

void mesi_trace_fault(const struct mesi_object *object, struct mesi_span span, unsigned access)
{
  faults++;
  if (trace_file) {
    write_head("fault", object->name, 0, MESI_LANE_COUNT + 1,
               (struct mesi_times){mesi_timeline_now() - opened_at, 0.001});
    fprintf(trace_file, "\"begin\":%zu,\"end\":%zu}}", span.begin, span.end);
  }
  if (!tracing) return;
  variable_of(object)->faults++;
  say("mesi: trace: %.3f ms: fault %s [%zu, %zu), host %s\n", mesi_timeline_now() - opened_at,
      object->name, span.begin, span.end, access & MESI_WRITE ? "write" : "read");
}

/* ---- launches ---- */

static void name_launch(const struct mesi_site *site)
{
  char name[256];
  snprintf(name, sizeof name, "%s (%s)", site->kernel, site->place);
  mesi_device.range_push(name);
  launch_named = true;
}

void mesi_trace_launch_starts(const struct mesi_site *site, int device, void *stream)
{
  if (timing && !launch_start)
    launch_start = mesi_timeline_event(device, stream);
  else if (timing)
    mesi_check(mesi_device.record(device, launch_start, stream), NULL, "timing a launch");
  if (profiled && !launch_named) name_launch(site);
}

/* The end of a launch or of a part, which has been printed. */
static void launch_ends(const struct mesi_site *site, int device, void *stream,
                        struct mesi_span blocks)
{
  if (launch_start) {
    struct tag *tag = new_tag(site, MESI_LANE_COUNT);
    tag->span = blocks;
    mesi_timeline_add(device, launch_start, stream, tag);
  }
  launch_start = NULL;
  if (launch_named) mesi_device.range_pop();
  launch_named = false;
}

void mesi_trace_launch_ends(const struct mesi_site *site, int device, void *stream)
{
  launches++;
  if (tracing)
    say("mesi: trace: %.3f ms: launch of %s (%s)\n", mesi_timeline_now() - opened_at, site->kernel,
        site->place);
  launch_ends(site, device, stream, (struct mesi_span){0, 0});
}

void mesi_trace_part_ends(const struct mesi_site *site, int device, void *stream, unsigned first,
                          unsigned blocks, unsigned all)
{
  launches += first == 0;
  parts++;
  if (tracing)
    say("mesi: trace: %.3f ms: launch of %s (%s), blocks %u to %u of %u",
        mesi_timeline_now() - opened_at, site->kernel, site->place, first, first + blocks - 1, all);
  if (tracing && mesi_devices_several()) say(", device %d", device);
  if (tracing) say("\n");
  launch_ends(site, device, stream, (struct mesi_span){first, first + blocks});
}

void mesi_trace_launch_held(const struct mesi_site *site, int device, void *stream)
{
  (void)device;
  (void)stream;
  launches++;
  if (tracing)
    say("mesi: trace: %.3f ms: launch of %s (%s), held back\n", mesi_timeline_now() - opened_at,
        site->kernel, site->place);
}

void mesi_trace_held_ends(const struct mesi_site *site, int device)
{
  launch_ends(site, device, NULL, (struct mesi_span){0, 0});
}

void mesi_trace_steps(unsigned count)
{
  stepped += count;
  if (tracing)
    say("mesi: trace: %.3f ms: %u launches in one\n", mesi_timeline_now() - opened_at, count);
}

struct reason { /* the reason why launches went to one device */
  const char *text;
  unsigned long long launches;
};

static struct reason reasons[16];
static unsigned reason_count;

void mesi_trace_spread(void) { spread++; }

void mesi_trace_not_spread(const char *why)
{
  unsigned i = 0;
  while (i < reason_count && reasons[i].text != why) i++;
  if (i == sizeof reasons / sizeof *reasons) return;
  if (i == reason_count) reasons[reason_count++] = (struct reason){why, 0};
  reasons[i].launches++;
}

unsigned long long mesi_trace_launches(void) { return launches; }

/* ---- the end ---- */

static int by_value(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double median_ms(struct timed *launch)
{
  size_t count = launch->launches < TIMES_KEPT ? launch->launches : TIMES_KEPT;
  qsort(launch->times, count, sizeof *launch->times, by_value);
  return launch->times[count / 2];
}

static void print_devices(FILE *file)
{
  put(file, "devices %d\nspread %llu\n", mesi_devices_count(), spread);
  put(file, "peer_count %llu\npeer_bytes %llu\n", between.count, between.bytes);
  for (unsigned i = 0; i < reason_count; i++)
    put(file, "one_device %llu %s\n", reasons[i].launches, reasons[i].text);
  if (print_more) print_more(file);
}

static void print_stats(FILE *file)
{
  const struct totals *to_device = &totals[MESI_TO_DEVICE], *to_host = &totals[MESI_TO_HOST];
  put(file, "launches %llu\nparts %llu\nstepped %llu\nkernel_ms %.6f\n", launches, parts, stepped,
      kernel_ms);
  put(file, "h2d_count %llu\nh2d_bytes %llu\n", to_device->count, to_device->bytes);
  put(file, "d2h_count %llu\nd2h_bytes %llu\n", to_host->count, to_host->bytes);
  put(file, "transfer_ms %.6f\nwall_ms %.6f\n", transfer_ms, mesi_timeline_now() - opened_at);
  put(file, "faults %llu\njoined_bytes %llu\nredundant_bytes %llu\n", faults, joined_bytes,
      redundant_bytes);
  put(file, "planned %llu\nplanned_staged %llu\n", planned, planned_staged);
  if (mesi_devices_several()) print_devices(file);
  for (size_t i = 0; i < timed_count; i++)
    if (!timed[i].place)
      put(file, "kernel %s %llu %.6f %.6f\n", timed[i].name, timed[i].launches, timed[i].ms,
          median_ms(&timed[i]));
  for (size_t i = 0; i < timed_count; i++)
    if (timed[i].place)
      put(file, "site %s %llu %.6f %.6f %s\n", timed[i].name, timed[i].launches, timed[i].ms,
          median_ms(&timed[i]), timed[i].place);
}

static void write_stats(void)
{
  FILE *file = mesi_file_create(stats_file);
  if (file) {
    print_stats(file);
    if (fclose(file) == 0) return;
  }
  mesi_warn("mesi: warning: the statistics cannot be written to %s\n", stats_file);
}

static void print_summary(void)
{
  for (size_t i = 0; i < variable_count; i++) {
    const struct variable *v = &variables[i];
    say("mesi: trace: total %s: h2d %llu times %llu bytes, d2h %llu times %llu bytes, %llu "
        "faults\n",
        v->name, v->moved[MESI_TO_DEVICE].count, v->moved[MESI_TO_DEVICE].bytes,
        v->moved[MESI_TO_HOST].count, v->moved[MESI_TO_HOST].bytes, v->faults);
  }
  say("mesi: trace: total: %llu launches, h2d %llu bytes, d2h %llu bytes, of them %llu to join "
      "pieces, %llu "
      "redundant\n",
      launches, totals[MESI_TO_DEVICE].bytes, totals[MESI_TO_HOST].bytes, joined_bytes,
      redundant_bytes);
}

void mesi_trace_write(void)
{
  if (timing) mesi_timeline_flush();
  if (tracing) print_summary();
  if (stats_file) write_stats();
  if (trace_file) {
    fprintf(trace_file, "\n]}\n");
    if (fclose(trace_file)) mesi_warn("mesi: warning: the trace cannot be written\n");
    trace_file = NULL;
    timing = stats_file != NULL;
  }
}

void mesi_trace_before_fork(void)
{
  if (trace_file) fflush(trace_file);
}

void mesi_trace_in_child(void)
{
  trace_file = NULL;
  stats_file = NULL;
  timing = false;
}
