/* mpf_cpu.c - a bucket on all cores: as matrix products where its functions allow (cpu_product.c),
 * else output by output in the lanes of vectors. */
#include "mpf_cpu.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "cpu_product.h"
#include "crew.h"
#include "plan.h"

enum { LANE_THREADS = 1024 };

static const struct mpf_cpu_isa *find_isa(void)
{
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return &mpf_cpu_avx512;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &mpf_cpu_avx2
                                                                         : &mpf_cpu_sse;
}

/* ---- outputs one by one ---- */

struct plain_work {
  const struct mpf_bucket *bucket;
  enum mpf_domain domain;
  const real *const *tables;
  real *output;
  size_t chunk; /* outputs of a unit */
};

static int do_chunk(void *context, size_t unit, void **memory)
{
  const struct plain_work *work = context;
  size_t from = unit * work->chunk, to = from + work->chunk;

  (void)memory;
  mpf_scalar(work->bucket, work->domain, work->tables, from,
             to < work->bucket->outputs ? to : work->bucket->outputs, work->output + from);
  return 0;
}

static int run_plain(const struct mpf_bucket *bucket, enum mpf_domain domain,
                     const real *const *tables, unsigned threads, real *output)
{
  struct plain_work work = {bucket, domain, tables, output, bucket->outputs / (4 * threads) + 1};
  struct mpf_crew crew = {
      .work = do_chunk, .context = &work, .units = (bucket->outputs + work.chunk - 1) / work.chunk};

  return mpf_crew_run(&crew, threads);
}

/* ---- outputs in lanes ---- */

struct lane_work {
  struct mpf_plan plan;
  struct mpf_lanes page; /* all but the bases */
  const struct mpf_cpu_isa *isa;
  enum mpf_domain domain;
  int *offsets;         /* [function][width]; owned */
  unsigned char *kinds; /* [function][width / lanes]; owned */
  real *output;
};

static int do_block(void *context, size_t block, void **memory)
{
  struct lane_work *work = context;
  const int *tables = work->plan.tables;
  struct mpf_lanes page = work->page;
  int left = work->plan.places - tables[work->plan.block_places + block];

  (void)memory;
  page.bases = tables + work->plan.block_offsets + block * page.functions;
  work->isa->sum_lanes(&page, work->domain, work->output + tables[work->plan.block_outputs + block],
                       (size_t)(left < work->plan.threads ? left : work->plan.threads));
  return 0;
}

static unsigned char kind_of(const int *offsets, unsigned lanes)
{
  bool equal = true, next = true;

  for (unsigned i = 1; i < lanes; i++) {
    equal &= offsets[i] == offsets[0];
    next &= offsets[i] == offsets[0] + (int)i;
  }
  return equal ? MPF_LANE_EQUAL : next ? MPF_LANE_NEXT : MPF_LANE_ANY;
}

/* The thread offsets in whole vectors; what is missing repeats the last one. */
static int prepare_lanes(struct lane_work *work)
{
  unsigned lanes = work->isa->lanes, functions = (unsigned)work->plan.functions,
           threads = (unsigned)work->plan.threads;
  size_t width = (threads + lanes - 1) / lanes * lanes;

  work->offsets = malloc((functions * width + 1) * sizeof *work->offsets);
  work->kinds = malloc(functions * width / lanes + 1);
  if (!work->offsets || !work->kinds) return -1;
  for (unsigned f = 0; f < functions; f++) {
    const int *from = work->plan.tables + work->plan.thread_offsets + (size_t)f * threads;
    int *to = work->offsets + f * width;
    for (size_t t = 0; t < width; t++) to[t] = from[t < threads ? t : threads - 1];
    for (size_t chunk = 0; chunk < width / lanes; chunk++)
      work->kinds[f * (width / lanes) + chunk] = kind_of(to + chunk * lanes, lanes);
  }
  work->page.functions = functions;
  work->page.summands = (size_t)work->plan.summands;
  work->page.width = width;
  work->page.offsets = work->offsets;
  work->page.kinds = work->kinds;
  work->page.sums = work->plan.tables + work->plan.sum_offsets;
  return 0;
}

