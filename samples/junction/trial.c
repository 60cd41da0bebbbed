/* trial.c - a clique with data, and the computation kernel on it. */
#include "trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crew.h"

const struct junction_hand *junction_by_hand;

enum { CPU_FAN_IN = 256, MOST_COMPARED = 1 << 22 };

static uint64_t next_random(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static real random_value(uint64_t *state, enum mpf_domain domain)
{
  double value = 1.0 / 16 + 15.0 / 16 * (double)(next_random(state) >> 11) * 0x1p-53;

  return (real)(domain == MPF_LINEAR ? value : log2(value));
}

/* ---- begin and end ---- */

/* Whole values of the first separator are 0 in the clique, and in what the separator should be. */
static void put_zeros(struct junction_trial *trial, uint64_t *random)
{
  const real zero = trial->domain == MPF_LINEAR ? 0 : -INFINITY;

  for (size_t i = 0; i < trial->size; i++)
    if (next_random(random) % 3 == 0 ||
        (trial->count && junction_mapping_place(&trial->mappings[0], i) % 4 == 1))
      trial->original[i] = zero;
  for (size_t i = 1; trial->count && i < trial->mappings[0].size; i += 4) trial->given[i] = zero;
}

static void fill(struct junction_trial *trial, uint64_t seed, bool zeros)
{
  uint64_t random = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;

  for (size_t i = 0; i < trial->size; i++)
    trial->original[i] = random_value(&random, trial->domain);
  for (size_t i = 0; i < trial->separator_size; i++)
    trial->given[i] = random_value(&random, trial->domain);
  if (zeros) put_zeros(trial, &random);
  for (size_t i = 0; i < trial->separator_size; i++) trial->device_given[i] = trial->given[i];
  junction_trial_restore(trial);
}

static int plan(struct junction_trial *trial, size_t fan_in)
{
  size_t first = 0;

  for (unsigned k = 0; k < trial->count; k++) {
    junction_mapping_build(&trial->shape, trial->digits[k], first, &trial->mappings[k]);
    first += trial->mappings[k].size;
  }
  trial->separator_size = first;
  if (junction_marginal_plan(&trial->shape, trial->count, trial->digits, CPU_FAN_IN,
                             &trial->sums[0]) ||
      junction_marginal_plan(&trial->shape, trial->count, trial->digits, fan_in, &trial->sums[1]) ||
      junction_extend_plan(&trial->shape, trial->count, trial->digits, &trial->products))
    return -1;
  trial->device_sums = junction_device_marginal(&trial->sums[1]);
  trial->device_products = junction_device_extend(&trial->products);
  if (junction_by_hand)
    trial->hand = junction_by_hand->plan(&trial->shape, trial->count, trial->mappings);
  return trial->device_sums && trial->device_products ? 0 : -1;
}

int junction_trial_begin(struct junction_trial *trial, const struct junction_shape *shape,
                         unsigned count, const uint64_t *digits, enum mpf_domain domain,
                         size_t fan_in, uint64_t seed, bool zeros)
{
  *trial = (struct junction_trial){.shape = *shape, .count = count, .domain = domain};
  trial->size = junction_shape_size(shape, junction_shape_all(shape));
  trial->digits = malloc((count + 1) * sizeof *trial->digits);
  trial->mappings = calloc(count + 1, sizeof *trial->mappings);
  if (!trial->digits || !trial->mappings) return -1;
  memcpy(trial->digits, digits, count * sizeof *digits);
  if (plan(trial, fan_in)) return -1;
  trial->original = malloc(trial->size * sizeof *trial->original);
  trial->table = malloc(trial->size * sizeof *trial->table);
  trial->given = malloc((trial->separator_size + 1) * sizeof *trial->given);
  trial->scratch = malloc((trial->sums[0].scratch + 1) * sizeof *trial->scratch);
  trial->device_table = junction_device_alloc(trial->size);
  trial->device_scratch = junction_device_alloc(trial->sums[1].scratch);
  trial->device_given = junction_device_alloc(trial->separator_size);
  if (!trial->original || !trial->table || !trial->given || !trial->scratch ||
      !trial->device_table || !trial->device_scratch || !trial->device_given)
    return -1;
  fill(trial, seed, zeros);
  return 0;
}

void junction_trial_restore(struct junction_trial *trial)
{
  memcpy(trial->table, trial->original, trial->size * sizeof *trial->table);
  memcpy(trial->device_table, trial->original, trial->size * sizeof *trial->table);
}

void junction_trial_end(struct junction_trial *trial)
{
  junction_device_marginal_release(trial->device_sums);
  junction_device_extend_release(trial->device_products);
  if (junction_by_hand) junction_by_hand->release(trial->hand);
  for (int i = 0; i < 2; i++) junction_marginal_free(&trial->sums[i]);
  junction_extend_free(&trial->products);
  junction_device_free(trial->device_table);
  junction_device_free(trial->device_scratch);
  junction_device_free(trial->device_given);
  free(trial->original);
  free(trial->table);
  free(trial->given);
  free(trial->scratch);
  free(trial->digits);
  free(trial->mappings);
}

/* ---- the computation kernel ---- */

void junction_trial_device(struct junction_trial *trial, enum junction_part part)
{
  if (part == JUNCTION_MARGINALISE || part == JUNCTION_ALL)
    junction_device_marginalise(trial->device_sums, trial->domain, trial->device_table,
                                trial->device_scratch);
  if (part == JUNCTION_DIVIDE || part == JUNCTION_ALL)
    junction_device_divide(trial->domain, trial->device_given, trial->device_scratch,
                           trial->separator_size, trial->device_scratch);
  if (part == JUNCTION_MULTIPLY || part == JUNCTION_ALL)
    junction_device_multiply(trial->device_products, trial->domain, trial->device_scratch, false,
                             trial->device_table);
}

void junction_trial_by_hand(struct junction_trial *trial, enum junction_part part,
                            enum junction_form form, unsigned blocks)
{
  if (part == JUNCTION_MARGINALISE || part == JUNCTION_ALL)
    junction_by_hand->marginalise(trial->hand, form, blocks, trial->device_table,
                                  trial->device_scratch);
  if (part == JUNCTION_DIVIDE || part == JUNCTION_ALL)
    junction_by_hand->divide(form, blocks, trial->device_given, trial->device_scratch,
                             trial->separator_size, trial->device_scratch);
  if (part == JUNCTION_MULTIPLY || part == JUNCTION_ALL)
    junction_by_hand->multiply(trial->hand, form, blocks, trial->device_scratch,
                               trial->device_table);
}

void junction_trial_cpu(struct junction_trial *trial, enum junction_part part, unsigned threads)
{
  if (part == JUNCTION_MARGINALISE || part == JUNCTION_ALL)
    junction_cpu_marginalise(&trial->sums[0], trial->domain, threads, trial->table, trial->scratch);
  if (part == JUNCTION_DIVIDE || part == JUNCTION_ALL)
    junction_cpu_divide(trial->domain, trial->given, trial->scratch, trial->separator_size,
                        trial->scratch);
  if (part == JUNCTION_MULTIPLY || part == JUNCTION_ALL)
    junction_cpu_multiply(&trial->products, trial->domain, threads, trial->scratch, false,
                          trial->table);
}

void junction_trial_plain(struct junction_trial *trial, enum junction_part part, unsigned threads)
{
  if (part == JUNCTION_MARGINALISE || part == JUNCTION_ALL)
    junction_plain_marginalise(trial->count, trial->mappings, threads, trial->table, trial->size,
                               trial->scratch);
  if (part == JUNCTION_DIVIDE || part == JUNCTION_ALL)
    junction_cpu_divide(MPF_LINEAR, trial->given, trial->scratch, trial->separator_size,
                        trial->scratch);
  if (part == JUNCTION_MULTIPLY || part == JUNCTION_ALL)
    junction_plain_multiply(trial->count, trial->mappings, threads, trial->scratch, trial->table,
                            trial->size);
}

/* ---- errors ---- */

/* What the separators are multiplied with, in the linear domain. */
static int exact_quotients(const struct junction_trial *trial, double *ret)
{
  real *linear = NULL;
  const real *table = trial->original;

  if (trial->domain == MPF_LOG) {
    linear = malloc(trial->size * sizeof *linear);
    if (!linear) return -1;
    for (size_t i = 0; i < trial->size; i++) linear[i] = (real)exp2((double)trial->original[i]);
    table = linear;
  }
  int status = junction_reference_marginalise(trial->count, trial->mappings, mpf_cpu_cores(), table,
                                              trial->size, ret);
  for (size_t i = 0; i < trial->separator_size; i++) {
    double given =
        trial->domain == MPF_LINEAR ? (double)trial->given[i] : exp2((double)trial->given[i]);
    ret[i] = ret[i] == 0 ? 0 : given / ret[i];
  }
  free(linear);
  return status;
}

static double error_of(enum mpf_domain domain, double wanted, double have)
{
  if (wanted == have) return 0;
  double difference = fabs(wanted - have), relative = difference / fabs(wanted);
  if (!isfinite(have) || !isfinite(wanted)) return INFINITY;
  return domain == MPF_LOG && difference < relative ? difference : relative;
}

double junction_trial_error(const struct junction_trial *trial, bool device)
{
  const real *table = device ? trial->device_table : trial->table;
  double *quotients = malloc((trial->separator_size + 1) * sizeof *quotients), worst = 0;
  size_t step = trial->size / MOST_COMPARED + 1;

  if (!quotients || exact_quotients(trial, quotients)) {
    free(quotients);
    return -1;
  }
  for (size_t i = 0; i < trial->size; i += step) {
    double wanted =
        trial->domain == MPF_LINEAR ? (double)trial->original[i] : exp2((double)trial->original[i]);
    for (unsigned k = 0; k < trial->count; k++)
      wanted *= quotients[junction_mapping_place(&trial->mappings[k], i)];
    worst = fmax(worst, error_of(trial->domain, trial->domain == MPF_LINEAR ? wanted : log2(wanted),
                                 (double)table[i]));
  }
  free(quotients);
  return worst;
}
