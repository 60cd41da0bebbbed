/* plan.c - cuts the outputs into blocks, pages and threads, and writes the offset tables. */
#include "digits.h"

#include <limits.h>
#include <stdlib.h>

static void add_digit(struct digits *digits, const struct mpf_bucket *bucket, unsigned variable,
                      size_t size, size_t scale, size_t output, size_t place)
{
  size_t *units = mpf_unit_of(digits, bucket, digits->count);

  for (unsigned f = 0; f < bucket->function_count; f++)
    units[f] = bucket->strides[(size_t)f * bucket->variable_count + variable] * scale;
  units[bucket->function_count + MPF_OUTPUT] = output;
  units[bucket->function_count + MPF_PLACE] = place;
  digits->sizes[digits->count++] = size;
}

static size_t divide_up(size_t a, size_t b) { return (a + b - 1) / b; }

/* The outputs of variables below the one that no longer fits under the limit; that variable. */
static size_t whole_variables(const struct mpf_bucket *bucket, size_t limit, unsigned *ret_variable)
{
  size_t inner = 1;
  unsigned v = bucket->output_count;

  for (; v > 0 && inner * bucket->domains[v - 1] <= limit; v--) inner *= bucket->domains[v - 1];
  *ret_variable = v;
  return inner;
}

/* Pages and blocks from digit `threads_end` on: as many pages as leave enough threads. */
static void choose_pages(struct digits *digits, size_t outputs, size_t threads, size_t parallelism,
                         size_t page_limit)
{
  size_t pages = 1, most = parallelism ? outputs / threads * threads / parallelism : 1;

  if (page_limit && most > page_limit) most = page_limit;
  digits->pages_end = digits->threads_end;
  while (digits->pages_end < digits->count && pages * digits->sizes[digits->pages_end] <= most)
    pages *= digits->sizes[digits->pages_end++];
}

/* Cuts the variable of `digit` so that it fills the pages: its outer part becomes a digit of the
 * blocks. Only for the one digit that may have missing values at its end. */
static void cut_pages(struct digits *digits, const struct mpf_bucket *bucket, size_t threads,
                      size_t parallelism, size_t page_limit)
{
  unsigned digit = digits->pages_end, units = bucket->function_count + MPF_EXTRA;
  size_t most = parallelism ? bucket->outputs / threads * threads / parallelism : 1;

  if (page_limit && most > page_limit) most = page_limit;
  if (digit != digits->threads_end || digit >= digits->count || most < 2 ||
      !mpf_unit_of(digits, bucket, digit)[bucket->function_count + MPF_PLACE])
    return;
  size_t size = digits->sizes[digit], parts = divide_up(size, most), inner = divide_up(size, parts);
  for (unsigned d = digits->count; d > digit + 1; d--) {
    digits->sizes[d] = digits->sizes[d - 1];
    for (unsigned u = 0; u < units; u++)
      digits->units[(size_t)d * units + u] = digits->units[(size_t)(d - 1) * units + u];
  }
  for (unsigned u = 0; u < units; u++)
    digits->units[(size_t)(digit + 1) * units + u] =
        digits->units[(size_t)digit * units + u] * inner;
  digits->sizes[digit] = inner;
  digits->sizes[digit + 1] = parts;
  digits->count++;
  digits->pages_end++;
}

/* Pages in groups that share values need less threads at once: each waits for several loads at a
 * time. */
enum { FEWER_THREADS = 2 };

static void cut_rest(struct digits *digits, const struct mpf_bucket *bucket, size_t threads,
                     const struct mpf_shape *shape)
{
  size_t most = shape->parallelism
                    ? bucket->outputs / threads * threads * FEWER_THREADS / shape->parallelism
                    : 1;

  digits->tile[0] = digits->tile[1] = 1;
  if (!shape->page_limit && mpf_alike_pages(digits, bucket, shape->alike, most)) return;
  choose_pages(digits, bucket->outputs, threads, shape->parallelism, shape->page_limit);
  cut_pages(digits, bucket, threads, shape->parallelism, shape->page_limit);
  digits->inner_end = digits->pages_end;
}

/* The digits; the threads of a block, 0 when out of memory. */
static size_t cut_outputs(const struct mpf_bucket *bucket, const struct mpf_shape *shape,
                          struct digits *ret)
{
  size_t thread_limit = shape->thread_limit;
  unsigned cut;
  size_t inner = whole_variables(bucket, thread_limit, &cut), scale = 1, threads = inner;

