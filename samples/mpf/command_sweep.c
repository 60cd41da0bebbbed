/* command_sweep.c - mpf sweep: figures 7, 8 and 10 of the MPF paper, each for buckets of three
 * functions of rising complexity all of which fit into the cache.
 *
 * Predicted speeds are those of section 4, min(P, M * A), P and M measured; that model knows of no
 * cache but the one by hand, so that hardware that has others may be faster than predicted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "cache.h"
#include "commands.h"
#include "random.h"
#include "turns.h"
#include "words.h"

enum { THREADS = 256, BUCKETS = 4, FUNCTIONS = 3, TRIES = 2000, WHOLE_CACHE = 49152 };

struct sweep {
  enum mpf_domain domain;
  struct mpf_case cases[BUCKETS];
  double rate, bandwidth; /* operations and numbers a second */
  int repeats;
  size_t pages; /* most cache pages a block, 0: as many as leave enough threads */
};

static double now_ms(void)
{
  struct timespec time;

  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* ---- buckets ---- */

static int plan_of(const struct mpf_case *one, size_t pages, struct mpf_plan *ret)
{
  struct mpf_shape shape = {THREADS, pages ? 1 : mpf_device_parallelism(), pages, {1, 1}};

  if (!pages) mpf_device_alike(shape.alike);
  return mpf_plan_build(&one->bucket, one->bases, &shape, ret);
}

/* Whether all functions are cached. */
static bool fits(const struct mpf_case *one, size_t pages)
{
  struct mpf_plan plan;
  struct mpf_cache cache;

  if (plan_of(one, pages, &plan)) return false;
  mpf_cache_choose(&plan, WHOLE_CACHE / sizeof(real), 0, &cache);
  mpf_plan_free(&plan);
  return cache.cached[0] && cache.cached[1] && cache.cached[2];
}

/* The first random bucket of that complexity that has three functions, which fit. */
static int find_bucket(const struct sweep *sweep, double flop, uint64_t seed, struct mpf_case *ret)
{
  const struct mpf_random random = {
      .seed = seed, .least_flop = flop / 1.5, .most_flop = flop * 1.5, .most_bytes = 750000000};

  for (unsigned i = 0; i < TRIES; i++) {
    struct mpf_bucket bucket;
    if (mpf_random_bucket(&random, i, &bucket)) return -1;
    if (bucket.function_count != FUNCTIONS || mpf_bucket_flop(&bucket) > random.most_flop ||
        mpf_bucket_flop(&bucket) < random.least_flop) {
      mpf_bucket_free(&bucket);
      continue;
    }
    if (mpf_case_begin(ret, &bucket)) return -1;
    if (fits(ret, sweep->pages)) {
      mpf_random_values(i, sweep->domain, 1, ret->values, ret->size);
      return 0;
    }
    mpf_case_end(ret);
  }
  return -1;
}

/* ---- one measurement ---- */

struct point {
  double measured, predicted; /* GFLOP/s */
  double hits, intensity;
  int cached; /* functions */
  int pages;
};

static int measure(const struct sweep *sweep, struct mpf_case *one, size_t cache_bytes,
                   size_t pages, struct point *ret)
{
  struct mpf_plan plan;
  struct mpf_cache cache;
  double misses = 0;

  if (plan_of(one, pages, &plan)) return -1;
  mpf_cache_choose(&plan, cache_bytes / sizeof(real), 0, &cache);
  *ret = (struct point){.intensity = mpf_cache_intensity(&plan, &cache), .pages = plan.pages};
  for (unsigned f = 0; f < FUNCTIONS; f++) {
    ret->cached += cache.cached[f];
    misses += mpf_cache_misses(&plan, &cache, f) / FUNCTIONS;
  }
  ret->hits = 1 - misses;
  ret->predicted = fmin(sweep->rate, sweep->bandwidth * ret->intensity) * 1e-9;
  struct mpf_device_plan *device = mpf_device_prepare(&plan, one->size);
  if (device)
    ret->measured =
        mpf_bucket_flop(&one->bucket) /
        mpf_turns_time(device, sweep->domain, one->values, one->output, sweep->repeats) * 1e-6;
  mpf_device_release(device);
  mpf_plan_free(&plan);
  return device ? 0 : -1;
}

static void print_point(const struct point *point)
{
  printf(" | %1d %5.1f%% %7.3g %8.4g %8.4g", point->cached, 100 * point->hits, point->intensity,
         point->predicted, point->measured);
}

static void print_head(const struct sweep *sweep, const char *what)
{
  printf("%8s", what);
  for (int b = 0; b < BUCKETS; b++)
    printf(" | bucket of %8.3g FLOP, GFLOP/s  ", mpf_bucket_flop(&sweep->cases[b].bucket));
  printf("\n%8s", "");
  for (int b = 0; b < BUCKETS; b++)
    printf(" | f %6s %7s %8s %8s", "hits", "A", "model", "measured");
  printf("\n");
}

/* ---- figure 7 ---- */

static int sweep_cache(struct sweep *sweep, const struct mpf_tuning *whole)
{
  static const size_t sizes[] = {0,    128,  256,   512,   1024,       2048,
                                 4096, 8192, 16384, 32768, WHOLE_CACHE};
  const unsigned count = sizeof sizes / sizeof *sizes;
  int status = 0;

  printf("figure 7(a): cache size; functions in the cache, hits, operations a number, speed "
         "predicted and measured\n");
  print_head(sweep, "bytes");
  for (unsigned i = 0; i < count && !status; i++) {
    struct mpf_tuning tuning = *whole;
    tuning.cache = sizes[i];
    if (mpf_device_tune(&tuning).cache != sizes[i]) continue;
    printf("%8zu", sizes[i]);
    for (int b = 0; b < BUCKETS && !status; b++) {
      struct point point;
      status = measure(sweep, &sweep->cases[b], sizes[i], sweep->pages, &point);
      print_point(&point);
    }
    printf("\n");
    fflush(stdout);
  }
  mpf_device_tune(whole);
  return status;
}

static int sweep_pages(struct sweep *sweep, size_t cache_bytes)
{
  int status = 0;

  printf("figure 7(b): cache pages of a block, cache of %zu bytes\n", cache_bytes);
  print_head(sweep, "pages");
  for (size_t pages = 1; pages <= 1024 && !status; pages *= 2) {
    printf("%8zu", pages);
    for (int b = 0; b < BUCKETS && !status; b++) {
      struct point point;
      status = measure(sweep, &sweep->cases[b], cache_bytes, pages, &point);
      print_point(&point);
    }
    printf("\n");
    fflush(stdout);
  }
  return status;
}

/* ---- figure 8 ---- */

static int sweep_unroll(struct sweep *sweep, const struct mpf_tuning *whole)
{
  static const struct {
    int unroll, functions;
  } ways[] = {{1, 0}, {2, 0}, {4, 0}, {1, 1}, {2, 1}, {4, 1}};
  int status = 0;

  printf("figure 8: summands at once; kernels for any number of functions or for three "
         "(GFLOP/s)\n%8s %10s",
         "summands", "functions");
  for (int b = 0; b < BUCKETS; b++) printf(" %8.3g", mpf_bucket_flop(&sweep->cases[b].bucket));
  printf("\n");
  struct mpf_tuning last = {0};
  for (unsigned i = 0; i < sizeof ways / sizeof *ways && !status; i++) {
    struct mpf_tuning tuning = *whole;
    tuning.unroll = ways[i].unroll;
    tuning.functions = ways[i].functions;
    tuning = mpf_device_tune(&tuning);
    if (i && tuning.unroll == last.unroll && tuning.functions == last.functions)
      continue; /* the device does not choose */
    last = tuning;
    if (tuning.unroll)
      printf("%8d %10s", tuning.unroll, tuning.functions ? "three" : "any");
    else
      printf("%8s %10s", "compiler", tuning.functions ? "three" : "any");
    for (int b = 0; b < BUCKETS && !status; b++) {
      struct point point;
      status = measure(sweep, &sweep->cases[b], tuning.cache, sweep->pages, &point);
      printf(" %8.4g", point.measured);
    }
    printf("\n");
    fflush(stdout);
  }
  mpf_device_tune(whole);
  return status;
}

/* ---- figure 10 ---- */

static double read_all(const real *values, size_t count)
{
  double sum = 0, start = now_ms();

  for (size_t i = 0; i < count; i++) sum += (double)values[i];
  return sum == -1 ? 0 : now_ms() - start;
}

enum { PREPARATION, INPUTS, LAUNCH, KERNEL, OUTPUTS, PARTS };

/* Milliseconds from the start of a run to its end on an idle device: the median. */
static double time_run(const struct sweep *sweep, const struct mpf_device_plan *device,
                       struct mpf_case *one)
{
  double times[3];

  for (int i = 0; i < 3; i++) {
    double start = now_ms();
    mpf_device_run(device, sweep->domain, one->values, one->output);
    mpf_device_wait();
    times[i] = now_ms() - start;
  }
  return fmax(fmin(times[0], times[1]), fmin(fmax(times[0], times[1]), times[2]));
}

/* Milliseconds: preparation on the CPU; inputs to the device, counted by what a run takes longer
 * after the host has written them; what a run takes longer than its kernel; the kernel; outputs to
 * the host, by what the first reading of them takes longer. */
static int measure_overheads(const struct sweep *sweep, struct mpf_case *one, double ret[PARTS])
{
  struct mpf_plan plan;
  double start = now_ms();

  if (plan_of(one, sweep->pages, &plan)) return -1;
  struct mpf_device_plan *device = mpf_device_prepare(&plan, one->size);
  ret[PREPARATION] = now_ms() - start;
  if (device) {
    /* memory is there from now on */
    mpf_device_run(device, sweep->domain, one->values, one->output);
    mpf_device_wait();
    mpf_random_values(1, sweep->domain, 1, one->values, one->size);
    start = now_ms();
    mpf_device_run(device, sweep->domain, one->values, one->output);
    mpf_device_wait();
    double first = now_ms() - start, reading = read_all(one->output, one->bucket.outputs);
    ret[OUTPUTS] = fmax(0, reading - read_all(one->output, one->bucket.outputs));
    double again = time_run(sweep, device, one);
    ret[KERNEL] = mpf_turns_time(device, sweep->domain, one->values, one->output, sweep->repeats);
    ret[LAUNCH] = fmax(0, again - ret[KERNEL]);
    ret[INPUTS] = fmax(0, first - again);
  }
  mpf_device_release(device);
  mpf_plan_free(&plan);
  return device ? 0 : -1;
}

static int sweep_overheads(struct sweep *sweep)
{
  int status = 0;

  printf("figure 10: parts of the time of one bucket (ms, and percent of all)\n%10s %18s %18s %18s "
         "%18s %18s\n",
         "FLOP", "preparation", "inputs", "launch", "kernel", "outputs");
  for (int b = 0; b < BUCKETS && !status; b++) {
    double parts[PARTS] = {0}, all = 0;
    status = measure_overheads(sweep, &sweep->cases[b], parts);
    for (int i = 0; i < PARTS; i++) all += parts[i];
    printf("%10.3g", mpf_bucket_flop(&sweep->cases[b].bucket));
    for (int i = 0; i < PARTS; i++) printf(" %10.4g %6.1f%%", parts[i], 100 * parts[i] / all);
    printf("\n");
    fflush(stdout);
  }
  return status;
}

/* ---- all ---- */

/* Numbers read and written a second. */
static double measure_bandwidth(double bytes)
{
  size_t count = (size_t)(bytes / sizeof(real) / 2);
  real *from = mpf_device_alloc(count), *to = mpf_device_alloc(count);
  double best = INFINITY;

  for (int i = 0; from && to && i < 5; i++) {
    double start = now_ms();
    for (int k = 0; k < 4; k++) mpf_device_copy(to, from, count);
    mpf_device_wait();
    best = i ? fmin(best, (now_ms() - start) / 4) : best;
  }
  if (from) mpf_device_free(from);
  if (to) mpf_device_free(to);
  return 2.0 * (double)count / best * 1e3;
}

static int run(struct sweep *sweep, double most_flop, uint64_t seed)
{
  struct mpf_tuning whole = {WHOLE_CACHE, 4, 1};
  int begun = 0, status = 0;

  whole = mpf_device_tune(&whole);
  for (; begun < BUCKETS && !status; begun++)
    status = find_bucket(sweep, most_flop / pow(10, BUCKETS - 1 - begun), seed + (uint64_t)begun,
                         &sweep->cases[begun]);
  if (status) begun--;
  printf("%s domain on %s: P %.4g GFLOP/s, M %.4g Gnumbers/s\n",
         sweep->domain == MPF_LINEAR ? "linear" : "log", mpf_device_name(), sweep->rate * 1e-9,
         sweep->bandwidth * 1e-9);
  if (!status) status = sweep_cache(sweep, &whole);
  if (!status) status = sweep_pages(sweep, whole.cache);
  if (!status) status = sweep_unroll(sweep, &whole);
  if (!status) status = sweep_overheads(sweep);
  if (status) fprintf(stderr, "mpf: no such bucket, or out of memory\n");
  for (int b = 0; b < begun; b++) mpf_case_end(&sweep->cases[b]);
  return status ? 1 : 0;
}

int mpf_command_sweep(int argc, char **argv)
{
  static const char *const known[] = {"--seed=",     "--log",      "--linear",
                                      "--max-flop=", "--repeats=", "--pages=",
                                      "--copy=",     "--turns=",   NULL};
  const char *other = mpf_known(argc, argv, known);
  bool log = mpf_flag("--log"), linear = mpf_flag("--linear");
  double most_flop = mpf_number("--max-flop", 1e10), copy = mpf_number("--copy", 1e9);
  int status = 0;

  if (other || most_flop < 1e6 || most_flop > 1e12 || copy < 1e6) {
    fprintf(stderr, "mpf: bad option of sweep\n");
    return 1;
  }
  for (enum mpf_domain domain = MPF_LINEAR; domain < MPF_DOMAIN_COUNT && !status; domain++) {
    struct sweep sweep = {.domain = domain,
                          .repeats = (int)mpf_number("--repeats", 5),
                          .pages = (size_t)mpf_number("--pages", 0)};
    if (domain == MPF_LINEAR ? log && !linear : linear && !log) continue;
    sweep.rate = mpf_device_rate(domain);
    sweep.bandwidth = measure_bandwidth(copy);
    status = run(&sweep, most_flop, (uint64_t)mpf_number("--seed", 1));
  }
  return status;
}
