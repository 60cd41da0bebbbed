/* trace.c - counts, times and the lines that MESI_TRACE prints.
 *
 * Kernel times are taken only where MESI_STATS is set, since each then ends with a wait: the launches of a program
 * under MESI_STATS run one after the other.
 */
#include "trace.h"

#include "error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TIMES_KEPT 4096 /* of the launches of one kernel, for the median */

struct kernel {
  const char *name;
  unsigned long long launches;
  double ms;
  double *times; /* ms of the first TIMES_KEPT launches */
};

struct direction_totals {
  unsigned long long count, bytes;
};

static bool opened, tracing;
static const char *stats_file; /* NULL: no statistics */
static double opened_at;       /* ms */
static unsigned long long launches;
static double kernel_ms, transfer_ms;
static struct direction_totals totals[MESI_DIRECTION_COUNT];
static struct kernel *kernels;
static size_t kernel_count;

double mesi_trace_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static const char *setting(const char *name)
{
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

void mesi_trace_open(void)
{
  if (opened)
    return;
  opened = true;
  const char *trace = setting("MESI_TRACE");
  tracing = trace && strcmp(trace, "0") != 0;
  stats_file = setting("MESI_STATS");
  opened_at = mesi_trace_now();
}

void mesi_trace_transfer(const struct mesi_object *object, enum mesi_direction direction, const char *cause, double ms)
{
  static const char *const names[MESI_DIRECTION_COUNT] = { "h2d", "d2h" };
  const struct mesi_site *site = mesi_error_site();
  totals[direction].count++;
  totals[direction].bytes += object->size;
  transfer_ms += ms;
  if (!tracing)
    return;
  if (site)
    dprintf(2, "mesi: trace: %s %s %zu bytes, %s of %s (%s)\n", names[direction], object->name, object->size, cause,
            site->kernel, site->place);
  else
    dprintf(2, "mesi: trace: %s %s %zu bytes, %s\n", names[direction], object->name, object->size, cause);
}

void mesi_trace_launch_starts(int device)
{
  if (stats_file)
    mesi_check(mesi_device.time_start(device), NULL, "timing a launch");
}

static struct kernel *find_kernel(const char *name)
{
  for (size_t i = 0; i < kernel_count; i++)
    if (strcmp(kernels[i].name, name) == 0)
      return &kernels[i];
  kernels = mesi_need(realloc(kernels, (kernel_count + 1) * sizeof *kernels));
  kernels[kernel_count] = (struct kernel){ name, 0, 0, mesi_need(malloc(TIMES_KEPT * sizeof(double))) };
  return &kernels[kernel_count++];
}

static void count_kernel(const struct mesi_site *site, int device)
{
  double ms = 0;
  const char *cause = mesi_device.time_stop(device, &ms);
  if (cause)
    mesi_wait(device);
  mesi_check(cause, NULL, "timing a launch");
  struct kernel *kernel = find_kernel(site->kernel);
  if (kernel->launches < TIMES_KEPT)
    kernel->times[kernel->launches] = ms;
  kernel->launches++;
  kernel->ms += ms;
  kernel_ms += ms;
}

void mesi_trace_launch_ends(const struct mesi_site *site, int device)
{
  launches++;
  if (tracing)
    dprintf(2, "mesi: trace: launch of %s (%s)\n", site->kernel, site->place);
  if (stats_file)
    count_kernel(site, device);
}

unsigned long long mesi_trace_launches(void)
{
  return launches;
}

static int by_value(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double median_ms(struct kernel *kernel)
{
  size_t count = kernel->launches < TIMES_KEPT ? kernel->launches : TIMES_KEPT;
  qsort(kernel->times, count, sizeof *kernel->times, by_value);
  return kernel->times[count / 2];
}

static void print_stats(FILE *file)
{
  const struct direction_totals *to_device = &totals[MESI_TO_DEVICE], *to_host = &totals[MESI_TO_HOST];
  fprintf(file, "launches %llu\nkernel_ms %.6f\n", launches, kernel_ms);
  fprintf(file, "h2d_count %llu\nh2d_bytes %llu\n", to_device->count, to_device->bytes);
  fprintf(file, "d2h_count %llu\nd2h_bytes %llu\n", to_host->count, to_host->bytes);
  fprintf(file, "transfer_ms %.6f\nwall_ms %.6f\n", transfer_ms, mesi_trace_now() - opened_at);
  for (size_t i = 0; i < kernel_count; i++)
    fprintf(file, "kernel %s %llu %.6f %.6f\n", kernels[i].name, kernels[i].launches, kernels[i].ms,
            median_ms(&kernels[i]));
}

void mesi_trace_write_stats(void)
{
  FILE *file = stats_file ? fopen(stats_file, "w") : NULL;
  if (file) {
    print_stats(file);
    if (fclose(file) == 0)
      return;
  }
  if (stats_file)
    fprintf(stderr, "mesi: warning: cannot write the statistics to %s\n", stats_file);
}
