/* primitives.cuh - the node-level primitives as plain kernels; marginal.h and extend.h say what the
 * index tables mean.
 *
 * A thread computes one value: a sum over some values of a table, or a value of a clique times one
 * of each factor. Nothing is staged here: what neighbouring threads share is the translator's
 * business. The file that includes this says where memory comes from that host and device use:
 * JUNCTION_ALLOC(bytes) and JUNCTION_FREE(pointer). */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "primitives.h"

enum { JUNCTION_THREADS = 256, JUNCTION_BATCH = 8, JUNCTION_ROWS = 8, JUNCTION_MEASURERS = 64 };

#define JUNCTION_LOWEST (sizeof(REAL) == sizeof(float) ? (REAL)-FLT_MAX : (REAL)-DBL_MAX)

/* ---- kernels ---- */

struct junction_job { /* a stage, see marginal.h */
  long long in, out, row_table, lane_table, sum_table;
  int from_clique, width, count;
  int first_block, segments; /* in the launch; blocks of a row */
};

struct junction_jobs { /* of a launch */
  int count;
  struct junction_job job[JUNCTION_BATCH];
};

__global__ void junction_marginalise(const REAL *clique, REAL *scratch, const long long *tables,
                                     struct junction_jobs jobs)
{
  int k = 0;
  while (k + 1 < jobs.count && blockIdx.x >= jobs.job[k + 1].first_block) k++;
  int block = blockIdx.x - jobs.job[k].first_block;
  int row = block / jobs.job[k].segments;
  int lane = block % jobs.job[k].segments * blockDim.x + threadIdx.x;
  int width = jobs.job[k].width;
  int count = jobs.job[k].count;

  if (lane < width) {
    const REAL *in = (jobs.job[k].from_clique ? clique : scratch) + jobs.job[k].in +
                     tables[jobs.job[k].row_table + row] + tables[jobs.job[k].lane_table + lane];
    const long long *places = tables + jobs.job[k].sum_table;
    REAL sum = 0;
    for (int i = 0; i < count; i++) sum += in[places[i]];
    scratch[jobs.job[k].out + (long long)row * width + lane] = sum;
  }
}

__global__ void junction_marginalise_log(const REAL *clique, REAL *scratch, const long long *tables,
                                         struct junction_jobs jobs)
{
  int k = 0;
  while (k + 1 < jobs.count && blockIdx.x >= jobs.job[k + 1].first_block) k++;
  int block = blockIdx.x - jobs.job[k].first_block;
  int row = block / jobs.job[k].segments;
  int lane = block % jobs.job[k].segments * blockDim.x + threadIdx.x;
  int width = jobs.job[k].width;
  int count = jobs.job[k].count;

  if (lane < width) {
    const REAL *in = (jobs.job[k].from_clique ? clique : scratch) + jobs.job[k].in +
                     tables[jobs.job[k].row_table + row] + tables[jobs.job[k].lane_table + lane];
    const long long *places = tables + jobs.job[k].sum_table;
    REAL largest = JUNCTION_LOWEST;
    REAL sum = 0;
    for (int i = 0; i < count; i++) {
      REAL term = in[places[i]];
      REAL part = exp2(term > largest ? largest - term : term - largest);
      sum = term > largest ? sum * part + 1 : sum + part;
      largest = term > largest ? term : largest;
    }
    scratch[jobs.job[k].out + (long long)row * width + lane] = largest + log2(sum);
  }
}

__global__ void junction_divide(const REAL *above, const REAL *below, REAL *quotient,
                                long long count)
{
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) quotient[i] = below[i] == 0 ? 0 : above[i] / below[i];
}

__global__ void junction_divide_log(const REAL *above, const REAL *below, REAL *quotient,
                                    long long count)
{
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) quotient[i] = below[i] < JUNCTION_LOWEST ? below[i] : above[i] - below[i];
}

__global__ void junction_multiply(REAL *clique, const REAL *__restrict__ factors,
                                  const int *__restrict__ low, const int *__restrict__ high,
                                  int factor_count, int rows, int width, int fresh)
{
  int lane = blockIdx.y * blockDim.x + threadIdx.x;
  int first = blockIdx.x * JUNCTION_ROWS;

  if (lane < width) {
    for (int row = first; row < first + JUNCTION_ROWS && row < rows; row++) {
      REAL product = 1;
      for (int f = 0; f < factor_count; f++)
        product *= factors[high[(long long)f * rows + row] + low[f * width + lane]];
      if (fresh)
        clique[(long long)row * width + lane] = product;
      else
        clique[(long long)row * width + lane] *= product;
    }
  }
}

