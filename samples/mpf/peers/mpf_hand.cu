/* mpf_hand.cu - device.h by hand: the kernel of the MPF paper's figure 4 with its cache in shared
 * memory, as one would write it today. It takes the place of mpf.mcu: nvcc mpf_hand.cu and the C
 * files.
 *
 * Segments of functions are cached where they fit, those first that live long for their size, and
 * where a block uses each value twice at least; a segment is filled again on the pages that change
 * it. The number of functions is a template parameter up to four, so that offsets stay in
 * registers. Where one variable is summed out its offsets are multiples of a stride; else the
 * summands' offsets are in shared memory too.
 */
#include <cuda_runtime.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void *allocate_managed(size_t bytes);
#define JUNCTION_ALLOC(bytes) allocate_managed(bytes)
#define JUNCTION_FREE(pointer) cudaFree(pointer)
#include "cache.h"
#include "device.h"
#include "primitives.cuh"

#define LOWEST (sizeof(REAL) == sizeof(float) ? (REAL)-FLT_MAX : (REAL)-DBL_MAX)
#define SMALLEST (sizeof(REAL) == sizeof(float) ? (REAL)FLT_MIN : (REAL)DBL_MIN)

/* How values are loaded; mpf_texture.cu has it otherwise, without the cache. */
#ifndef LOADS
#define LOADS "by hand"
#define MOST_CACHE (48 * 1024)
typedef const REAL *place_of_values;
#define PLACE(at, values, index) ((values) + (index))
#define LOAD(at, place, index) ((place)[index])
#define OTHER_LOADS 0
#endif

enum { MOST_FUNCTIONS = 64, CACHE_BYTES = MOST_CACHE, THREADS = 256, REDUCERS = 256 };

struct layout { /* a plan as the kernel takes it, by value */
  const int *block_offsets, *page_offsets, *thread_offsets, *sum_offsets, *block_outputs,
      *page_outputs, *block_places, *page_places, *refresh;
  /* of the values, from `before` numbers in front of them on; 0: none */
  cudaTextureObject_t texture;
  int before;
  long long size;              /* of the values */
  int functions, pages, summands, places;
  int sums_at; /* where the summands' offsets are in shared memory, in numbers; -1: not there */
  int strides[MOST_FUNCTIONS]; /* of the summed variable where there is one only */
  int segments[MOST_FUNCTIONS]; /* of the cached functions, else 0 */
  int places_at[MOST_FUNCTIONS]; /* where their segments start in shared memory, in numbers */
};

#if OTHER_LOADS
static bool can_load(size_t size); /* a plan's values */
static void begin_loads(const REAL *values, struct layout *at);
static void end_loads(void); /* of plans that are not used any more */
#else
static bool can_load(size_t) { return true; }
static void begin_loads(const REAL *, struct layout *) {}
static void end_loads(void) {}
#endif

static void check(cudaError_t status, const char *what)
{
  if (status == cudaSuccess)
    return;
  fprintf(stderr, "mpf: %s: %s\n", what, cudaGetErrorString(status));
  exit(70);
}

/* ---- the kernel ---- */

/* FUNCTIONS 0: as many as the layout says. STRIDED: one variable is summed out. */
template <int FUNCTIONS, bool LOG, bool STRIDED, int UNROLL>
__global__ void sum_product(const REAL *__restrict__ values, REAL *__restrict__ output,
                            const __grid_constant__ struct layout at)
{
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  REAL *cache = (REAL *)shared_bytes;
  const int functions = FUNCTIONS ? FUNCTIONS : at.functions, block = blockIdx.x,
            thread = threadIdx.x;
  place_of_values from[FUNCTIONS ? FUNCTIONS : MOST_FUNCTIONS];
  const int *sums = at.sum_offsets;

  if (!STRIDED && at.sums_at >= 0) {
    int *staged = (int *)(cache + at.sums_at);
    for (int i = thread; i < at.summands * functions; i += blockDim.x)
      staged[i] = at.sum_offsets[i];
    sums = staged;
  }
  for (int page = 0; page < at.pages; page++) {
    bool fresh = page == 0;
    for (int f = 0; f < functions; f++)
      fresh |= at.segments[f] && at.refresh[page * functions + f];
    if (fresh) {
      __syncthreads();
#pragma unroll
      for (int f = 0; f < functions; f++) {
        if (!at.segments[f] || !at.refresh[page * functions + f])
          continue;
        long long base = (long long)at.block_offsets[block * functions + f] +
                         at.page_offsets[page * functions + f];
        int count = at.size - base < at.segments[f] ? (int)(at.size - base) : at.segments[f];
        for (int i = thread; i < count; i += blockDim.x)
          cache[at.places_at[f] + i] = values[base + i];
      }
      __syncthreads();
    }
    if (at.block_places[block] + at.page_places[page] + thread >= at.places)
      continue;
#pragma unroll
    for (int f = 0; f < functions; f++) {
      const int index = at.thread_offsets[f * blockDim.x + thread];
      if (MOST_CACHE && at.segments[f])
        from[f] = PLACE(at, cache, at.places_at[f] + index);
      else
        from[f] = PLACE(at, values,
                        at.block_offsets[block * functions + f] +
                            at.page_offsets[page * functions + f] + index);
    }
    REAL sum = 0, largest = LOWEST;
#pragma unroll UNROLL
    for (int s = 0; s < at.summands; s++) {
      REAL term = LOG ? 0 : 1;
#pragma unroll
      for (int f = 0; f < functions; f++) {
        REAL value = LOAD(at, from[f], STRIDED ? s * at.strides[f] : sums[s * functions + f]);
        term = LOG ? term + value : term * value;
      }
      if (LOG) {
        REAL part = exp2(term > largest ? largest - term : term - largest);
        sum = term > largest ? sum * part + 1 : sum + part;
        largest = term > largest ? term : largest;
      } else {
        sum += term;
      }
    }
    output[at.block_outputs[block] + at.page_outputs[page] + thread] =
        LOG ? largest + log2(sum) : sum;
  }
}

