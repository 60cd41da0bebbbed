/* image.c - a plane of a lattice as an image. */
#include <stdio.h>

#include "limited.h"

/* Grey in proportion to the first channel, from the least value of the plane to the greatest. */
int limited_write_pgm(const char *path, const struct limited_space *space, const float *out,
                      unsigned channels, int plane)
{
  size_t count = (size_t)space->points[0] * (size_t)space->points[1];
  const float *at = out + (size_t)plane * count * channels;
  float least = at[0], most = at[0];
  FILE *file = fopen(path, "wb");
  if (!file) return -1;
  for (size_t i = 0; i < count; i++) {
    least = at[i * channels] < least ? at[i * channels] : least;
    most = at[i * channels] > most ? at[i * channels] : most;
  }
  fprintf(file, "P5\n%d %d\n255\n", space->points[0], space->points[1]);
  for (size_t i = 0; i < count; i++)
    fputc(most > least ? (int)(255 * (at[i * channels] - least) / (most - least)) : 0, file);
  return fclose(file) ? -1 : 0;
}