__global__ void junction_multiply_log(REAL *clique, const REAL *__restrict__ factors,
                                      const int *__restrict__ low, const int *__restrict__ high,
                                      int factor_count, int rows, int width, int fresh)
{
  int lane = blockIdx.y * blockDim.x + threadIdx.x;
  int first = blockIdx.x * JUNCTION_ROWS;

  if (lane < width) {
    for (int row = first; row < first + JUNCTION_ROWS && row < rows; row++) {
      REAL sum = 0;
      for (int f = 0; f < factor_count; f++)
        sum += factors[high[(long long)f * rows + row] + low[f * width + lane]];
      if (fresh)
        clique[(long long)row * width + lane] = sum;
      else
        clique[(long long)row * width + lane] += sum;
    }
  }
}

__global__ void junction_scale(REAL *to, const REAL *from, long long count, REAL factor)
{
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) to[i] = from[i] * factor;
}

__global__ void junction_scale_log(REAL *to, const REAL *from, long long count, REAL exponent)
{
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) to[i] = from[i] + exponent;
}

/* The largest number that each thread of the grid meets. */
__global__ void junction_measure(const REAL *table, long long count, REAL lowest, REAL *largest)
{
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  REAL most = lowest;

  for (long long i = at; i < count; i += gridDim.x * blockDim.x)
    most = table[i] > most ? table[i] : most;
  largest[at] = most;
}

/* ---- for the host ---- */

struct junction_device_marginal {
  const struct junction_marginal *plan;
  long long *tables; /* owned */
};

struct junction_device_extend {
  const struct junction_extend *plan;
  int *tables; /* high, then low; owned */
};

static unsigned junction_blocks(size_t count)
{
  return (unsigned)((count + JUNCTION_THREADS - 1) / JUNCTION_THREADS);
}

real *junction_device_alloc(size_t count)
{
  return (real *)JUNCTION_ALLOC((count + 1) * sizeof(real));
}

void junction_device_free(real *table)
{
  if (table) JUNCTION_FREE(table);
}

size_t junction_device_memory(void)
{
  size_t free_bytes = 0, all_bytes = 0;

  return cudaMemGetInfo(&free_bytes, &all_bytes) == cudaSuccess ? free_bytes : (size_t)1 << 30;
}

const char *junction_device_name(void)
{
  static cudaDeviceProp properties;

  return cudaGetDeviceProperties(&properties, 0) == cudaSuccess ? properties.name : "a device";
}

/* A branch's; NULL: that of all who have none. */
static __thread cudaStream_t junction_stream;

void junction_device_wait(void) { cudaStreamSynchronize(junction_stream); }

void junction_device_branch(bool begin)
{
  if (begin && cudaStreamCreateWithFlags(&junction_stream, cudaStreamNonBlocking) != cudaSuccess)
    junction_stream = NULL;
  if (begin || !junction_stream) return;
  cudaStreamSynchronize(junction_stream);
  cudaStreamDestroy(junction_stream);
  junction_stream = NULL;
}

struct junction_device_marginal *junction_device_marginal(const struct junction_marginal *plan)
{
  struct junction_device_marginal *ret = (struct junction_device_marginal *)malloc(sizeof *ret);
  long long *tables = (long long *)JUNCTION_ALLOC((plan->table_size + 1) * sizeof(long long));

  if (!ret || !tables) {
    free(ret);
    if (tables) JUNCTION_FREE(tables);
    return NULL;
  }
  for (size_t i = 0; i < plan->table_size; i++) tables[i] = plan->tables[i];
  ret->plan = plan;
  ret->tables = tables;
  return ret;
}

void junction_device_marginal_release(struct junction_device_marginal *device)
{
  if (!device) return;
  JUNCTION_FREE(device->tables);
  free(device);
}

struct junction_device_extend *junction_device_extend(const struct junction_extend *plan)
{
  struct junction_device_extend *ret = (struct junction_device_extend *)malloc(sizeof *ret);
  size_t high = plan->factor_count * plan->rows, low = plan->factor_count * plan->width;
  int *tables = (int *)JUNCTION_ALLOC((high + low + 1) * sizeof(int));

  if (!ret || !tables) {
    free(ret);
    if (tables) JUNCTION_FREE(tables);
    return NULL;
  }
  for (size_t i = 0; i < high; i++) tables[i] = plan->high[i];
  for (size_t i = 0; i < low; i++) tables[high + i] = plan->low[i];
  ret->plan = plan;
  ret->tables = tables;
  return ret;
}

void junction_device_extend_release(struct junction_device_extend *device)
{
  if (!device) return;
  JUNCTION_FREE(device->tables);
  free(device);
}

/* Stages of one round, from `first` on, as a launch; the stage behind them. */
static unsigned junction_collect_jobs(const struct junction_marginal *plan, unsigned first,
                                      struct junction_jobs *jobs, unsigned *ret_blocks)
{
  unsigned next = first, blocks = 0;

