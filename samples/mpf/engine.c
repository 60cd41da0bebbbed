/* engine.c - one bucket: views of its inputs, the device or the CPU, and a result near 1.
 *
 * Results are scaled by a power of two as soon as their largest value leaves a range around 1, so that neither products of
 * many small numbers vanish in the linear domain nor large exponents eat the precision of logarithms. */
#include "engine.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "mpf_cpu.h"

enum { MOST_FUNCTIONS = MPF_MOST_FUNCTIONS, MOST_SUMMANDS = 8192, THREADS = 256, LEAST_OUTPUTS = 1024 };

int mpf_engine_begin(struct mpf_engine *engine, enum mpf_domain domain, const unsigned *domains, unsigned variable_count, int *fixed)
{
  *engine = (struct mpf_engine){ .domain = domain, .domains = domains, .variable_count = variable_count, .fixed = fixed,
                                 .threshold = INFINITY, .memory = (size_t)-1 };
  engine->summed = calloc(variable_count + 1, sizeof *engine->summed);
  return engine->summed ? MPF_OK : MPF_NO_MEMORY;
}

void mpf_engine_end(struct mpf_engine *engine)
{
  free(engine->summed);
}

/* ---- tables ---- */

static void *acquire(struct mpf_engine *engine, size_t count, bool device)
{
  size_t bytes = count * sizeof(real);
  void *memory = device ? (void *)mpf_device_alloc(count + 1) : malloc(bytes + 64);

  engine->used += memory ? bytes : 0;
  engine->peak = engine->used > engine->peak ? engine->used : engine->peak;
  return memory;
}

static void release(struct mpf_engine *engine, void *memory, size_t count, bool device)
{
  if (!memory)
    return;
  engine->used -= count * sizeof(real);
  if (device)
    mpf_device_free(memory);
  else
    free(memory);
}

struct mpf_table *mpf_table_create(struct mpf_engine *engine, unsigned count, const unsigned *places, bool device)
{
  struct mpf_table *table = calloc(1, sizeof *table);

  if (!table)
    return NULL;
  table->count = count;
  table->device = device;
  table->size = 1;
  for (unsigned i = 0; i < count; i++)
    table->size *= engine->domains[places[i]];
  table->places = malloc((count + 1) * sizeof *table->places);
  table->values = table->places ? acquire(engine, table->size, device) : NULL;
  if (!table->values) {
    free(table->places);
    free(table);
    return NULL;
  }
  if (count)
    memcpy(table->places, places, count * sizeof *places);
  return table;
}

void mpf_table_free(struct mpf_engine *engine, struct mpf_table *table)
{
  if (!table)
    return;
  release(engine, table->values, table->size, table->device);
  free(table->places);
  free(table);
}

/* ---- views: the part of a table at the values of the fixed variables ---- */

struct view {
  const struct mpf_table *table;
  size_t base;          /* where it starts in the table */
  struct mpf_scope scope;
  unsigned *places;     /* owned */
  size_t *strides;      /* owned */
};

static void view_free(struct view *view)
{
  free(view->places);
  free(view->strides);
}

static int view_build(const struct mpf_engine *engine, const struct mpf_table *table, struct view *ret)
{
  size_t stride = 1;
  unsigned kept = table->count;

  *ret = (struct view){ .table = table, .places = malloc((table->count + 1) * sizeof *ret->places),
                        .strides = malloc((table->count + 1) * sizeof *ret->strides) };
  if (!ret->places || !ret->strides)
    return MPF_NO_MEMORY;
  for (unsigned i = table->count; i-- > 0;) {
    unsigned place = table->places[i];
    if (engine->fixed[place] >= 0) {
      ret->base += (size_t)engine->fixed[place] * stride;
    } else {
      kept--;
      ret->places[kept] = place;
      ret->strides[kept] = stride;
    }
    stride *= engine->domains[place];
  }
  ret->scope = (struct mpf_scope){ table->count - kept, ret->places + kept, ret->strides + kept };
  return MPF_OK;
}

double mpf_engine_log2(const struct mpf_engine *engine, const struct mpf_table *table)
{
  size_t at = 0, stride = 1;

  for (unsigned i = table->count; i-- > 0; stride *= engine->domains[table->places[i]])
    at += engine->fixed[table->places[i]] > 0 ? (size_t)engine->fixed[table->places[i]] * stride : 0;
  double value = table->values[at];
  return (engine->domain == MPF_LINEAR ? log2(value) : value) + table->exponent;
}

/* ---- one bucket ---- */

struct job {
  unsigned count;
  struct view views[MOST_FUNCTIONS];
  struct mpf_bucket bucket;
  unsigned output_count;
  unsigned *outputs;     /* places of the output's variables; owned */
  double exponent;       /* of all inputs together */
};

static void job_end(struct job *job)
{
  for (unsigned i = 0; i < job->count; i++)
    view_free(&job->views[i]);
  mpf_bucket_free(&job->bucket);
  free(job->outputs);
}

