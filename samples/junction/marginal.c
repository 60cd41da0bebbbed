/* marginal.c - cuts sums over a table into stages. */
#include "marginal.h"

#include <math.h>
#include <stdlib.h>

/* a joint sum has to make the table smaller by so much */
enum { MOST_LANES = 1024, LEAST_JOINT = 4 };

struct builder {
  const struct junction_shape *shape;
  struct junction_marginal *plan;
  unsigned stage_capacity;
  size_t table_capacity;
  size_t fan_in;
};

struct source { /* a table on its way */
  uint64_t digits;
  int from_clique;
  size_t at;
  unsigned round; /* the first one that may read it */
};

static struct junction_stage *append_stage(struct builder *builder)
{
  struct junction_marginal *plan = builder->plan;

  if (plan->stage_count == builder->stage_capacity) {
    unsigned capacity = 2 * builder->stage_capacity + 8;
    struct junction_stage *stages = realloc(plan->stages, capacity * sizeof *stages);
    if (!stages) return NULL;
    plan->stages = stages;
    builder->stage_capacity = capacity;
  }
  return &plan->stages[plan->stage_count++];
}

/* The configurations of `digits` in the table over `table`, behind the other tables. 0, or -1 when
 * out of memory. */
static int append_table(struct builder *builder, uint64_t table, uint64_t digits, size_t *ret)
{
  struct junction_marginal *plan = builder->plan;
  struct junction_axis axes[JUNCTION_MOST_DIGITS];
  unsigned count = junction_shape_axes(builder->shape, table, digits, axes);
  size_t length = junction_shape_size(builder->shape, digits);

  if (builder->table_capacity - plan->table_size < length) {
    size_t capacity = 2 * builder->table_capacity + length;
    long long *tables = realloc(plan->tables, capacity * sizeof *tables);
    if (!tables) return -1;
    plan->tables = tables;
    builder->table_capacity = capacity;
  }
  *ret = plan->table_size;
  plan->table_size += junction_enumerate(count, axes, 0, plan->tables + plan->table_size);
  return 0;
}

/* The least significant digits of `digits` that lanes count through. */
static uint64_t lane_digits(const struct junction_shape *shape, uint64_t digits)
{
  uint64_t lanes = 0;
  size_t width = 1;

  for (unsigned i = shape->count; i-- > 0;) {
    if (!(digits >> i & 1)) continue;
    width *= shape->sizes[i];
    if (width > MOST_LANES && lanes) break;
    lanes |= UINT64_C(1) << i;
  }
  return lanes;
}

/* Sums `from` onto the digits `to`, into `out` of the scratch memory. */
static int sum_out(struct builder *builder, struct source *from, uint64_t to, size_t out)
{
  const struct junction_shape *shape = builder->shape;
  uint64_t lanes = lane_digits(shape, to), summed = from->digits & ~to;
  struct junction_stage *stage = append_stage(builder);

  if (!stage) return -1;
  *stage = (struct junction_stage){.round = from->round,
                                   .from_clique = from->from_clique,
                                   .in = from->at,
                                   .out = out,
                                   .rows = junction_shape_size(shape, to & ~lanes),
                                   .width = junction_shape_size(shape, lanes),
                                   .count = junction_shape_size(shape, summed)};
  int status = append_table(builder, from->digits, to & ~lanes, &stage->row_table);
  if (!status) status = append_table(builder, from->digits, lanes, &stage->lane_table);
  if (!status) status = append_table(builder, from->digits, summed, &stage->sum_table);
  *from = (struct source){to, 0, out, from->round + 1};
  if (builder->plan->rounds < from->round) builder->plan->rounds = from->round;
  return status;
}

/* Which of the digits that `to` has not are summed out next. */
static uint64_t choose_digits(const struct builder *builder, uint64_t from, uint64_t to)
{
  uint64_t left = from & ~to, chosen = 0;
  double all = (double)junction_shape_size(builder->shape, left),
         stages = ceil(log(all) / log((double)builder->fan_in) - 1e-9);
  double enough = pow(all, 1 / fmax(stages, 1)) * (1 - 1e-9), product = 1;

  for (unsigned i = 0; i < builder->shape->count; i++) {
    double size = (double)builder->shape->sizes[i];
    if (!(left >> i & 1) ||
        (size > 1 &&
         (product >= enough || (product > 1 && product * size > (double)builder->fan_in))))
      continue;
    chosen |= UINT64_C(1) << i;
    product *= size;
  }
  return chosen;
}

/* All stages from a source to the digits `to`; the last one's output goes to `result`, or with -1
 * where there is room. */
static int sum_chain(struct builder *builder, struct source *from, uint64_t to, size_t result)
{
  int status = 0;

  do {
    uint64_t next = from->digits & ~choose_digits(builder, from->digits, to);
    size_t out = next == to && result != (size_t)-1 ? result : builder->plan->scratch;
    if (out == builder->plan->scratch)
      builder->plan->scratch += junction_shape_size(builder->shape, next);
    status = sum_out(builder, from, next, out);
  } while (!status && from->digits != to);
  return status;
}

static int compare_rounds(const void *a, const void *b)
{
  const struct junction_stage *x = a, *y = b;

  return x->round != y->round ? (x->round > y->round) - (x->round < y->round)
                              : (x->out > y->out) - (x->out < y->out);
}

static int place_results(struct builder *builder, unsigned targets, const uint64_t *kept)
{
  struct junction_marginal *plan = builder->plan;

  plan->target_count = targets;
  plan->results = calloc(targets + 1, sizeof *plan->results);
  if (!plan->results) return -1;
  for (unsigned i = 0; i < targets; i++) {
    plan->results[i] = plan->result_size;
    plan->result_size += junction_shape_size(builder->shape, kept[i]);
  }
  plan->scratch = plan->result_size;
  return 0;
}

int junction_marginal_plan(const struct junction_shape *shape, unsigned targets,
                           const uint64_t *kept, size_t fan_in, struct junction_marginal *ret)
{
  struct builder builder = {.shape = shape, .plan = ret, .fan_in = fan_in < 2 ? 2 : fan_in};
  struct source common = {.digits = junction_shape_all(shape), .from_clique = 1};
  uint64_t any = 0;

  *ret = (struct junction_marginal){0};
  for (unsigned i = 0; i < targets; i++) any |= kept[i];
  int status = place_results(&builder, targets, kept);
  if (!status && targets > 1 && junction_shape_size(shape, common.digits & ~any) >= LEAST_JOINT)
    status = sum_chain(&builder, &common, any, (size_t)-1);
  for (unsigned i = 0; !status && i < targets; i++) {
    struct source source = common;
    status = sum_chain(&builder, &source, kept[i], ret->results[i]);
  }
  if (status)
    junction_marginal_free(ret);
  else if (ret->stage_count)
    qsort(ret->stages, ret->stage_count, sizeof *ret->stages, compare_rounds);
  return status;
}

void junction_marginal_free(struct junction_marginal *plan)
{
  free(plan->stages);
  free(plan->results);
  free(plan->tables);
  *plan = (struct junction_marginal){0};
}