/* ---- the policy ---- */

struct mpf_device_plan {
  struct layout at;
  int *tables;        /* on the device; owned */
  int blocks, threads;
  bool strided;       /* one variable is summed out */
  size_t shared;      /* bytes */
  int unroll, functions; /* summands at once; the kernel's functions, 0: any */
};

static struct mpf_tuning tuning = { CACHE_BYTES, 4, 1 };

static bool find_strides(const struct mpf_plan *plan, struct layout *ret)
{
  const int *sums = plan->tables + plan->sum_offsets;

  for (int f = 0; f < plan->functions; f++)
    ret->strides[f] = plan->summands > 1 ? sums[plan->functions + f] : 0;
  for (int s = 0; s < plan->summands; s++)
    for (int f = 0; f < plan->functions; f++)
      if (sums[s * plan->functions + f] != s * ret->strides[f])
        return false;
  return true;
}

static void choose_cached(const struct mpf_plan *plan, struct mpf_device_plan *ret)
{
  const int *segments = plan->tables + plan->segments;
  size_t sums = (size_t)plan->summands * plan->functions * sizeof(int),
         sums_numbers = (sums + sizeof(REAL) - 1) / sizeof(REAL);
  size_t taken = 0, capacity = tuning.cache / sizeof(REAL);
  struct mpf_cache cache;

  ret->at.sums_at = -1;
  if (!ret->strided && sums_numbers <= capacity / 4) {
    ret->at.sums_at = 0;
    taken = (sums_numbers + 3) / 4 * 4;
  }
  mpf_cache_choose(plan, capacity, taken, &cache);
  for (int f = 0; f < plan->functions; f++)
    if (cache.cached[f]) {
      ret->at.segments[f] = segments[f];
      ret->at.places_at[f] = (int)cache.places[f];
    }
  ret->shared = cache.used * sizeof(REAL);
  ret->unroll = tuning.unroll;
  ret->functions = tuning.functions ? plan->functions : 0;
}

struct mpf_tuning mpf_device_tune(const struct mpf_tuning *wanted)
{
  tuning = *wanted;
  if (tuning.cache > (size_t)CACHE_BYTES)
    tuning.cache = CACHE_BYTES;
  return tuning;
}

struct mpf_device_plan *mpf_device_prepare(const struct mpf_plan *plan, size_t size)
{
  struct mpf_device_plan *ret = (struct mpf_device_plan *)calloc(1, sizeof *ret);
  size_t bytes = (plan->table_size + 1) * sizeof(int);