static int compare_places(const void *a, const void *b)
{
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return (x > y) - (x < y);
}

/* The variables of the inputs that are not summed out. */
static int find_outputs(struct mpf_engine *engine, struct job *job)
{
  unsigned all = 0, count = 0, kept = 0;

  for (unsigned i = 0; i < job->count; i++)
    all += job->views[i].scope.count;
  job->outputs = malloc((all + 1) * sizeof *job->outputs);
  if (!job->outputs)
    return MPF_NO_MEMORY;
  for (unsigned i = 0; i < job->count; i++)
    for (unsigned k = 0; k < job->views[i].scope.count; k++)
      if (!engine->summed[job->views[i].scope.places[k]])
        job->outputs[count++] = job->views[i].scope.places[k];
  qsort(job->outputs, count, sizeof *job->outputs, compare_places);
  for (unsigned i = 0; i < count; i++)
    if (!kept || job->outputs[kept - 1] != job->outputs[i])
      job->outputs[kept++] = job->outputs[i];
  job->output_count = kept;
  return MPF_OK;
}

/* Sums out the variables that are not kept, up to MOST_SUMMANDS configurations: those late in the order first. Whether that
 * is all of them. */
static bool choose_summed(struct mpf_engine *engine, const struct job *job, const bool *kept)
{
  bool *present = engine->summed, all = true;
  size_t summands = 1;

  memset(present, 0, engine->variable_count * sizeof *present);
  for (unsigned i = 0; i < job->count; i++)
    for (unsigned k = 0; k < job->views[i].scope.count; k++)
      present[job->views[i].scope.places[k]] = !kept[job->views[i].scope.places[k]];
  for (unsigned place = engine->variable_count; place-- > 0;) {
    if (!present[place])
      continue;
    bool fits = summands == 1 || summands * engine->domains[place] <= MOST_SUMMANDS;
    if (fits)
      summands *= engine->domains[place];
    present[place] = fits;
    all &= fits;
  }
  return all;
}

static int job_begin(struct mpf_engine *engine, unsigned count, struct mpf_table *const *inputs, const bool *kept, struct job *ret,
                     bool *ret_all)
{
  struct mpf_scope scopes[MOST_FUNCTIONS];

  *ret = (struct job){ 0 };
  for (; ret->count < count; ret->count++) {
    if (view_build(engine, inputs[ret->count], &ret->views[ret->count]))
      return view_free(&ret->views[ret->count]), MPF_NO_MEMORY;
    scopes[ret->count] = ret->views[ret->count].scope;
    ret->exponent += inputs[ret->count]->exponent;
  }
  *ret_all = choose_summed(engine, ret, kept);
  if (find_outputs(engine, ret))
    return MPF_NO_MEMORY;
  return mpf_bucket_build(count, scopes, engine->domains, engine->summed, &ret->bucket) ? MPF_TOO_LARGE : MPF_OK;
}

/* ---- on the device ---- */

/* All inputs one after another in one piece of device memory; what is there already is copied there. */
static real *gather(struct mpf_engine *engine, const struct job *job, size_t *bases, size_t *ret_size)
{
  size_t size = 0;

  for (unsigned i = 0; i < job->count; i++) {
    bases[i] = size;
    size += job->bucket.sizes[i];
  }
  real *pool = acquire(engine, size, true);
  for (int device = 0; pool && device < 2; device++) /* the host's first: a page that the device has written would come back */
    for (unsigned i = 0; i < job->count; i++) {
      const struct view *view = &job->views[i];
      if (view->table->device != device)
        continue;
      if (device)
        mpf_device_copy(pool + bases[i], view->table->values + view->base, job->bucket.sizes[i]);
      else
        memcpy(pool + bases[i], view->table->values + view->base, job->bucket.sizes[i] * sizeof *pool);
    }
  *ret_size = size;
  return pool;
}

/* A single input on the device is used where it is; so are inputs that lie in one piece already. */
static int run_on_device(struct mpf_engine *engine, const struct job *job, real *output)
{
  size_t bases[MOST_FUNCTIONS] = { 0 }, size = job->bucket.sizes[0];
  bool alone = job->count == 1 && job->views[0].table->device;
  real *pool = alone ? job->views[0].table->values + job->views[0].base : gather(engine, job, bases, &size);
  struct mpf_plan plan = { 0 };
  struct mpf_device_plan *device = NULL;
  int status = pool && !mpf_plan_build(&job->bucket, bases, THREADS, mpf_device_parallelism(), 0, &plan) ? MPF_OK : MPF_NO_MEMORY;

  if (!status)
    status = (device = mpf_device_prepare(&plan, size)) ? MPF_OK : MPF_NO_MEMORY;
  if (!status)
    mpf_device_run(device, engine->domain, pool, output);
  mpf_device_wait();
  mpf_device_release(device);
  mpf_plan_free(&plan);
  if (!alone)
    release(engine, pool, size, true);
  return status;
}