  *ret = (struct digits){.places = inner};
  ret->sizes = calloc(bucket->output_count + 3, sizeof *ret->sizes);
  ret->units = calloc((size_t)(bucket->output_count + 3) * (bucket->function_count + MPF_EXTRA),
                      sizeof *ret->units);
  if (!ret->sizes || !ret->units) return 0;
  for (unsigned v = bucket->output_count; v > cut; v--) {
    add_digit(ret, bucket, v - 1, bucket->domains[v - 1], 1, scale, scale);
    scale *= bucket->domains[v - 1];
  }
  if (cut > 0) { /* the chunk of the next variable that still fits */
    size_t domain = bucket->domains[cut - 1], parts = divide_up(domain, thread_limit / inner),
           chunk = divide_up(domain, parts);
    if (chunk > 1) add_digit(ret, bucket, cut - 1, chunk, 1, scale, scale);
    threads = inner * chunk;
    ret->places = inner * domain;
    ret->threads_end = ret->count;
    add_digit(ret, bucket, cut - 1, divide_up(domain, chunk), chunk, scale * chunk, scale * chunk);
    scale *= domain;
    for (unsigned v = cut - 1; v > 0; v--) {
      add_digit(ret, bucket, v - 1, bucket->domains[v - 1], 1, scale, 0);
      scale *= bucket->domains[v - 1];
    }
  } else {
    ret->threads_end = ret->count;
  }
  cut_rest(ret, bucket, threads, shape);
  return threads;
}

static size_t product(const struct digits *digits, unsigned from, unsigned to)
{
  size_t result = 1;

  for (unsigned d = from; d < to; d++) result *= digits->sizes[d];
  return result;
}

/* table[i * step] for each configuration i of the digits [from, to): `base` and what their values
 * add to `unit`. */
static void enumerate(const struct digits *digits, const struct mpf_bucket *bucket, unsigned from,
                      unsigned to, unsigned unit, size_t base, int *table, size_t step)
{
  size_t length = 1;

  table[0] = (int)base;
  for (unsigned d = from; d < to; d++) {
    size_t add = mpf_unit_of(digits, bucket, d)[unit];
    for (size_t k = 1; k < digits->sizes[d]; k++)
      for (size_t i = 0; i < length; i++)
        table[(k * length + i) * step] = table[i * step] + (int)(k * add);
    length *= digits->sizes[d];
  }
}

static size_t padded(size_t count, size_t tile) { return divide_up(count, tile) * tile; }

static size_t count_pages(const struct digits *digits)
{
  return padded(product(digits, digits->threads_end, digits->inner_end), digits->tile[0]) *
         padded(product(digits, digits->inner_end, digits->pages_end), digits->tile[1]);
}

/* The same for pages, group by group; where values do not fill one the last of them is there again.
 */
static void enumerate_pages(const struct digits *digits, const struct mpf_bucket *bucket,
                            unsigned unit, int *lines, int *table, size_t step)
{
  size_t inner = product(digits, digits->threads_end, digits->inner_end),
         outer = product(digits, digits->inner_end, digits->pages_end);
  size_t columns = padded(inner, digits->tile[0]) / digits->tile[0],
         group = (size_t)digits->tile[0] * digits->tile[1], pages = count_pages(digits);

  enumerate(digits, bucket, digits->threads_end, digits->inner_end, unit, 0, lines, 1);
  enumerate(digits, bucket, digits->inner_end, digits->pages_end, unit, 0, lines + inner, 1);
  for (size_t p = 0; p < pages; p++) {
    size_t in = p / group % columns * digits->tile[0] + p % digits->tile[0];
    size_t out = p / group / columns * digits->tile[1] + p % group / digits->tile[0];
    table[p * step] =
        lines[in < inner ? in : inner - 1] + lines[inner + (out < outer ? out : outer - 1)];
  }
}

static void enumerate_summands(const struct mpf_bucket *bucket, unsigned f, int *table, size_t step)
{
  size_t length = 1;

  table[0] = 0;
  for (unsigned v = bucket->variable_count; v > bucket->output_count; v--) {
    size_t add = bucket->strides[(size_t)f * bucket->variable_count + v - 1];
    for (size_t k = 1; k < bucket->domains[v - 1]; k++)
      for (size_t i = 0; i < length; i++)
        table[(k * length + i) * step] = table[i * step] + (int)(k * add);
    length *= bucket->domains[v - 1];
  }
}