  if (!ret || !can_load(size) || cudaMalloc(&ret->tables, bytes) != cudaSuccess) {
    free(ret);
    return NULL;
  }
  check(
      cudaMemcpy(ret->tables, plan->tables, plan->table_size * sizeof(int), cudaMemcpyHostToDevice),
      "the tables of a plan");
  const int *tables = ret->tables;
  ret->blocks = plan->blocks;
  ret->threads = plan->threads;
  ret->at.block_offsets = tables + plan->block_offsets;
  ret->at.page_offsets = tables + plan->page_offsets;
  ret->at.thread_offsets = tables + plan->thread_offsets;
  ret->at.sum_offsets = tables + plan->sum_offsets;
  ret->at.block_outputs = tables + plan->block_outputs;
  ret->at.page_outputs = tables + plan->page_outputs;
  ret->at.block_places = tables + plan->block_places;
  ret->at.page_places = tables + plan->page_places;
  ret->at.refresh = tables + plan->refresh;
  ret->at.size = (long long)size;
  ret->at.functions = plan->functions;
  ret->at.pages = plan->pages;
  ret->at.summands = plan->summands;
  ret->at.places = plan->places;
  ret->strided = find_strides(plan, &ret->at);
  choose_cached(plan, ret);
  return ret;
}

void mpf_device_release(struct mpf_device_plan *plan)
{
  if (!plan)
    return;
  end_loads();
  check(cudaFree(plan->tables), "a plan");
  free(plan);
}

template <int FUNCTIONS, bool LOG, bool STRIDED>
static void launch_unrolled(const struct mpf_device_plan *plan, const real *values, real *output)
{
  int blocks = plan->blocks, threads = plan->threads;

  switch (plan->unroll) {
  case 1:
    sum_product<FUNCTIONS, LOG, STRIDED, 1>
        <<<blocks, threads, plan->shared>>>(values, output, plan->at);
    break;
  case 2:
    sum_product<FUNCTIONS, LOG, STRIDED, 2>
        <<<blocks, threads, plan->shared>>>(values, output, plan->at);
    break;
  default:
    sum_product<FUNCTIONS, LOG, STRIDED, 4>
        <<<blocks, threads, plan->shared>>>(values, output, plan->at);
    break;
  }
  check(cudaGetLastError(), "a launch");
}

template <bool LOG, bool STRIDED>
static void launch(const struct mpf_device_plan *plan, const real *values, real *output)
{
  switch (plan->functions) {
  case 1: launch_unrolled<1, LOG, STRIDED>(plan, values, output); break;
  case 2: launch_unrolled<2, LOG, STRIDED>(plan, values, output); break;
  case 3: launch_unrolled<3, LOG, STRIDED>(plan, values, output); break;
  case 4: launch_unrolled<4, LOG, STRIDED>(plan, values, output); break;
  default: launch_unrolled<0, LOG, STRIDED>(plan, values, output); break;
  }
}

void mpf_device_run(const struct mpf_device_plan *given, enum mpf_domain domain, const real *values,
                    real *output)
{
  struct mpf_device_plan with_loads = *given, *plan = &with_loads;

  begin_loads(values, &plan->at);
  if (domain == MPF_LINEAR)
    plan->strided ? launch<false, true>(plan, values, output)
                  : launch<false, false>(plan, values, output);
  else
    plan->strided ? launch<true, true>(plan, values, output)
                  : launch<true, false>(plan, values, output);
}

/* One after another: what is measured by hand is the kernel. */
int mpf_device_run_batch(unsigned count, const struct mpf_plan *plans, enum mpf_domain domain,
                         const real *values, size_t size, real *output, const size_t *outputs_at,
                         const size_t *outputs, real *ret_largest, size_t *ret_denormal)
{
  *ret_denormal = 0;
  for (unsigned i = 0; i < count; i++) {
    struct mpf_device_plan *plan = mpf_device_prepare(&plans[i], size);
    size_t denormal;
    if (!plan)
      return -1;
    mpf_device_run(plan, domain, values, output + outputs_at[i]);
    ret_largest[i] = mpf_device_max(output + outputs_at[i], outputs[i], domain, &denormal);
    *ret_denormal += denormal;
    mpf_device_release(plan);
  }
  return 0;
}

/* ---- times ---- */

