/* gridding.c - scans along cones with the statistics of the paper's table 1. */
#include <math.h>
#include <stdio.h>

#include "both.h"
#include "draw.h"
#include "image.h"

static const struct limited_set sets[] = {
    {"small", 2655910, {256, 256, 256}, false, 1, 1, 16777216, 11560, 0.158305, 2.86096},
    /* the mean of the table is not count / bins */
    {"large", 30144488, {576, 576, 576}, false, 1, 1, 191102976, 391536, 0.07316, 28.861158},
    {"phantom", 100000, {48, 48, 48}, false, 1, 1, 0, 0, 0, 0},
    {"tiny", 3000, {20, 16, 24}, false, 1, 1, 0, 0, 0, 0},
};

/* Where the paper's scans pass how often: `centre` of the samples begin in the bin of the centre,
 * the others have density r^-slope, so that some more come into that bin. */
struct cones {
  double slope;
  long length; /* samples from the centre outward, one path along a cone */
  long centre;
};

static struct cones cones_of(const struct limited_set *set)
{
  if (set->count > 10000000) return (struct cones){2.0, 1024, 328500};
  if (set->count > 100000) return (struct cones){1.2, 460, 11370};
  return (struct cones){1.2, 50, 60};
}

struct scan {
  const struct limited_set *set;
  struct cones cones;
  double paths;
  uint64_t random; /* in front of the first sample */
  float *elements;
};
enum { DRAWS = 3, CENTRE_DRAWS = 6 }; /* random numbers of a sample */

/* How much of the space of frequencies a sample stands for, in bins: one over the density of
 * samples, to which those of the centre add in one bin. */
static double volume_of(const struct scan *scan, const float *e, double radius)
{
  const int *bins = scan->set->bins;
  double all = 4.1887902047863905 * (bins[0] / 2 - 1) * (bins[1] / 2 - 1) * (bins[2] / 2 - 1),
         count = (double)(scan->set->count - scan->cones.centre), slope = scan->cones.slope;
  double density = count * (3 - slope) / (3 * all) * pow(radius, -slope);
  bool centre = true;

  for (int a = 0; a < 3; a++) centre &= (int)e[a] == bins[a] / 2;
  return 1 / (density + (centre ? (double)scan->cones.centre : 0));
}

/* Of the phantom's transform; in the largest set by random, which takes no time. */
static void set_value(const struct scan *scan, uint64_t *random, float *e)
{
  double k[3], real, imaginary, size = 1, noise[2] = {random_unit(random), random_unit(random)};

  for (int a = 0; a < 3; a++) {
    int bins = scan->set->bins[a];
    k[a] = ((double)e[a] - image_origin(bins)) / 4; /* cycles in half of the field of view */
    size *= bins / 4.0;
  }
  if (scan->set->count > 10000000) {
    e[3] = (float)(noise[0] - 0.5);
    e[4] = (float)(noise[1] - 0.5);
    return;
  }
  phantom_transform(k, &real, &imaginary);
  e[3] = (float)(real * size);
  e[4] = (float)(imaginary * size);
}

static void make_sample(const struct scan *scan, long i, uint64_t *random, float *e)
{
  const struct cones *cones = &scan->cones;
  long path = (i - cones->centre) / cones->length, step = (i - cones->centre) % cones->length;
  bool centre = i < cones->centre;
  double u = ((double)step + random_unit(random)) / (double)cones->length,
         radius = pow(u, 1 / (3 - cones->slope));
  double height = 1 - 2 * ((double)path + 0.5) / scan->paths,
         turn = 2.399963229728653 * (double)path + 12.566370614359172 * u;
  double flat = sqrt(1 - height * height),
         direction[3] = {flat * cos(turn), flat * sin(turn), height};
  for (int a = 0; a < 3; a++) {
    int bins = scan->set->bins[a], half = bins / 2;
    double at =
        centre ? half + random_unit(random) : half + 0.5 + direction[a] * radius * (half - 1);
    e[a] = (float)(at < 0 ? 0 : at);
    e[a] = e[a] < (float)bins ? e[a] : (float)bins - 0.5f;
  }
  e[5] = (float)volume_of(scan, e, centre ? 0.5 / scan->set->bins[0] : radius);
  set_value(scan, random, e);
}

/* A sample that came to another bin: what it stands for, and its value there. */
static void moved(const struct limited_set *set, uint64_t *random, float *e)
{
  struct scan scan = {.set = set, .cones = cones_of(set)};
  double radius = 0;

  for (int a = 0; a < 3; a++) {
    int half = set->bins[a] / 2;
    double from = ((double)e[a] - half - 0.5) / (half - 1);
    radius += from * from;
  }
  radius = fmax(sqrt(radius), 0.5 / set->bins[0]);
  e[5] = (float)volume_of(&scan, e, radius);
  set_value(&scan, random, e);
}

static void make_part(void *context, long first, long end)
{
  const struct scan *scan = context;
  long centre = first < scan->cones.centre ? first : scan->cones.centre;
  uint64_t random = scan->random;
  random_skip(&random, (uint64_t)(centre * CENTRE_DRAWS + (first - centre) * DRAWS));
  for (long i = first; i < end; i++)
    make_sample(scan, i, &random, scan->elements + (size_t)i * WORDS);
}

/* A path starts at the centre and winds outward on a cone; the angles of the cones are spread over
 * the sphere. The same samples on any number of cores. */
static void make(const struct limited_set *set, uint64_t *random, float *elements)
{
  struct scan scan = {.set = set, .cones = cones_of(set), .random = *random, .elements = elements};
  scan.paths = ceil((double)(set->count - scan.cones.centre) / (double)scan.cones.length);
  limited_pieces(set->count, make_part, &scan);
}

/* The real parts on the middle plane. */
static int write_plane(const char *path, const struct limited_space *space, const float *out)
{
  return limited_write_pgm(path, space, out, CHANNELS, space->points[2] / 2);
}

const struct limited_app application = {
    .name = "gridding",
    .elements = "samples",
    .words = WORDS,
    .channels = CHANNELS,
    .tile = {TILE_X, TILE_Y, TILE_Z},
    .cutoff = CUTOFF,
    .tolerance = 1e-5,
    .sets = sets,
    .set_count = sizeof sets / sizeof *sets,
    .make = make,
    .moved = moved,
    .write = write_plane,
    .image = image_write,
    .scatter = scatter_float,
    .reference = scatter_double,
};
