/* bench_sweep.c - junction bench: the computation kernel over the paper's parameters (section IV:
 * clique width, states of a variable, separator width, children), each varied by itself around its
 * default, and the paper's figure 5.
 *
 * Device times are of kernels, transfers and tables excluded, as in the paper. The plain CPU
 * version is of the paper's kind. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crew.h"
#include "trial.h"
#include "verbs.h"
#include "words.h"

enum { MOST_VALUES = 16, PAPER_CORES = 4 };
enum axis { WIDTH, STATES, SEPARATOR, CHILDREN, AXIS_COUNT };

static const char *const axis_names[] = {"--widths", "--states", "--separators", "--children"};
static const unsigned defaults[AXIS_COUNT] = {15, 2, 2, 2};

struct list {
  unsigned count, values[MOST_VALUES];
};

struct sweep {
  struct list lists[AXIS_COUNT];
  enum mpf_domain domain;
  size_t fan_in;
  double memory;
  int repeats;
  uint64_t seed;
};

struct times {                       /* milliseconds of one computation kernel */
  double parts[JUNCTION_PART_COUNT]; /* on the device */
  double cpu, cpu_four, plain, plain_four;
  double error, error_cpu;
};

static double now_ms(void)
{
  struct timespec time;

  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int parse_list(const char *text, const struct list *other, struct list *ret)
{
  *ret = *other;
  if (!text) return 0;
  for (ret->count = 0; ret->count < MOST_VALUES; text++) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || !value || value > 60 || (*end && *end != ',')) return -1;
    ret->values[ret->count++] = (unsigned)value;
    if (!*end) return 0;
    text = end;
  }
  return -1;
}

/* ---- one case ---- */

/* Distinct variables for each separator, by random. */
static void choose_separators(const unsigned *at, uint64_t seed, uint64_t *ret)
{
  uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 12345;

  for (unsigned k = 0; k < at[CHILDREN]; k++) {
    ret[k] = 0;
    for (unsigned left = at[SEPARATOR] < at[WIDTH] ? at[SEPARATOR] : at[WIDTH]; left;) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      uint64_t digit = UINT64_C(1) << random % at[WIDTH];
      left -= !(ret[k] & digit);
      ret[k] |= digit;
    }
  }
}

struct timed_part {
  struct junction_trial *trial;
  enum junction_part part;
};

static void run_part(void *context)
{
  const struct timed_part *timed = context;

  junction_trial_device(timed->trial, timed->part);
}

/* The least of some runs of all parts. */
static double time_cpu(struct junction_trial *trial,
                       void (*body)(struct junction_trial *, enum junction_part, unsigned),
                       unsigned threads)
{
  double best = INFINITY, start = now_ms();

  for (int i = 0; i < 3 || (i < 200 && now_ms() - start < 50); i++) {
    double begin = now_ms();
    body(trial, JUNCTION_ALL, threads);
    best = fmin(best, now_ms() - begin);
    if (now_ms() - start > 3000) break;
  }
  return best;
}

static void measure(struct junction_trial *trial, const struct sweep *sweep, struct times *ret)
{
  unsigned cores = mpf_cpu_cores(), four = cores < PAPER_CORES ? cores : PAPER_CORES;
  int group = trial->size < 1 << 23 ? 20 : 3;

  junction_trial_device(trial, JUNCTION_ALL);
  junction_trial_cpu(trial, JUNCTION_ALL, cores);
  junction_device_wait();
  ret->error = junction_trial_error(trial, true);
  ret->error_cpu = junction_trial_error(trial, false);
  for (enum junction_part part = 0; part < JUNCTION_PART_COUNT; part++) {
    struct timed_part timed = {trial, part};
    junction_trial_restore(trial);
    junction_trial_device(trial, JUNCTION_MARGINALISE); /* so that quotients are of sums */
    ret->parts[part] = junction_device_time(run_part, &timed, sweep->repeats, group);
  }
  junction_trial_restore(trial);
  ret->cpu = time_cpu(trial, junction_trial_cpu, cores);
  ret->cpu_four = time_cpu(trial, junction_trial_cpu, four);
  ret->plain = ret->plain_four = NAN;
  if (trial->domain == MPF_LOG) return;
  junction_trial_restore(trial);
  ret->plain = time_cpu(trial, junction_trial_plain, cores);
  ret->plain_four = time_cpu(trial, junction_trial_plain, four);
}

static void print_head(const struct sweep *sweep)
{
  unsigned cores = mpf_cpu_cores();

  printf("computation kernel, %s domain, %s, fan-in %zu; CPU: %u cores, and %u of them\n",
         sweep->domain == MPF_LINEAR ? "linear" : "log", junction_device_name(), sweep->fan_in,
         cores, cores < PAPER_CORES ? cores : PAPER_CORES);
  printf("%5s %6s %5s %8s %11s | %9s %9s %9s %9s %7s | %9s %9s %9s %9s | %7s %7s %7s %7s | %8s\n",
         "width", "states", "sep", "children", "entries", "marg us", "divide us", "mult us",
         "all us", "GB/s", "best us", "best4 us", "plain us", "plain4 us", "/best", "/best4",
         "/plain", "/plain4", "error");
}