/* Whether vectors would mostly be put together from single numbers, for too little arithmetic. */
static bool scattered(const struct lane_work *work)
{
  /* a function; lanes and plain, a term */
  const double single_ns = 0.9, vector_ns = 0.1, plain_ns = 0.65, log_ns[] = {0.4, 4};
  size_t functions = work->page.functions, chunks = work->page.width / work->isa->lanes, any = 0;

  for (size_t i = 0; i < functions * chunks; i++) any += work->kinds[i] == MPF_LANE_ANY;
  double share = (double)any / (double)chunks, rest = (double)functions - share;
  double lanes = share * single_ns + rest * vector_ns, plain = (double)functions * plain_ns;
  return work->domain == MPF_LINEAR ? lanes > plain : lanes + log_ns[0] > plain + log_ns[1];
}

static int run_lanes(const struct mpf_bucket *bucket, const struct mpf_cpu_isa *isa,
                     enum mpf_domain domain, const real *const *tables, unsigned threads,
                     real *output)
{
  struct lane_work work = {
      .isa = isa, .domain = domain, .output = output, .page = {.tables = tables}};
  size_t *bases = calloc(bucket->function_count + 1, sizeof *bases);
  int status = bases ? mpf_plan_build(bucket, bases,
                                      &(struct mpf_shape){LANE_THREADS, 0, 1, {1, 1}}, &work.plan)
                     : -1;

  free(bases);
  if (!status) status = prepare_lanes(&work);
  struct mpf_crew crew = {.work = do_block, .context = &work, .units = (size_t)work.plan.blocks};
  if (!status && scattered(&work))
    status = run_plain(bucket, domain, tables, threads, output);
  else if (!status)
    status = mpf_crew_run(&crew, threads);
  free(work.offsets);
  free(work.kinds);
  mpf_plan_free(&work.plan);
  return status;
}

/* ---- matrix products ---- */

static int run_product(const struct mpf_bucket *bucket, const struct mpf_cpu_isa *isa,
                       enum mpf_domain domain, const real *const *tables,
                       const struct mpf_split *split, unsigned threads, real *output)
{
  struct mpf_product product;
  int status = mpf_product_begin(&product, bucket, isa, domain, tables, split, threads, output);
  struct mpf_crew crew = {.work = mpf_product_unit,
                          .finish = mpf_product_forget,
                          .context = &product,
                          .units = product.units};

  if (!status) status = mpf_crew_run(&crew, threads);
  mpf_product_end(&product);
  return status;
}

static double lane_cost(const struct mpf_bucket *bucket, const struct mpf_cpu_isa *isa,
                        enum mpf_domain domain)
{
  double terms = (double)bucket->outputs * (double)bucket->summands;

  return terms * (bucket->function_count * 0.6 + (domain == MPF_LOG ? 6.0 / isa->lanes : 0));
}

int mpf_cpu(const struct mpf_bucket *bucket, enum mpf_domain domain, const real *const *tables,
            unsigned threads, real *output)
{
  const struct mpf_cpu_isa *isa = find_isa();
  double cost = lane_cost(bucket, isa, domain);
  struct mpf_split split = {.cost = INFINITY};
  const double small_ns = 6000, thread_ns = 50000;
  double plain = (double)bucket->outputs * (double)bucket->summands *
                 (bucket->function_count * 0.7 + (domain == MPF_LOG ? 4 : 1));

  if (plain < small_ns) {
    mpf_scalar(bucket, domain, tables, 0, bucket->outputs, output);
    return 0;
  }
  if (bucket->function_count > 1 && mpf_split_find(bucket, isa, domain, &split)) return -1;
  double least = split.cost < cost ? split.cost : cost, useful = least / thread_ns + 1;
  if (!threads) threads = mpf_cpu_cores();
  if (threads > useful) threads = (unsigned)useful;
  int status = split.cost < cost ? run_product(bucket, isa, domain, tables, &split, threads, output)
                                 : run_lanes(bucket, isa, domain, tables, threads, output);
  free(split.kinds);
  return status;
}
