/* command_bench.c - mpf bench: random buckets on the device and on the CPU; networks in files are
 * command_network.c's.
 *
 * The plain version on the CPU runs a part of the outputs where all of them would take long; its
 * time is scaled up. All outputs of that part are compared. Device times are of the kernel,
 * transfers and tables excluded, as in the paper. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "commands.h"
#include "crew.h"
#include "engine.h"
#include "mpf_cpu.h"
#include "plot.h"
#include "random.h"
#include "turns.h"
#include "words.h"

enum { THREADS = 256 };

struct options {
  struct mpf_random random;
  unsigned count, repeats;
  unsigned share, shares; /* of the buckets this program takes number share, share + shares, ... */
  size_t pages;
  double seconds; /* after which no bucket is begun, by domain */
  bool domains[MPF_DOMAIN_COUNT], cpu;
  const char *list;
};

struct times { /* milliseconds */
  double scalar, cpu, kernel, setup;
  double error_cpu, error_device;
};

struct summary {
  double most, least, sum, log_sum;
  unsigned count;
};

static double now_ms(void)
{
  struct timespec time;

  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void summarize(struct summary *summary, double ratio)
{
  summary->most = !summary->count || ratio > summary->most ? ratio : summary->most;
  summary->least = !summary->count || ratio < summary->least ? ratio : summary->least;
  summary->sum += ratio;
  summary->log_sum += log(ratio);
  summary->count++;
}

static void print_summary(const char *what, const struct summary *summary)
{
  if (summary->count)
    printf("%s: peak %.4g, average %.4g, geometric mean %.4g, least %.4g\n", what, summary->most,
           summary->sum / summary->count, exp(summary->log_sum / summary->count), summary->least);
}

/* ---- one bucket ---- */

/* The plain version from the middle of the outputs on, for at least `enough_ms`; its time for all.
 */
static double time_scalar(const struct mpf_case *one, enum mpf_domain domain, double enough_ms,
                          size_t *ret_from, size_t *ret_count, real *ret)
{
  size_t count = 64, from = 0;

  for (;; count *= 4) {
    count = count < one->bucket.outputs ? count : one->bucket.outputs;
    from = (one->bucket.outputs - count) / 2;
    double start = now_ms();
    mpf_scalar(&one->bucket, domain, one->tables, from, from + count, ret);
    double time = now_ms() - start;
    for (int i = 0; i < 5 && time < 1; i++) { /* short ones again: the best */
      start = now_ms();
      mpf_scalar(&one->bucket, domain, one->tables, from, from + count, ret);
      time = fmin(time, now_ms() - start);
    }
    if (time < enough_ms && count < one->bucket.outputs) continue;
    *ret_from = from;
    *ret_count = count;
    return time * (double)one->bucket.outputs / (double)count;
  }
}

static double time_cpu(const struct mpf_case *one, enum mpf_domain domain, real *output)
{
  double best = INFINITY, start = now_ms();

  for (int i = 0; i < 3 || (i < 10 && now_ms() - start < 10); i++) {
    double begin = now_ms();
    if (mpf_cpu(&one->bucket, domain, one->tables, 0, output)) return NAN;
    best = fmin(best, now_ms() - begin);
    if (now_ms() - start > 2000) break;
  }
  return best;
}

static int time_device(struct mpf_case *one, enum mpf_domain domain, const struct options *options,
                       struct times *ret)
{
  struct mpf_plan plan;
  double start = now_ms();

  struct mpf_shape shape = {THREADS, mpf_device_parallelism(), options->pages, {1, 1}};
  if (!options->pages) mpf_device_alike(shape.alike);
  if (mpf_plan_build(&one->bucket, one->bases, &shape, &plan)) return -1;
  struct mpf_device_plan *device = mpf_device_prepare(&plan, one->size);
  ret->setup = now_ms() - start;
  if (device)
    ret->kernel = mpf_turns_time(device, domain, one->values, one->output, (int)options->repeats);
  mpf_device_release(device);
  mpf_plan_free(&plan);
  return device ? 0 : -1;
}

static int measure(struct mpf_case *one, enum mpf_domain domain, const struct options *options,
                   struct times *ret)
{
  size_t outputs = one->bucket.outputs, from, count;
  real *part = malloc((outputs + 1) * sizeof *part), *all = malloc((outputs + 1) * sizeof *all);
  int status = part && all ? 0 : -1;

  *ret = (struct times){.cpu = NAN};
  if (!status) ret->scalar = time_scalar(one, domain, options->cpu ? 30 : 2, &from, &count, part);
  if (!status && options->cpu) {
    ret->cpu = time_cpu(one, domain, all);
    ret->error_cpu = mpf_error_of(domain, part, all + from, count);
  }
  if (!status) status = time_device(one, domain, options, ret);
  if (!status) ret->error_device = mpf_error_of(domain, part, one->output + from, count);
  free(part);
  free(all);
  return status;
}

/* ---- all of them ---- */

/* The bucket as a line for the peers: variables, which of them stay, each function's variables. */
static void write_list(FILE *list, unsigned number, const struct mpf_bucket *bucket,
                       enum mpf_domain domain, const struct times *times)
{
  fprintf(list,
          "{\"bucket\": %u, \"domain\": \"%s\", \"flop\": %.17g, \"kernel_ms\": %.6g, \"cpu_ms\": "
          "%.6g, \"scalar_ms\": %.6g, \"domains\": [",
          number, domain == MPF_LINEAR ? "linear" : "log", mpf_bucket_flop(bucket), times->kernel,
          isnan(times->cpu) ? 0 : times->cpu, times->scalar);
  for (unsigned v = 0; v < bucket->variable_count; v++)
    fprintf(list, "%s%zu", v ? ", " : "", bucket->domains[v]);
  fprintf(list, "], \"outputs\": %u, \"functions\": [", bucket->output_count);
  for (unsigned f = 0; f < bucket->function_count; f++) {
    bool first = true;
    fprintf(list, f ? ", [" : "[");
    for (unsigned v = 0; v < bucket->variable_count; v++)
      if (bucket->strides[(size_t)f * bucket->variable_count + v]) {
        fprintf(list, "%s%u", first ? "" : ", ", v);
        first = false;
      }
    fputs("]", list);
  }
  fputs("]}\n", list);
}

static void print_line(unsigned number, const struct mpf_bucket *bucket, const struct times *times)
{
  double flop = mpf_bucket_flop(bucket);

  printf("%4u %9u %11zu %8zu %12.4g %12.5g %10.5g %10.5g %9.2f %9.4g %9.4g %9.2g %9.2g\n", number,
         bucket->function_count, bucket->outputs, bucket->summands, flop, times->scalar, times->cpu,
         times->kernel, flop / times->kernel * 1e-6, times->scalar / times->kernel,
         times->cpu / times->kernel, times->error_cpu, times->error_device);
}

static int run_domain(const struct options *options, enum mpf_domain domain, FILE *list,
                      struct mpf_plot *plot)
{
  struct summary scalar = {0}, cpu = {0}, dispatched = {0}, best = {0};
  char text[64];
  double rate, threshold = options->cpu ? mpf_engine_calibrate(domain, INFINITY, &rate) : 0,
               worst = 0;

  printf("%s domain on %s; %u cores; %s\n", domain == MPF_LINEAR ? "linear" : "log",
         mpf_device_name(), mpf_cpu_cores(),
         options->cpu ? mpf_threshold_text(threshold, text, sizeof text) : "the kernel only");
  printf("%4s %9s %11s %8s %12s %12s %10s %10s %9s %9s %9s %9s %9s\n", "no", "functions", "outputs",
         "summands", "FLOP", "scalar ms", "cores ms", "kernel ms", "GFLOP/s", "/scalar", "/cores",
         "err cores", "err kern");
  double start = now_ms();
  for (unsigned i = options->share; i < options->count && now_ms() - start < options->seconds * 1e3;
       i += options->shares) {
    struct mpf_bucket bucket;
    struct mpf_case one;
    struct times times;
    if (mpf_random_bucket(&options->random, i, &bucket) || mpf_case_begin(&one, &bucket)) {
      fprintf(stderr, "mpf: bucket %u: out of memory\n", i);
      return 1;
    }
    mpf_random_values(i, domain, 1, one.values, one.size);
    if (measure(&one, domain, options, &times)) {
      fprintf(stderr, "mpf: bucket %u does not fit\n", i);
      mpf_case_end(&one);
      continue;
    }
    print_line(i, &one.bucket, &times);
    fflush(stdout);
    if (list) write_list(list, i, &one.bucket, domain, &times);
    if (plot)
      mpf_plot_add(plot, domain, mpf_bucket_flop(&one.bucket), times.scalar, times.cpu,
                   times.kernel);
    summarize(&scalar, times.scalar / times.kernel);
    if (options->cpu) {
      summarize(&cpu, times.cpu / times.kernel);
      summarize(&best, times.scalar / times.cpu);
      summarize(&dispatched,
                mpf_engine_suits_device(threshold, &one.bucket) ? times.cpu / times.kernel : 1);
    }
    worst = fmax(worst, fmax(times.error_cpu, times.error_device));
    mpf_case_end(&one);
  }
  print_summary("kernel over one core, plain C", &scalar);
  print_summary("kernel over all cores, best", &cpu);
  print_summary("the same, small buckets on the CPU", &dispatched);
  print_summary("all cores, best, over one core, plain C", &best);
  printf("largest error %.3g: %s\n", worst, worst < 1e-4 ? "check: ok" : "check: FAILED");
  return worst < 1e-4 ? 0 : 2;
}

/* "I/N" */
static bool read_share(const char *text, struct options *options)
{
  char end;

  options->shares = 1;
  if (!text) return true;
  return sscanf(text, "%u/%u%c", &options->share, &options->shares, &end) == 2 &&
         options->share < options->shares;
}

int mpf_command_bench(int argc, char **argv)
{
  static const char *const known[] = {
      "--random=",   "--seed=",      "--summed=", "--log",    "--linear",
      "--min-flop=", "--max-flop=",  "--memory=", "--pages=", "--repeats=",
      "--list=",     "--plot=",      "--no-cpu",  "--cache=", "--seconds=",
      "--tries=",    "--threshold=", "--turns=",  "--share=", NULL};
  const char **files = calloc((size_t)argc + 1, sizeof *files);
  unsigned file_count = files ? mpf_known_words(argc, argv, known, files) : 0;
  const char *prefix = mpf_option("--plot");
  bool log = mpf_flag("--log"), linear = mpf_flag("--linear");
  struct options options = {.count = (unsigned)mpf_number("--random", 700),
                            .repeats = (unsigned)mpf_number("--repeats", 5),
                            .pages = (size_t)mpf_number("--pages", 0),
                            .domains = {linear || !log, log || !linear},
                            .seconds = mpf_number("--seconds", INFINITY),
                            .cpu = !mpf_flag("--no-cpu"),
                            .list = mpf_option("--list")};
  struct mpf_tuning tuning = {
      .cache = (size_t)mpf_number("--cache", 1e9), .unroll = 4, .functions = 1};
  struct mpf_plot plot;
  int status = 0;

  mpf_device_tune(&tuning);
  options.random = (struct mpf_random){.seed = (uint64_t)mpf_number("--seed", 1),
                                       .summed = (unsigned)mpf_number("--summed", 1),
                                       .least_flop = mpf_number("--min-flop", 1e3),
                                       .most_flop = mpf_number("--max-flop", 4e10),
                                       .most_bytes = (size_t)mpf_number("--memory", 750e6)};
  FILE *list = options.list ? fopen(options.list, "w") : NULL;
  if (!files || (options.list && !list) || (prefix && mpf_plot_begin(&plot, prefix)) ||
      !options.repeats || !read_share(mpf_option("--share"), &options) ||
      options.random.least_flop < 1 || options.random.summed < 1 ||
      options.random.summed > MPF_RANDOM_SUMMED ||
      options.random.most_flop < options.random.least_flop) {
    fprintf(stderr, "mpf: bad option of bench, or a file that cannot be written\n");
    return 1;
  }
  for (unsigned i = 0; i < file_count && status != 1; i++)
    status = mpf_bench_network(files[i], options.domains, (int)options.repeats);
  for (enum mpf_domain domain = MPF_LINEAR; !file_count && domain < MPF_DOMAIN_COUNT && status != 1;
       domain++) {
    int result =
        options.domains[domain] ? run_domain(&options, domain, list, prefix ? &plot : NULL) : 0;
    status = result ? result : status;
  }
  free(files);
  if (list) fclose(list);
  if (prefix && mpf_plot_end(&plot)) fprintf(stderr, "mpf: the plots could not be written\n");
  return status;
}
