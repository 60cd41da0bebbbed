/* pipeline.h - what pipeline.mcu and its peers share: sizes, the three steps, the host's part, the
 * check.
 *
 * -DFRAMES=32       frames, all in memory at once
 * -DPIXELS=2097152  elements of a frame (8 MB; 32 frames: 256 MB in, 256 MB out)
 * -DROUNDS=10       times that the host changes all frames and has them processed
 */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <math.h>
#include <stdio.h>
#include <time.h>

#ifndef FRAMES
#define FRAMES 32
#endif
#ifndef PIXELS
#define PIXELS 2097152
#endif
#ifndef ROUNDS
#define ROUNDS 10
#endif

enum {
  WARM_UP = 3 /* rounds before the clock starts */,
  BLOCK = 256,
  BLOCKS = (PIXELS + BLOCK - 1) / BLOCK,
  STRIDE = 1024 /* elements: a page of 4 KB */
};

static double now_ms(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static void fill(float *frames)
{
  for (long i = 0; i < (long)FRAMES * PIXELS; i++)
    frames[i] = (float)(i * 2654435761ul >> 8 & 0xffff) / 65536.0f;
}

/* The host's part of a round: one element in every page changes, so that no page may keep its old
 * copy. */
static void change(float *frames, int round)
{
  for (long i = round % STRIDE; i < (long)FRAMES * PIXELS; i += STRIDE)
    frames[i] = (float)round / ROUNDS;
}

static float look(const float *frames, int round)
{
  float sum = 0;
  for (long i = round % STRIDE; i < (long)FRAMES * PIXELS; i += STRIDE) sum += frames[i];
  return sum;
}

/* Largest difference from the three steps done on the host, over every 97th element. */
static double error(const float *in, const float *out)
{
  double worst = 0;
  for (long f = 0; f < FRAMES; f++)
    for (long i = 0; i < PIXELS; i += 97) {
      const float *p = in + f * PIXELS;
      double left = p[i > 0 ? i - 1 : i], right = p[i < PIXELS - 1 ? i + 1 : i];
      double wanted =
          1.0 / (1.0 + exp(-4.0 * (sqrt(0.25 * left + 0.5 * p[i] + 0.25 * right) - 0.5)));
      double difference = fabs(out[f * PIXELS + i] - wanted);
      if (!(difference <= worst)) worst = difference;
    }
  return worst;
}

/* Prints the verdict and the time of all rounds; the exit status. */
static int verdict(const float *in, const float *out, double ms, float sum)
{
  double e = error(in, out);
  if (!(e < 1e-5)) {
    printf("check: FAILED: error %g\n", e);
    return 1;
  }
  printf("check: ok (%g)\ntime_ms %.3f\n", sum, ms);
  return 0;
}

#endif
