/* command_network.c - mpf bench FILE...: the buckets of real networks.
 *
 * A network is eliminated as mpf solve does it, but for launches of several buckets at once. Each
 * bucket that comes up, with the tables that it has there, is timed on the device, on one core and
 * on all cores; the times of all buckets are added up, as in section 7.2.3 of the MPF paper.
 * Buckets of one shape are timed once. The CPU takes a slice of a large bucket, at one value of its
 * first variables, and its time is scaled up. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "crew.h"
#include "device.h"
#include "job.h"
#include "mpf_cpu.h"
#include "solve.h"
#include "words.h"

enum { DECADES = 20 };

static const double boundary = 1e5; /* FLOP: the paper's, below which a bucket is small */

struct shape {
  size_t *key; /* counts, domains, strides; owned */
  size_t size; /* of the key */
  unsigned long count;
  double flop, kernel, core, cores; /* of one bucket; milliseconds; not a number: none */
};

struct sums { /* of buckets */
  unsigned long count;
  unsigned shapes;
  double flop, kernel, core, cores;
  double small_cpu; /* kernels, and below the boundary all cores */
};

struct watcher {
  struct mpf_watch watch;
  int repeats;
  struct shape *shapes; /* owned */
  unsigned count, capacity;
  unsigned long not_on_device;
};

