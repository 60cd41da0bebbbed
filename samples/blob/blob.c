/* blob.c - clouds of atoms with the statistics of the paper's table 3; surfaces of molecules,
 * slices of the density as images. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "both.h"
#include "draw.h"

static const struct limited_set sets[] = {
    {"random", 500000, {288, 288, 288}, false, 1, 1, 23887872, 3, 0.020931, 0.144142},
    {"large", 26318, {128, 96, 96}, false, 1, 1, 1179648, 3, 0.02231, 0.15885},
    {"small", 1739, {64, 64, 64}, false, 1, 1, 262144, 360, 0.006634, 0.708008},
    {"tiny", 300, {19, 16, 12}, false, 1, 1, 0, 60, 0, 0},
};

/* Groups of atoms: of the large set some are pairs, as bonded atoms are; of the small set 360 are
 * in one bin. */
static long group_of(const struct limited_set *set, long first, uint64_t *random)
{
  if (set->paper_most > 3) return first == 0 ? (long)set->paper_most : 1;
  return set->count < 100000 && random_unit(random) < 0.07 ? 2 : 1;
}

static void make(const struct limited_set *set, uint64_t *random, float *elements)
{
  static const float radii[] = {0.9f, 1.0f, 1.1f, 1.2f};
  long rest = 0;
  float bin[3] = {0, 0, 0};
  for (long i = 0; i < set->count; i++) {
    float *e = elements + i * WORDS;
    if (rest == 0) {
      rest = group_of(set, i, random);
      for (int a = 0; a < 3; a++) bin[a] = (float)random_below(random, set->bins[a]);
    }
    for (int a = 0; a < 3; a++) e[a] = bin[a] + random_place(random, 0.999f);
    float radius = radii[random_below(random, 4)];
    e[3] = 1 / (radius * radius);
    rest--;
  }
}

/* The surface of the molecule, or for a .pgm the middle plane. */
static int write_shape(const char *path, const struct limited_space *space, const float *out)
{
  const char *end = strrchr(path, '.');
  bool surface = end && (!strcmp(end, ".obj") || !strcmp(end, ".ply"));
  return surface ? limited_write_surface(path, space, out, CHANNELS, 1)
                 : limited_write_pgm(path, space, out, CHANNELS, space->points[2] / 2);
}

const struct limited_app application = {
    .name = "blob",
    .elements = "atoms",
    .words = WORDS,
    .channels = CHANNELS,
    .tile = {TILE_X, TILE_Y, TILE_Z},
    .cutoff = CUTOFF,
    .tolerance = 1e-5,
    .sets = sets,
    .set_count = sizeof sets / sizeof *sets,
    .make = make,
    .write = write_shape,
    .scatter = scatter_float,
    .reference = scatter_double,
};