  jobs->count = 0;
  for (; next < plan->stage_count && jobs->count < JUNCTION_BATCH &&
         plan->stages[next].round == plan->stages[first].round;
       next++) {
    const struct junction_stage *stage = &plan->stages[next];
    struct junction_job *job = &jobs->job[jobs->count];
    unsigned segments = junction_blocks(stage->width);
    if (jobs->count && blocks + stage->rows * segments > 0x7fffffff) break;
    jobs->count++;
    job->in = (long long)stage->in;
    job->out = (long long)stage->out;
    job->row_table = (long long)stage->row_table;
    job->lane_table = (long long)stage->lane_table;
    job->sum_table = (long long)stage->sum_table;
    job->from_clique = stage->from_clique;
    job->width = (int)stage->width;
    job->count = (int)stage->count;
    job->first_block = (int)blocks;
    job->segments = (int)segments;
    blocks += (unsigned)(stage->rows * segments);
  }
  *ret_blocks = blocks;
  return next;
}

void junction_device_marginalise(const struct junction_device_marginal *device,
                                 enum mpf_domain domain, const real *clique, real *scratch)
{
  struct junction_jobs jobs;
  const long long *tables = device->tables;
  unsigned blocks;

  for (unsigned next = 0; next < device->plan->stage_count;) {
    next = junction_collect_jobs(device->plan, next, &jobs, &blocks);
    if (domain == MPF_LINEAR)
      junction_marginalise<<<blocks, JUNCTION_THREADS, 0, junction_stream>>>(clique, scratch,
                                                                             tables, jobs);
    else
      junction_marginalise_log<<<blocks, JUNCTION_THREADS, 0, junction_stream>>>(clique, scratch,
                                                                                 tables, jobs);
  }
}

void junction_device_divide(enum mpf_domain domain, const real *above, const real *below,
                            size_t count, real *ret)
{
  if (!count) return;
  if (domain == MPF_LINEAR)
    junction_divide<<<junction_blocks(count), JUNCTION_THREADS, 0, junction_stream>>>(
        above, below, ret, (long long)count);
  else
    junction_divide_log<<<junction_blocks(count), JUNCTION_THREADS, 0, junction_stream>>>(
        above, below, ret, (long long)count);
}

void junction_device_multiply(const struct junction_device_extend *device, enum mpf_domain domain,
                              const real *factors, bool fresh, real *clique)
{
  const struct junction_extend *plan = device->plan;
  const int *high = device->tables, *low = device->tables + plan->factor_count * plan->rows;
  dim3 grid((unsigned)((plan->rows + JUNCTION_ROWS - 1) / JUNCTION_ROWS),
            junction_blocks(plan->width));

  if (domain == MPF_LINEAR)
    junction_multiply<<<grid, JUNCTION_THREADS, 0, junction_stream>>>(
        clique, factors, low, high, (int)plan->factor_count, (int)plan->rows, (int)plan->width,
        fresh);
  else
    junction_multiply_log<<<grid, JUNCTION_THREADS, 0, junction_stream>>>(
        clique, factors, low, high, (int)plan->factor_count, (int)plan->rows, (int)plan->width,
        fresh);
}

void junction_device_scale(real *to, const real *from, size_t count, enum mpf_domain domain,
                           int exponent)
{
  if (!count) return;
  if (domain == MPF_LINEAR)
    junction_scale<<<junction_blocks(count), JUNCTION_THREADS, 0, junction_stream>>>(
        to, from, (long long)count, (real)ldexp(1.0, exponent));
  else
    junction_scale_log<<<junction_blocks(count), JUNCTION_THREADS, 0, junction_stream>>>(
        to, from, (long long)count, (real)exponent);
}

bool junction_device_largest(const real *table, size_t count, enum mpf_domain domain, real *ret)
{
  unsigned blocks =
      junction_blocks(count) < JUNCTION_MEASURERS ? junction_blocks(count) : JUNCTION_MEASURERS;
  real *largest = (real *)JUNCTION_ALLOC((blocks * JUNCTION_THREADS + 1) * sizeof(real));
  real most = domain == MPF_LINEAR ? 0 : -INFINITY;

  if (!largest) return false;
  if (count)
    junction_measure<<<blocks, JUNCTION_THREADS, 0, junction_stream>>>(table, (long long)count,
                                                                       most, largest);
  junction_device_wait();
  for (unsigned i = 0; i < blocks * JUNCTION_THREADS; i++)
    most = largest[i] > most ? largest[i] : most;
  JUNCTION_FREE(largest);
  *ret = most;
  return true;
}

static int junction_compare_times(const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

double junction_device_time(void (*body)(void *), void *context, int repeats, int group)
{
  cudaEvent_t begin, end;
  float *times = (float *)calloc(repeats + 1, sizeof *times);

  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (int i = -1; times && i < repeats; i++) {
    cudaEventRecord(begin, 0);
    for (int k = 0; k < group; k++) body(context);
    cudaEventRecord(end, 0);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&times[i < 0 ? 0 : i], begin, end);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  if (times) qsort(times, repeats, sizeof *times, junction_compare_times);
  double median = times ? times[repeats / 2] / group : 0;
  free(times);
  return median;
}
