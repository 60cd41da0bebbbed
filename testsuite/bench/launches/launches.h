/* launches.h - what launches.mcu and its peer share: how the launches are timed.
 *
 * A burst fits into the device's queue, so that submitting it never waits for the device; the wait
 * behind it is not timed. */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include <stdio.h>
#include <time.h>

enum { ELEMENTS = 32, BURST = 400, BURSTS = 50, LOOP = 20000 };

static double now_us(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec * 1e-3;
}

/* The shortest time for one launch of a burst, host time only. */
static double shortest(double (*burst)(void))
{
  double best = 1e30;
  for (int i = 0; i < BURSTS; i++) {
    double us = burst() / BURST;
    cudaDeviceSynchronize();
    if (us < best) best = us;
  }
  return best;
}

/* Prints the times; the exit status. `wanted`: what b holds at the end. */
static int verdict(double launch, double stream, double loop, float found, float wanted)
{
  if (found != wanted) {
    printf("check: FAILED: %g instead of %g\n", found, wanted);
    return 1;
  }
  printf("check: ok\ntime_launch_us %.3f\ntime_stream_us %.3f\ntime_loop_us %.3f\ntime_ms %.3f\n",
         launch, stream, loop, launch * BURST * BURSTS * 1e-3);
  return 0;
}

#endif
