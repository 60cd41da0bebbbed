/* overhead.c - the processor time that the runtime takes for a launch with nothing to move: for the
 * calls that emitted code makes around it, without the launch. usage: overhead [LAUNCHES] */
#include "device/device.h"
#include "mesi.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 1 << 20 };

static _Alignas(4096) float a[N], b[N], c[N];
static float *d_a, *d_b, *d_c;

static const struct mesi_var vars[] = {
    {"a", a, sizeof a, &d_a, 0, NULL, "o.mcu:1"},
    {"b", b, sizeof b, &d_b, 0, NULL, "o.mcu:2"},
    {"c", c, sizeof c, &d_c, 0, NULL, "o.mcu:3"},
};
static const struct mesi_site_use uses[] = {
    {0, MESI_READ}, {1, MESI_READ_WRITE}, {2, MESI_READ_WRITE}};
static const struct mesi_site sites[] = {
    {"whole", "o.mcu:10", NULL, 0, 0},
    {"ranges", "o.mcu:11", NULL, 0, 0},
    {"swapped", "o.mcu:12", NULL, 0, 0},
    {"named", "o.mcu:13", uses, 3, 0},
};
enum { WHOLE, RANGES, SWAPPED, NAMED };
static const struct mesi_file file = {MESI_ABI, "o.mcu", vars, 3, sites, 4};

static void whole(void)
{
  mesi_launch_begin(&file, WHOLE);
  mesi_launch_stream(NULL);
  mesi_launch_arg(a, MESI_READ);
  mesi_launch_arg(b, MESI_READ_WRITE);
  mesi_launch_end();
}

/* As dif has it. */
static void ranges(unsigned site, const float *from, const float *to)
{
  mesi_launch_begin(&file, site);
  mesi_launch_stream(NULL);
  mesi_launch_arg(from, MESI_READ);
  mesi_launch_arg_range(to, 0, 0, 4, sizeof a - 4, MESI_WRITE | MESI_OVERWRITE);
  mesi_launch_end();
}

static void both_ways(void)
{
  ranges(RANGES, a, b);
  ranges(SWAPPED, b, a);
}

static void named(void)
{
  mesi_launch_begin(&file, NAMED);
  mesi_launch_stream(NULL);
  mesi_launch_end();
}

static double now_ns(void)
{
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static void measure(const char *name, void (*body)(void), long launches, int each)
{
  for (int i = 0; i < 100; i++) body();
  double start = now_ns();
  for (long i = 0; i < launches; i += each) body();
  printf("%s_ns %.0f\n", name, (now_ns() - start) / (double)launches);
}

int main(int argc, char **argv)
{
  long launches = argc > 1 ? atol(argv[1]) : 1000000;
  mesi_register(&file);
  measure("whole", whole, launches, 1);
  measure("ranges", both_ways, launches, 2);
  measure("named", named, launches, 1);
  return 0;
}