static int compare_times(const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static void keep_busy(REAL *result); /* rates.cuh */

/* A kernel in front of the run keeps the device busy while the host launches: what is measured is
 * the kernel alone. */
static float time_run(const struct mpf_device_plan *plan, enum mpf_domain domain,
                      const real *values, real *output, real *result)
{
  cudaEvent_t begin, end;
  float time = 0;

  check(cudaEventCreate(&begin), "an event");
  check(cudaEventCreate(&end), "an event");
  keep_busy(result);
  check(cudaEventRecord(begin, 0), "an event");
  mpf_device_run(plan, domain, values, output);
  check(cudaEventRecord(end, 0), "an event");
  check(cudaEventSynchronize(end), "a kernel");
  check(cudaEventElapsedTime(&time, begin, end), "an event");
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return time;
}

double mpf_device_time(const struct mpf_device_plan *plan, enum mpf_domain domain,
                       const real *values, real *output, int repeats)
{
  float *times = (float *)calloc(repeats + 1, sizeof *times);
  real *result = mpf_device_alloc(1);

  mpf_device_run(plan, domain, values, output);
  for (int i = 0; times && result && i < repeats; i++)
    times[i] = time_run(plan, domain, values, output, result);
  if (times)
    qsort(times, repeats, sizeof *times, compare_times);
  double median = times ? times[repeats / 2] : 0;
  check(cudaDeviceSynchronize(), "a kernel"); /* the host may use managed memory again */
  mpf_device_free(result);
  free(times);
  return median;
}

/* ---- memory: managed, so that the host uses it as it uses virtual shared memory ---- */

const char *mpf_device_name(void)
{
  static char name[300];
  cudaDeviceProp properties;

  check(cudaGetDeviceProperties(&properties, 0), "the device");
  snprintf(name, sizeof name, LOADS ", %s", properties.name);
  return name;
}

size_t mpf_device_parallelism(void)
{
  int processors = 1, threads = 1;

  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
  return (size_t)processors * threads;
}

void mpf_device_alike(unsigned ret[2])
{
  ret[0] = ret[1] = 1;
}

size_t mpf_device_memory(void)
{
  size_t free_bytes = 0, all_bytes = 0;

  return cudaMemGetInfo(&free_bytes, &all_bytes) == cudaSuccess ? free_bytes : (size_t)1 << 30;
}

static void *allocate_managed(size_t bytes)
{
  void *memory = NULL;

  return cudaMallocManaged(&memory, bytes) == cudaSuccess ? memory : NULL;
}

real *mpf_device_alloc(size_t count)
{
  return (real *)allocate_managed(count * sizeof(real));
}

void mpf_device_free(real *table)
{
  check(cudaFree(table), "a table");
}

static int blocks_for(size_t count)
{
  return (int)((count + THREADS - 1) / THREADS);
}

void mpf_device_wait(void)
{
  check(cudaDeviceSynchronize(), "the device");
}

void mpf_device_copy(real *to, const real *from, size_t count)
{
  check(cudaMemcpyAsync(to, from, count * sizeof(real), cudaMemcpyDefault, 0), "a copy");
}

/* ---- tables ---- */

__global__ void scale(REAL *table, long long count, REAL factor, REAL exponent)
{
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count)
    table[i] = table[i] * factor + exponent;
}

__global__ void measure(const REAL *__restrict__ table, long long count, REAL lowest, REAL *largest,
                        unsigned long long *denormal)
{
  REAL most = lowest;
  unsigned long long small = 0;

  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += (long long)gridDim.x * blockDim.x) {
    REAL value = table[i];
    most = value > most ? value : most;
    small += value > 0 && value < SMALLEST;
  }
  for (int offset = 16; offset; offset /= 2) {
    REAL other = __shfl_down_sync(~0u, most, offset);
    most = other > most ? other : most;
    small += __shfl_down_sync(~0u, small, offset);
  }
  if (threadIdx.x % 32)
    return;
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  largest[warp] = most;
  denormal[warp] = small;
}

void mpf_device_shift(real *table, size_t count, enum mpf_domain domain, int exponent)
{
  if (count && exponent)
    scale<<<blocks_for(count), THREADS>>>(table, (long long)count,
                                          domain == MPF_LINEAR ? (real)ldexp(1.0, exponent) : 1,
                                          domain == MPF_LINEAR ? 0 : (real)exponent);
  check(cudaGetLastError(), "a launch");
}

real mpf_device_max(const real *table, size_t count, enum mpf_domain domain, size_t *ret_denormal)
{
  int blocks = blocks_for(count) < REDUCERS ? blocks_for(count) : REDUCERS,
      warps = blocks * THREADS / 32;
  REAL most = domain == MPF_LINEAR ? 0 : -INFINITY, *largest;
  unsigned long long *denormal;

  *ret_denormal = 0;
  if (!count)
    return most;
  check(cudaMallocManaged(&largest, warps * sizeof *largest), "a reduction");
  check(cudaMallocManaged(&denormal, warps * sizeof *denormal), "a reduction");
  measure<<<blocks, THREADS>>>(table, (long long)count, most, largest, denormal);
  check(cudaDeviceSynchronize(), "a reduction");
  for (int i = 0; i < warps; i++) {
    most = largest[i] > most ? largest[i] : most;
    *ret_denormal += domain == MPF_LINEAR ? (size_t)denormal[i] : 0;
  }
  cudaFree(largest);
  cudaFree(denormal);
  return most;
}

#include "rates.cuh"
