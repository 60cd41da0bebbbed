/* image.h - from the lattice of frequencies to the image: the paper's figure 18.
 *
 * The middle plane of the image is the sum of the planes of frequencies along z, transformed along
 * x and y. The lattice is twice as fine as it has to be: the image's field of view is half of what
 * the transform gives. Gridding has multiplied the image by the transform of its function, by which
 * the image is divided; this function depends on the distance alone, so that its transform does,
 * too. */
#ifndef GRIDDING_IMAGE_H
#define GRIDDING_IMAGE_H

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "limited.h"
#include "phantom.h"

enum { IMAGE_STEPS = 2000 };

/* The place of frequency 0: between the points, in the middle of a bin. */
static double image_origin(int points) { return points / 2 + 0.5; }

static double image_kernel(double r)
{
  const double c = (double)CUTOFF, q = BETA * BETA / 4 * (1 - r * r / (c * c));
  double i0 = 1;

  for (int k = I0_TERMS; k > 0; k--) i0 = 1 + i0 * q / (k * k);
  return i0 / I0_BETA;
}

/* The transform of the function at `rho` cycles for each point of the lattice. */
static double image_weight(double rho)
{
  const double step = (double)CUTOFF / IMAGE_STEPS;
  double sum = 0;

  for (int i = 0; i < IMAGE_STEPS; i++) {
    double r = (i + 0.5) * step, q = 6.283185307179586 * rho * r;
    sum += image_kernel(r) * r * r * (q < 1e-6 ? 1 : sin(q) / q);
  }
  return sum * step * 12.566370614359172;
}

/* ret[y * nx + x] = sum over the points of row y of from times exp(2 pi i k x), k cycles a point
 * from the origin on; x of the middle half. Rows of `from` are `points` apart. */
static void image_transform(const double complex *from, int rows, int points, double complex *ret)
{
  int count = points / 2;
  double complex *turn = malloc((size_t)points * (size_t)count * sizeof *turn);

  if (!turn) exit(2);
  for (int x = 0; x < count; x++)
    for (int p = 0; p < points; p++)
      turn[x * points + p] =
          cexp(6.283185307179586 * I * (p - image_origin(points)) * (x - count / 2) / points);
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < count; x++) {
      double complex sum = 0;
      for (int p = 0; p < points; p++) sum += from[(size_t)y * points + p] * turn[x * points + p];
      ret[(size_t)x * rows + y] = sum; /* transposed, for the other direction */
    }
  free(turn);
}

static double complex *image_room(size_t count)
{
  double complex *ret = calloc(count + 1, sizeof *ret);

  if (!ret) exit(2);
  return ret;
}

/* What the samples are of, on the lattice itself, summed along z: rows first to end of `context`.
 */
struct image_exact {
  const int *points;
  double complex *plane;
};

static void image_exact_rows(void *context, long first, long end)
{
  const struct image_exact *exact = context;
  const int *n = exact->points;

  for (long row = first; row < end; row++)
    for (int x = 0; x < n[0]; x++)
      for (int z = 0; z < n[2]; z++) {
        const double at[3] = {x - image_origin(n[0]), row - image_origin(n[1]),
                              z - image_origin(n[2])};
        double k[3] = {at[0] / 4, at[1] / 4, at[2] / 4}, square = 0, real, imaginary;
        for (int a = 0; a < 3; a++) square += at[a] * at[a] / ((n[a] / 2 - 1) * (n[a] / 2 - 1.0));
        if (square > 1) continue; /* no scan goes there */
        phantom_transform(k, &real, &imaginary);
        exact->plane[row * n[0] + x] += (real + I * imaginary) * n[0] * n[1] * n[2] / 64;
      }
}

/* The middle plane of the image, the sizes of which are halves of the lattice's; malloc'd. `out`
 * NULL: of the phantom's transform on the lattice, without samples. */
static double *image_of(const struct limited_space *space, const float *out)
{
  const int *n = space->points;
  const int nx = n[0], ny = n[1], wide = nx / 2, high = ny / 2;
  double complex *plane = image_room((size_t)nx * ny), *rows = image_room((size_t)wide * ny),
                 *all = image_room((size_t)wide * high);
  struct image_exact exact = {n, plane};
  double *ret = malloc(((size_t)wide * high + 1) * sizeof *ret);

  if (!ret) exit(2);
  if (!out) limited_pieces(ny, image_exact_rows, &exact);
  for (int z = 0; out && z < n[2]; z++)
    for (size_t i = 0; i < (size_t)nx * ny; i++) {
      const float *at = out + ((size_t)z * nx * ny + i) * CHANNELS;
      plane[i] += at[0] + I * at[1];
    }
  image_transform(plane, ny, nx, rows);
  image_transform(rows, wide, ny, all);
  for (int y = 0; y < high; y++)
    for (int x = 0; x < wide; x++) {
      double u = (double)(x - wide / 2) / nx, v = (double)(y - high / 2) / ny;
      double weight = out ? image_weight(sqrt(u * u + v * v)) : 1;
      ret[y * wide + x] = creal(all[y * wide + x]) / weight / ((double)nx * ny * n[2]);
    }
  free(plane);
  free(rows);
  free(all);
  return ret;
}

/* How alike two images are (1: they are the same but for brightness), and how bright the first is
 * beside the second. */
static void image_compare(const double *image, const double *wanted, size_t count,
                          double *ret_alike, double *ret_brightness)
{
  double sums[5] = {0};

  for (size_t i = 0; i < count; i++) {
    const double terms[5] = {wanted[i], image[i], wanted[i] * wanted[i], image[i] * image[i],
                             wanted[i] * image[i]};
    for (int k = 0; k < 5; k++) sums[k] += terms[k] / (double)count;
  }
  double both = sums[4] - sums[0] * sums[1], first = sums[2] - sums[0] * sums[0],
         second = sums[3] - sums[1] * sums[1];
  *ret_alike = both / sqrt(first * second);
  *ret_brightness = both / first;
}

/* Grey from 0 to the density of the skull. 0; -1: it cannot be written. */
static int image_write(const char *path, const struct limited_space *space, const float *out)
{
  int wide = space->points[0] / 2, high = space->points[1] / 2;
  double *image = image_of(space, out), *wanted = image_of(space, NULL), alike, brightness;
  FILE *file = fopen(path, "wb");

  if (file) fprintf(file, "P5\n%d %d\n255\n", wide, high);
  for (int y = high; file && y-- > 0;)
    for (int x = 0; x < wide; x++) {
      double grey = image[y * wide + x];
      fputc(grey <= 0 ? 0 : grey >= 1 ? 255 : (int)(255 * grey + 0.5), file);
    }
  image_compare(image, wanted, (size_t)wide * high, &alike, &brightness);
  printf("image of %d x %d: correlation with the phantom's %.4f, brightness %.4f of it\n", wide,
         high, alike, brightness);
  free(image);
  free(wanted);
  return file && !fclose(file) ? 0 : -1;
}

#endif