static void print_line(const unsigned *at, const struct junction_trial *trial,
                       const struct times *times)
{
  double all = times->parts[JUNCTION_ALL], bytes = 3.0 * sizeof(real) * (double)trial->size;

  printf("%5u %6u %5u %8u %11zu | %9.2f %9.2f %9.2f %9.2f %7.0f | %9.4g %9.4g %9.4g %9.4g | %7.3g "
         "%7.3g %7.3g %7.3g | %8.2g\n",
         at[WIDTH], at[STATES], at[SEPARATOR], at[CHILDREN], trial->size,
         1e3 * times->parts[JUNCTION_MARGINALISE], 1e3 * times->parts[JUNCTION_DIVIDE],
         1e3 * times->parts[JUNCTION_MULTIPLY], 1e3 * all, bytes / all * 1e-6, 1e3 * times->cpu,
         1e3 * times->cpu_four, 1e3 * times->plain, 1e3 * times->plain_four, times->cpu / all,
         times->cpu_four / all, times->plain / all, times->plain_four / all,
         fmax(times->error, times->error_cpu));
  fflush(stdout);
}

/* 0, 1: out of memory, 2: wrong. */
static int run_case(const struct sweep *sweep, const unsigned *at)
{
  struct junction_shape shape = {.count = at[WIDTH]};
  uint64_t separators[64];
  struct junction_trial trial;
  struct times times;

  if (pow(at[STATES], at[WIDTH]) * 4 * sizeof(real) > sweep->memory) {
    printf("%5u %6u %5u %8u %11.3g | takes more than --memory\n", at[WIDTH], at[STATES],
           at[SEPARATOR], at[CHILDREN], pow(at[STATES], at[WIDTH]));
    return 0;
  }
  for (unsigned i = 0; i < at[WIDTH]; i++) shape.sizes[i] = at[STATES];
  choose_separators(at, sweep->seed, separators);
  int status = junction_trial_begin(&trial, &shape, at[CHILDREN], separators, sweep->domain,
                                    sweep->fan_in, sweep->seed, false)
                   ? 1
                   : 0;
  if (!status) {
    measure(&trial, sweep, &times);
    print_line(at, &trial, &times);
    status = fmax(times.error, times.error_cpu) < 1e-4 && times.error >= 0 ? 0 : 2;
  } else {
    fprintf(stderr, "junction: out of memory\n");
  }
  junction_trial_end(&trial);
  return status;
}

/* ---- the sweep ---- */

static int run_product(const struct sweep *sweep)
{
  unsigned at[AXIS_COUNT];
  int worst = 0;

  for (unsigned w = 0; w < sweep->lists[WIDTH].count; w++)
    for (unsigned r = 0; r < sweep->lists[STATES].count; r++)
      for (unsigned s = 0; s < sweep->lists[SEPARATOR].count; s++)
        for (unsigned d = 0; d < sweep->lists[CHILDREN].count; d++) {
          const unsigned places[] = {w, r, s, d};
          for (enum axis axis = 0; axis < AXIS_COUNT; axis++)
            at[axis] = sweep->lists[axis].values[places[axis]];
          int status = run_case(sweep, at);
          worst = status > worst ? status : worst;
        }
  return worst;
}

/* Each parameter by itself, the others at their defaults; then the paper's figure 5. */
static int run_axes(const struct sweep *sweep)
{
  static const unsigned figure_5[AXIS_COUNT] = {20, 2, 2, 4};
  int worst = 0;

  for (enum axis axis = 0; axis < AXIS_COUNT; axis++)
    for (unsigned i = 0; i < sweep->lists[axis].count; i++) {
      unsigned at[AXIS_COUNT];
      memcpy(at, defaults, sizeof at);
      at[axis] = sweep->lists[axis].values[i];
      if (axis && at[axis] == defaults[axis]) continue;
      int status = run_case(sweep, at);
      worst = status > worst ? status : worst;
    }
  int status = run_case(sweep, figure_5);
  return status > worst ? status : worst;
}

int junction_bench(int argc, char **argv)
{
  static const char *const known[] = {
      "--widths=", "--states=",  "--separators=", "--children=", "--all", "--log",
      "--memory=", "--repeats=", "--fan-in=",     "--seed=",     NULL};
  static const struct list paper[AXIS_COUNT] = {
      {3, {15, 20, 25}}, {2, {2, 3}}, {3, {1, 2, 4}}, {3, {1, 2, 4}}};
  const char *other = mpf_known(argc, argv, known);
  struct sweep sweep = {.domain = mpf_flag("--log") ? MPF_LOG : MPF_LINEAR,
                        .memory = mpf_number("--memory", 4e9),
                        .fan_in = (size_t)mpf_number("--fan-in", 64),
                        .repeats = (int)mpf_number("--repeats", 11),
                        .seed = (uint64_t)mpf_number("--seed", 1)};
  bool product = mpf_flag("--all"), bad = other || sweep.repeats < 1 || sweep.fan_in < 2;

  for (enum axis axis = 0; axis < AXIS_COUNT && !bad; axis++) {
    const char *text = mpf_option(axis_names[axis]);
    product |= text != NULL;
    bad = parse_list(text, &paper[axis], &sweep.lists[axis]);
  }
  if (bad) {
    fprintf(stderr, "junction: bad option of bench\n");
    return 1;
  }
  print_head(&sweep);
  int status = product ? run_product(&sweep) : run_axes(&sweep);
  printf(status == 0 ? "check: ok\n" : "check: FAILED\n");
  return status;
}
