/* job.c - tables, views of them, and buckets made of views. */
#include "job.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

struct mpf_table *mpf_table_create(struct mpf_engine *engine, unsigned count,
                                   const unsigned *places, bool device)
{
  struct mpf_table *table = calloc(1, sizeof *table);

  if (!table) return NULL;
  table->count = count;
  table->device = device;
  table->size = 1;
  for (unsigned i = 0; i < count; i++) table->size *= engine->domains[places[i]];
  table->places = malloc((count + 1) * sizeof *table->places);
  table->values = table->places ? mpf_engine_acquire(engine, table->size, device) : NULL;
  if (!table->values) {
    free(table->places);
    free(table);
    return NULL;
  }
  if (count) memcpy(table->places, places, count * sizeof *places);
  return table;
}

void mpf_table_free(struct mpf_engine *engine, struct mpf_table *table)
{
  if (!table) return;
  table->dead = table->task || table->users;
  if (table->dead) return;
  if (!table->shared)
    mpf_engine_release(engine, table->values, table->size, table->device);
  else if (!--table->shared->users) {
    mpf_engine_release(engine, table->shared->memory, table->shared->count, true);
    free(table->shared);
  }
  free(table->places);
  free(table);
}

/* ---- views: the part of a table at the values of the fixed variables ---- */

static void view_free(struct mpf_view *view)
{
  free(view->places);
  free(view->strides);
}

static int view_build(const struct mpf_engine *engine, const struct mpf_table *table,
                      struct mpf_view *ret)
{
  size_t stride = 1;
  unsigned kept = table->count;

  *ret = (struct mpf_view){.table = table,
                           .places = malloc((table->count + 1) * sizeof *ret->places),
                           .strides = malloc((table->count + 1) * sizeof *ret->strides)};
  if (!ret->places || !ret->strides) return MPF_NO_MEMORY;
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
  ret->scope = (struct mpf_scope){table->count - kept, ret->places + kept, ret->strides + kept};
  return MPF_OK;
}

/* ---- one bucket ---- */

void mpf_job_end(struct mpf_job *job)
{
  for (unsigned i = 0; i < job->count; i++) view_free(&job->views[i]);
  mpf_bucket_free(&job->bucket);
  free(job->outputs);
}

static int compare_places(const void *a, const void *b)
{
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return (x > y) - (x < y);
}

/* The variables of the inputs that are not summed out. */
static int find_outputs(struct mpf_engine *engine, struct mpf_job *job)
{
  unsigned all = 0, count = 0, kept = 0;

  for (unsigned i = 0; i < job->count; i++) all += job->views[i].scope.count;
  job->outputs = malloc((all + 1) * sizeof *job->outputs);
  if (!job->outputs) return MPF_NO_MEMORY;
  for (unsigned i = 0; i < job->count; i++)
    for (unsigned k = 0; k < job->views[i].scope.count; k++)
      if (!engine->summed[job->views[i].scope.places[k]])
        job->outputs[count++] = job->views[i].scope.places[k];
  qsort(job->outputs, count, sizeof *job->outputs, compare_places);
  for (unsigned i = 0; i < count; i++)
    if (!kept || job->outputs[kept - 1] != job->outputs[i]) job->outputs[kept++] = job->outputs[i];
  job->output_count = kept;
  return MPF_OK;
}

/* Sums out the variables that are not kept, up to MPF_MOST_SUMMANDS configurations: those late in
 * the order first. Whether that is all of them. */
static bool choose_summed(struct mpf_engine *engine, const struct mpf_job *job, const bool *kept)
{
  bool *present = engine->summed, all = true;
  size_t summands = 1;

  memset(present, 0, engine->variable_count * sizeof *present);
  for (unsigned i = 0; i < job->count; i++)
    for (unsigned k = 0; k < job->views[i].scope.count; k++)
      present[job->views[i].scope.places[k]] = !kept[job->views[i].scope.places[k]];
  for (unsigned place = engine->variable_count; place-- > 0;) {
    if (!present[place]) continue;
    bool fits = summands == 1 || summands * engine->domains[place] <= MPF_MOST_SUMMANDS;
    if (fits) summands *= engine->domains[place];
    present[place] = fits;
    all &= fits;
  }
  return all;
}

int mpf_job_begin(struct mpf_engine *engine, unsigned count, struct mpf_table *const *inputs,
                  const bool *kept, struct mpf_job *ret, bool *ret_all)
{
  struct mpf_scope scopes[MPF_MOST_FUNCTIONS];

  *ret = (struct mpf_job){0};
  for (; ret->count < count; ret->count++) {
    if (view_build(engine, inputs[ret->count], &ret->views[ret->count]))
      return view_free(&ret->views[ret->count]), MPF_NO_MEMORY;
    scopes[ret->count] = ret->views[ret->count].scope;
  }
  *ret_all = choose_summed(engine, ret, kept);
  if (find_outputs(engine, ret)) return MPF_NO_MEMORY;
  return mpf_bucket_build(count, scopes, engine->domains, engine->summed, &ret->bucket)
             ? MPF_TOO_LARGE
             : MPF_OK;
}

double mpf_job_exponent(const struct mpf_job *job)
{
  double exponent = 0;

  for (unsigned i = 0; i < job->count; i++) exponent += job->views[i].table->exponent;
  return exponent;
}

size_t mpf_job_inputs(const struct mpf_job *job)
{
  size_t count = 0;

  for (unsigned i = 0; i < job->count; i++) count += job->bucket.sizes[i];
  return count;
}