static bool suits_device(const struct mpf_engine *engine, const struct job *job)
{
  size_t inputs = 0;
  const size_t most = (size_t)1 << 31;

  for (unsigned i = 0; i < job->count; i++)
    inputs += job->bucket.sizes[i];
  return job->count && mpf_bucket_flop(&job->bucket) >= engine->threshold && (engine->threshold == 0 || job->bucket.outputs >= LEAST_OUTPUTS) &&
         job->bucket.outputs < most - 8192 && inputs < most - 8192;
}

/* ---- results ---- */

static real largest_of(const struct mpf_engine *engine, const struct mpf_table *table, size_t *denormal)
{
  const real smallest = sizeof(real) == sizeof(float) ? (real)FLT_MIN : (real)DBL_MIN;
  real most = engine->domain == MPF_LINEAR ? 0 : -INFINITY;

  if (table->device)
    return mpf_device_max(table->values, table->size, engine->domain, denormal);
  *denormal = 0;
  for (size_t i = 0; i < table->size; i++)
    most = table->values[i] > most ? table->values[i] : most;
  for (size_t i = 0; engine->domain == MPF_LINEAR && i < table->size; i++)
    *denormal += table->values[i] > 0 && table->values[i] < smallest;
  return most;
}

static void shift(const struct mpf_engine *engine, struct mpf_table *table, int exponent)
{
  if (table->device) {
    mpf_device_shift(table->values, table->size, engine->domain, exponent);
  } else {
    real factor = (real)ldexp(1, exponent);
    for (size_t i = 0; i < table->size; i++)
      table->values[i] = engine->domain == MPF_LINEAR ? table->values[i] * factor : table->values[i] + (real)exponent;
  }
  table->exponent -= exponent;
}

/* Brings the largest value of a table near 1 where it is far from it. */
static void normalize(struct mpf_engine *engine, struct mpf_table *table)
{
  size_t denormal;
  int exponent = 0;
  const int far = 4;
  real most = largest_of(engine, table, &denormal);

  engine->denormal += denormal;
  if (engine->domain == MPF_LINEAR)
    frexp(most, &exponent);
  else
    exponent = most == -INFINITY ? 0 : (int)floor(most);
  engine->vanished += engine->domain == MPF_LINEAR && most == 0;
  while (abs(exponent) >= far) { /* a factor of 2^127 and more needs two steps */
    int step = exponent > 100 ? 100 : exponent < -100 ? -100 : exponent;
    shift(engine, table, -step);
    exponent -= step;
  }
}

/* ---- sums ---- */

static int run_job(struct mpf_engine *engine, struct job *job, struct mpf_table **ret)
{
  bool device = suits_device(engine, job);
  size_t pool = 0;

  for (unsigned i = 0; device && i < job->count; i++)
    pool += job->bucket.sizes[i];
  if (job->bucket.outputs > engine->memory / sizeof(real) || engine->used + (job->bucket.outputs + pool) * sizeof(real) > engine->memory)
    return MPF_TOO_LARGE;
  struct mpf_table *output = mpf_table_create(engine, job->output_count, job->outputs, device);
  int status = output ? MPF_OK : MPF_NO_MEMORY;
  const real *tables[MOST_FUNCTIONS];
  for (unsigned i = 0; i < job->count; i++)
    tables[i] = job->views[i].table->values + job->views[i].base;
  if (!status && device)
    status = run_on_device(engine, job, output->values);
  else if (!status)
    status = mpf_cpu(&job->bucket, engine->domain, tables, 0, output->values) ? MPF_NO_MEMORY : MPF_OK;
  if (status) {
    mpf_table_free(engine, output);
    return status;
  }
  engine->flop[device] += mpf_bucket_flop(&job->bucket);
  engine->buckets[device]++;
  output->exponent = job->exponent;
  normalize(engine, output);
  *ret = output;
  return MPF_OK;
}

static int sum_once(struct mpf_engine *engine, unsigned count, struct mpf_table *const *inputs, const bool *kept, struct mpf_table **ret,
                    bool *ret_all)
{
  struct job job;
  int status = job_begin(engine, count, inputs, kept, &job, ret_all);

  if (!status)
    status = run_job(engine, &job, ret);
  job_end(&job);
  return status;
}

int mpf_engine_bucket(struct mpf_engine *engine, unsigned count, struct mpf_table *const *inputs, const bool *kept, struct mpf_table **ret)
{
  struct mpf_table *table = NULL;
  bool all;
  int status = sum_once(engine, count, inputs, kept, &table, &all);

  while (!status && !all) {
    struct mpf_table *partial = table;
    status = sum_once(engine, 1, &partial, kept, &table, &all);
    mpf_table_free(engine, partial);
  }
  if (!status)
    *ret = table;
  return status;
}
