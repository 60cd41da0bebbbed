/* nbody.c - a cluster of bodies with the statistics of the paper's table 4. */
#include <math.h>
#include <stdio.h>

#include "both.h"
#include "draw.h"

static const struct limited_set sets[] = {
    {"random", 131072, {32, 32, 32}, false, 1, 1, 32768, 99, 4, 6.52},
    {"tiny", 700, {6, 5, 7}, false, 1, 1, 0, 0, 0, 0},
};

/* Three of five are spread over the box, the others clustered around its centre, normally with a
 * ninth of its edge. */
static void make(const struct limited_set *set, uint64_t *random, float *elements)
{
  for (long i = 0; i < set->count; i++) {
    float *e = elements + i * WORDS;
    bool spread = i % 5 < 3;
    for (int a = 0; a < 3; a++) {
      double sum = -6;
      for (int k = 0; k < 12; k++) sum += random_unit(random);
      double at = set->bins[a] * (0.5 + sum * 0.112), inside = fmod(fabs(at), set->bins[a]);
      e[a] = spread ? random_place(random, (float)set->bins[a]) : (float)inside;
      e[a] = e[a] < (float)set->bins[a] ? e[a] : 0;
    }
    e[3] = (float)(0.5 + random_unit(random));
  }
}

/* x, y and z of each acceleration, a line per body. */
static int write_text(const char *path, const struct limited_space *space, const float *out)
{
  FILE *file = fopen(path, "w");
  if (!file) return -1;
  for (long i = 0; i < space->outputs; i++)
    fprintf(file, "%.7g %.7g %.7g\n", out[i * CHANNELS], out[i * CHANNELS + 1],
            out[i * CHANNELS + 2]);
  return fclose(file) ? -1 : 0;
}

const struct limited_app application = {
    .name = "nbody",
    .elements = "bodies",
    .words = WORDS,
    .channels = CHANNELS,
    .cutoff = CUTOFF,
    .at_elements = true,
    .tolerance = 1e-4,
    .sets = sets,
    .set_count = sizeof sets / sizeof *sets,
    .make = make,
    .write = write_text,
    .scatter = scatter_float,
    .reference = scatter_double,
};