static double now_ms(void)
{
  struct timespec time;

  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* ---- times of a bucket ---- */

/* The bucket at the first values of its first variables, about `flop` operations where it has more.
 * Domains and strides are owned, the sizes are those of `bucket`. How many times smaller it is; 0:
 * out of memory. */
static double slice(const struct mpf_bucket *bucket, double flop, struct mpf_bucket *ret)
{
  unsigned cut = 0, count = bucket->variable_count;
  size_t values = 1; /* of the first variable that is left */
  double times = mpf_bucket_flop(bucket) / flop;

  *ret = *bucket;
  for (; cut + 1 < bucket->output_count && times > 1; cut++) {
    values = (size_t)((double)bucket->domains[cut] / times);
    if (values > 1) break;
    times /= (double)bucket->domains[cut];
    ret->outputs /= bucket->domains[cut];
  }
  ret->variable_count -= cut;
  ret->output_count -= cut;
  ret->domains = malloc((count + 1) * sizeof *ret->domains);
  ret->strides = malloc(((size_t)bucket->function_count * count + 1) * sizeof *ret->strides);
  if (!ret->domains || !ret->strides) return 0;
  memcpy(ret->domains, bucket->domains + cut, ret->variable_count * sizeof *ret->domains);
  if (values > 1) {
    ret->outputs = ret->outputs / ret->domains[0] * values;
    ret->domains[0] = values;
  }
  for (unsigned f = 0; f < bucket->function_count; f++)
    memcpy(ret->strides + (size_t)f * ret->variable_count,
           bucket->strides + (size_t)f * count + cut, ret->variable_count * sizeof *ret->strides);
  return (double)bucket->outputs / (double)ret->outputs;
}

/* The best of a few; not a number: out of memory. */
static double time_cpu(const struct mpf_bucket *bucket, enum mpf_domain domain,
                       const real *const *tables, unsigned threads, double most_flop, real *output)
{
  struct mpf_bucket part;
  double best = NAN, times = slice(bucket, most_flop, &part), start = now_ms();

  for (int i = 0; times > 0 && (i < 3 || (i < 10 && now_ms() - start < 10)); i++) {
    double begin = now_ms();
    if (mpf_cpu(&part, domain, tables, threads, output)) break;
    double time = (now_ms() - begin) * times;
    best = time >= best ? best : time;
    if (now_ms() - start > 60) break;
  }
  free(part.domains);
  free(part.strides);
  return best;
}

static double time_kernel(const struct watcher *watcher, struct mpf_engine *engine,
                          const struct mpf_job *job, const struct mpf_table *output)
{
  real *values = output->device ? output->values : mpf_engine_acquire(engine, output->size, true);
  double time = NAN;

  if (values && mpf_job_time(engine, job, values, watcher->repeats, &time)) time = NAN;
  if (!output->device && values) mpf_engine_release(engine, values, output->size, true);
  return time;
}

static int measure(const struct watcher *watcher, struct mpf_engine *engine,
                   const struct mpf_job *job, const struct mpf_table *output, struct shape *shape)
{
  const double core_flop = 1e8, cores_flop = 1e9;
  const real *tables[MPF_MOST_FUNCTIONS];
  real *values = malloc((output->size + 1) * sizeof *values);

  if (!values) return MPF_NO_MEMORY;
  shape->flop = mpf_bucket_flop(&job->bucket);
  shape->kernel = time_kernel(watcher, engine, job, output);
  for (unsigned i = 0; i < job->count; i++)
    tables[i] = job->views[i].table->values + job->views[i].base;
  shape->core = time_cpu(&job->bucket, engine->domain, tables, 1, core_flop, values);
  shape->cores = time_cpu(&job->bucket, engine->domain, tables, 0, cores_flop, values);
  free(values);
  return isnan(shape->core) || isnan(shape->cores) ? MPF_NO_MEMORY : MPF_OK;
}

/* ---- shapes ---- */

static size_t *make_key(const struct mpf_bucket *bucket, size_t *ret_size)
{
  size_t domains = bucket->variable_count, strides = bucket->function_count * domains;
  size_t *key = malloc((3 + domains + strides) * sizeof *key);

  *ret_size = 3 + domains + strides;
  if (!key) return NULL;
  key[0] = bucket->function_count, key[1] = domains, key[2] = bucket->output_count;
  memcpy(key + 3, bucket->domains, domains * sizeof *key);
  memcpy(key + 3 + domains, bucket->strides, strides * sizeof *key);
  return key;
}

/* The shape of the key, which it takes; NULL: out of memory. A new one has count 0. */
static struct shape *find_shape(struct watcher *watcher, size_t *key, size_t size)
{
  for (unsigned i = 0; key && i < watcher->count; i++)
    if (watcher->shapes[i].size == size &&
        !memcmp(watcher->shapes[i].key, key, size * sizeof *key)) {
      free(key);
      return &watcher->shapes[i];
    }
  if (key && watcher->count == watcher->capacity) {
    unsigned capacity = watcher->capacity ? 2 * watcher->capacity : 64;
    struct shape *shapes = realloc(watcher->shapes, capacity * sizeof *shapes);
    if (!shapes) return free(key), NULL;
    watcher->shapes = shapes;
    watcher->capacity = capacity;
  }
  if (!key) return NULL;
  watcher->shapes[watcher->count] = (struct shape){.key = key, .size = size};
  return &watcher->shapes[watcher->count++];
}

static int take_bucket(struct mpf_watch *watch, struct mpf_engine *engine,
                       const struct mpf_job *job, const struct mpf_table *output)
{
  struct watcher *watcher = (struct watcher *)watch;
  size_t size;
  size_t *key = make_key(&job->bucket, &size);
  struct shape *shape = find_shape(watcher, key, size);
  int status = !shape         ? MPF_NO_MEMORY
               : shape->count ? MPF_OK
                              : measure(watcher, engine, job, output, shape);

  if (shape) shape->count++;
  if (shape && isnan(shape->kernel)) watcher->not_on_device++;
  return status;
}

static void forget(struct watcher *watcher)
{
  for (unsigned i = 0; i < watcher->count; i++) free(watcher->shapes[i].key);
  free(watcher->shapes);
}

/* ---- sums of times ---- */

static void add(struct sums *sums, const struct shape *shape)
{
  double count = (double)shape->count;

  sums->count += shape->count;
  sums->shapes++;
  sums->flop += count * shape->flop;
  sums->kernel += count * (isnan(shape->kernel) ? shape->cores : shape->kernel);
  sums->core += count * shape->core;
  sums->cores += count * shape->cores;
  sums->small_cpu +=
      count * (shape->flop < boundary || isnan(shape->kernel) ? shape->cores : shape->kernel);
}

static void print_decades(const struct watcher *watcher)
{
  struct sums decades[DECADES] = {{0}};

  for (unsigned i = 0; i < watcher->count; i++) {
    int decade = watcher->shapes[i].flop > 1 ? (int)floor(log10(watcher->shapes[i].flop)) : 0;
    add(&decades[decade < DECADES ? decade : DECADES - 1], &watcher->shapes[i]);
  }
  printf("%8s %9s %7s %11s %11s %11s %11s %9s %9s\n", "FLOP", "buckets", "shapes", "all FLOP",
         "kernels ms", "core ms", "cores ms", "/core", "/cores");
  for (int i = 0; i < DECADES; i++)
    if (decades[i].count)
      printf("   1e%-3d %9lu %7u %11.4g %11.4f %11.4f %11.4f %9.4g %9.4g\n", i, decades[i].count,
             decades[i].shapes, decades[i].flop, decades[i].kernel, decades[i].core,
             decades[i].cores, decades[i].core / decades[i].kernel,
             decades[i].cores / decades[i].kernel);
}

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/* The line that samples/figures takes: "network NAME DOMAIN", then numbers. */
static void print_network(const char *name, enum mpf_domain domain, const struct watcher *watcher,
                          const struct mpf_result *result)
{
  struct sums all = {0}, small = {0};

  for (unsigned i = 0; i < watcher->count; i++) {
    add(&all, &watcher->shapes[i]);
    if (watcher->shapes[i].flop < boundary) add(&small, &watcher->shapes[i]);
  }
  print_decades(watcher);
  printf("below 100 KFLOP: %.1f%% of the buckets, with %.1f%% of one core's time and %.1f%% of the "
         "kernels'\n",
         percent((double)small.count, (double)all.count), percent(small.core, all.core),
         percent(small.kernel, all.kernel));
  printf("kernels: %.4g times one core, %.4g times all %u cores; small buckets on the CPU: %.4g "
         "and %.4g\n",
         all.core / all.kernel, all.cores / all.kernel, mpf_cpu_cores(), all.core / all.small_cpu,
         all.cores / all.small_cpu);
  if (watcher->not_on_device)
    printf("%lu buckets do not fit the device and count with all cores\n", watcher->not_on_device);
  printf("log10 Z %.8g, %.0f condition%s\n", result->log10_z, result->conditions,
         result->conditions == 1 ? "" : "s");
  printf("network %s %s %lu %u %.6g %.4f %.4f %.4f %.2f %.2f %.2f %.6g\n\n", name,
         domain == MPF_LINEAR ? "linear" : "log", all.count, all.shapes, all.flop, all.kernel,
         all.core, all.cores, percent((double)small.count, (double)all.count),
         100 - percent(small.core, all.core), 100 - percent(small.kernel, all.kernel),
         all.small_cpu);
  fflush(stdout);
}

/* ---- networks ---- */

/* NET.uai.evid or NET.evid beside NET.uai; NULL: there is neither. */
static const char *evidence_of(const char *path, char *ret, size_t size)
{
  const char *dot = strrchr(path, '.');

  if ((size_t)snprintf(ret, size, "%s.evid", path) < size && !access(ret, R_OK)) return ret;
  int stem = dot && !strchr(dot, '/') ? (int)(dot - path) : (int)strlen(path);
  if ((size_t)snprintf(ret, size, "%.*s.evid", stem, path) < size && !access(ret, R_OK)) return ret;
  return NULL;
}

/* The last part of the path up to its first point. */
static void name_of(const char *path, char *ret, size_t size)
{
  const char *slash = strrchr(path, '/'), *begin = slash ? slash + 1 : path;

  snprintf(ret, size, "%.*s", (int)strcspn(begin, "."), begin);
}

static int fail(const char *path, const char *text)
{
  fprintf(stderr, "mpf: %s: %s\n", path, text);
  return 1;
}

static int bench_domain(const char *path, const struct mpf_network *network, int repeats,
                        struct mpf_options *options)
{
  struct watcher watcher = {.watch.bucket = take_bucket, .repeats = repeats};
  struct mpf_result result;
  struct mpf_error error;
  char name[64];

  name_of(path, name, sizeof name);
  options->watch = &watcher.watch;
  int status = mpf_solve(network, options, &result, &error);
  if (status) {
    status = fail(path, error.text);
  } else {
    printf("%s, %s domain on %s: %u variables, largest cluster 2^%.1f\n", name,
           options->domain == MPF_LINEAR ? "linear" : "log", mpf_device_name(), result.order.count,
           result.order.width);
    print_network(name, options->domain, &watcher, &result);
    mpf_result_free(&result);
  }
  forget(&watcher);
  return status;
}

/* A table has at most 2^31 values then, which kernels can number. */
static size_t usual_memory(void)
{
  size_t memory = mpf_machine_memory() / 2, most = ((size_t)1 << 31) * sizeof(real);
  size_t device = mpf_device_memory() / 2;

  memory = device < memory ? device : memory;
  return most < memory ? most : memory;
}

int mpf_bench_network(const char *path, const bool *domains, int repeats)
{
  unsigned tries = (unsigned)mpf_number("--tries", 0);
  struct mpf_options options = {.rule = MPF_ORDER_RULE_COUNT,
                                .tries = tries ? tries : 24,
                                .more_tries = !tries,
                                .seed = (uint64_t)mpf_number("--seed", 1),
                                .memory = (size_t)mpf_number("--memory", 0),
                                .threshold = mpf_number("--threshold", -1),
                                .quiet = true};
  struct mpf_network network;
  struct mpf_error error;
  char evidence[4096];
  int status = 0;

  if (mpf_network_read(path, &network, &error)) return fail(path, error.text);
  if (!options.memory) options.memory = usual_memory();
  if (evidence_of(path, evidence, sizeof evidence))
    status = mpf_network_observe(&network, evidence, &error) ? fail(path, error.text) : 0;
  mpf_network_simplify(&network);
  for (enum mpf_domain domain = MPF_LINEAR; !status && domain < MPF_DOMAIN_COUNT; domain++) {
    options.domain = domain;
    if (domains[domain]) status = bench_domain(path, &network, repeats, &options);
  }
  mpf_network_free(&network);
  return status;
}
