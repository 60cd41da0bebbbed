/* rates.cuh - what a device can do at most, for the model of the MPF paper (section 4). */

enum { RATE_SUMS = 8, RATE_THREADS = 256, BUSY_ROUNDS = 8000 };

/* A product and a sum each. */
__global__
void mpf_rate_linear(REAL *results, REAL x, int rounds)
{
  REAL sums[RATE_SUMS];

  for (int k = 0; k < RATE_SUMS; k++)
    sums[k] = threadIdx.x + k;
  for (int r = 0; r < rounds; r++)
    for (int k = 0; k < RATE_SUMS; k++)
      sums[k] += sums[k] * x;
  for (int k = 1; k < RATE_SUMS; k++)
    sums[0] += sums[k];
  results[blockIdx.x * blockDim.x + threadIdx.x] = sums[0];
}

/* The same two operations on logarithms. */
__global__
void mpf_rate_log(REAL *results, REAL x, int rounds)
{
  REAL sums[RATE_SUMS], largest[RATE_SUMS];

  for (int k = 0; k < RATE_SUMS; k++) {
    largest[k] = threadIdx.x + k;
    sums[k] = 1;
  }
  for (int r = 0; r < rounds; r++)
    for (int k = 0; k < RATE_SUMS; k++) {
      REAL term = largest[k] + x;
      REAL part = exp2(term > largest[k] ? largest[k] - term : term - largest[k]);
      sums[k] = term > largest[k] ? sums[k] * part + 1 : sums[k] + part;
      largest[k] = term > largest[k] ? term : largest[k];
    }
  for (int k = 1; k < RATE_SUMS; k++)
    sums[0] += sums[k] + largest[k];
  results[blockIdx.x * blockDim.x + threadIdx.x] = sums[0];
}

/* Some tens of microseconds on one thread. */
static void keep_busy(REAL *result)
{
  mpf_rate_linear<<<1, 1>>>(result, (REAL)1e-6, BUSY_ROUNDS);
}

static void mpf_start_rate(enum mpf_domain domain, REAL *results, int blocks, int rounds)
{
  if (domain == MPF_LINEAR)
    mpf_rate_linear<<<blocks, RATE_THREADS>>>(results, (REAL)1e-6, rounds);
  else
    mpf_rate_log<<<blocks, RATE_THREADS>>>(results, (REAL)-1e-6, rounds);
}

static double mpf_time_rate(enum mpf_domain domain, REAL *results, int blocks, int rounds)
{
  cudaEvent_t begin, end;
  float time = 0;

  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin, 0);
  mpf_start_rate(domain, results, blocks, rounds);
  cudaEventRecord(end, 0);
  cudaEventSynchronize(end);
  cudaEventElapsedTime(&time, begin, end);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return time;
}

/* Operations a second: rounds are doubled until they take a millisecond. */
double mpf_device_rate(enum mpf_domain domain)
{
  int blocks = (int)(mpf_device_parallelism() / RATE_THREADS) + 1;
  REAL *results = mpf_device_alloc((size_t)blocks * RATE_THREADS);
  double time = 0;
  int rounds = 1;

  if (!results)
    return 0;
  mpf_time_rate(domain, results, blocks, rounds);
  for (rounds = 16; rounds < 1 << 20; rounds *= 2) {
    time = mpf_time_rate(domain, results, blocks, rounds);
    if (time > 1)
      break;
  }
  mpf_device_free(results);
  return time > 0 ? 2.0 * RATE_SUMS * rounds * blocks * RATE_THREADS / time * 1e3 : 0;
}
