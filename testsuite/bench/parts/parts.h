/* parts.h - what parts.mcu and its peers share: sizes, the host's part, the check.
 *
 * -DELEMENTS=67108864  floats in, and out (256 MB each)
 * -DWORK=400           multiplications and additions for each
 * -DROUNDS=10
 * -DNEIGHBOURS=1       each output reads two elements of the input; 0: its own, so that -O2 maps
 *                      the kernel (with -DWORK=1)
 */
#ifndef PARTS_H
#define PARTS_H

#include <math.h>
#include <stdio.h>
#include <time.h>

#ifndef ELEMENTS
#define ELEMENTS 67108864
#endif
#ifndef WORK
#define WORK 400
#endif
#ifndef ROUNDS
#define ROUNDS 10
#endif
#ifndef NEIGHBOURS
#define NEIGHBOURS 1
#endif
#if NEIGHBOURS
#define FIRST_VALUE(a, i) (a[i] + a[i > 0 ? i - 1 : 0])
#else
#define FIRST_VALUE(a, i) (a[i])
#endif
#if WORK == 1
#define WORK_ON(x) x = x * 0.75f + 0.125f
#else
#define WORK_ON(x) \
  for (int k = 0; k < WORK; k++) x = x * 0.75f + 0.125f
#endif

enum {
  WARM_UP = 4 /* rounds before the clock starts */,
  BLOCK = 256,
  BLOCKS = (ELEMENTS + BLOCK - 1) / BLOCK,
  STRIDE = 1024 /* a page */
};

static double now_ms(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static void fill(float *data)
{
  for (long i = 0; i < ELEMENTS; i++) data[i] = (float)(i * 2654435761ul >> 8 & 0xffff) / 65536.0f;
}

/* One element in every page, so that all of the input has to move, and all of the output. */
static void change(float *data, int round)
{
  for (long i = round % STRIDE; i < ELEMENTS; i += STRIDE) data[i] = (float)round / ROUNDS;
}

static float look(const float *data, int round)
{
  float sum = 0;
  for (long i = round % STRIDE; i < ELEMENTS; i += STRIDE) sum += data[i];
  return sum;
}

/* Prints the verdict and the time of all rounds; the exit status. */
static int verdict(const float *in, const float *out, double ms, float sum)
{
  double worst = 0;
  for (long i = 0; i < ELEMENTS; i += 997) {
    float x = FIRST_VALUE(in, i);
    WORK_ON(x);
    double difference = fabs((double)out[i] - x);
    if (!(difference <= worst)) worst = difference;
  }
  if (!(worst < 1e-5)) {
    printf("check: FAILED: error %g\n", worst);
    return 1;
  }
  printf("check: ok (%g)\ntime_ms %.3f\n", sum, ms);
  return 0;
}

#endif