static void fill_cache(const struct mpf_plan *plan)
{
  int functions = plan->functions, *tables = plan->tables;

  for (int f = 0; f < functions; f++) {
    int fresh = 0;
    for (int p = 0; p < plan->pages; p++) {
      const int *page = tables + plan->page_offsets + (size_t)p * functions;
      int differs = p == 0 || page[f] != page[f - functions];
      tables[plan->refresh + (size_t)p * functions + f] = differs;
      fresh += differs;
    }
    tables[plan->segments + f] =
        1 + tables[plan->thread_offsets + (size_t)(f + 1) * plan->threads - 1] +
        tables[plan->sum_offsets + (size_t)(plan->summands - 1) * functions + f];
    tables[plan->lifetimes + f] = (plan->pages + fresh / 2) / fresh;
  }
}

/* `lines`: room for the values of both kinds of digits of pages. */
static void fill_tables(const struct mpf_bucket *bucket, const size_t *bases,
                        const struct digits *digits, int *lines, const struct mpf_plan *plan)
{
  unsigned functions = bucket->function_count, threads = digits->threads_end,
           pages = digits->pages_end, count = digits->count;
  int *tables = plan->tables;

  for (unsigned f = 0; f < functions; f++) {
    enumerate(digits, bucket, pages, count, f, bases[f], tables + plan->block_offsets + f,
              functions);
    enumerate_pages(digits, bucket, f, lines, tables + plan->page_offsets + f, functions);
    enumerate(digits, bucket, 0, threads, f, 0,
              tables + plan->thread_offsets + (size_t)f * plan->threads, 1);
    enumerate_summands(bucket, f, tables + plan->sum_offsets + f, functions);
  }
  enumerate(digits, bucket, pages, count, functions + MPF_OUTPUT, 0, tables + plan->block_outputs,
            1);
  enumerate(digits, bucket, pages, count, functions + MPF_PLACE, 0, tables + plan->block_places, 1);
  enumerate_pages(digits, bucket, functions + MPF_OUTPUT, lines, tables + plan->page_outputs, 1);
  enumerate_pages(digits, bucket, functions + MPF_PLACE, lines, tables + plan->page_places, 1);
  fill_cache(plan);
}

static size_t reserve(struct mpf_plan *plan, size_t count)
{
  size_t at = plan->table_size;

  plan->table_size += count;
  return at;
}

/* 0, or -1: the numbers do not fit. */
static int lay_out(const struct mpf_bucket *bucket, const size_t *bases,
                   const struct digits *digits, size_t threads, struct mpf_plan *plan)
{
  size_t functions = bucket->function_count, pages = count_pages(digits);
  size_t blocks = product(digits, digits->pages_end, digits->count);

  for (unsigned f = 0; f < functions; f++)
    if (bases[f] > INT_MAX || bucket->sizes[f] > INT_MAX - bases[f]) return -1;
  if (bucket->outputs > INT_MAX - 4096 || blocks > INT_MAX / (functions + 1) ||
      bucket->summands > INT_MAX / (functions + 1))
    return -1;
  *plan = (struct mpf_plan){.functions = (int)functions,
                            .blocks = (int)blocks,
                            .pages = (int)pages,
                            .threads = (int)threads,
                            .summands = (int)bucket->summands,
                            .places = (int)digits->places};
  plan->block_offsets = reserve(plan, blocks * functions);
  plan->page_offsets = reserve(plan, pages * functions);
  plan->thread_offsets = reserve(plan, functions * threads);
  plan->sum_offsets = reserve(plan, bucket->summands * functions);
  plan->block_outputs = reserve(plan, blocks);
  plan->block_places = reserve(plan, blocks);
  plan->page_outputs = reserve(plan, pages);
  plan->page_places = reserve(plan, pages);
  plan->refresh = reserve(plan, pages * functions);
  plan->segments = reserve(plan, functions);
  plan->lifetimes = reserve(plan, functions);
  plan->tables = malloc((plan->table_size + 1) * sizeof *plan->tables);
  return plan->tables ? 0 : -1;
}

int mpf_plan_build(const struct mpf_bucket *bucket, const size_t *bases,
                   const struct mpf_shape *shape, struct mpf_plan *ret)
{
  struct digits digits;
  size_t threads = cut_outputs(bucket, shape, &digits);
  int *lines = threads ? malloc((count_pages(&digits) + 2) * sizeof *lines) : NULL;

  *ret = (struct mpf_plan){0};
  int status = lines ? lay_out(bucket, bases, &digits, threads, ret) : -1;
  if (!status)
    fill_tables(bucket, bases, &digits, lines, ret);
  else
    mpf_plan_free(ret);
  free(lines);
  free(digits.sizes);
  free(digits.units);
  return status;
}

void mpf_plan_free(struct mpf_plan *plan)
{
  free(plan->tables);
  *plan = (struct mpf_plan){0};
}
