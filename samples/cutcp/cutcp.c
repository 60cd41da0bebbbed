/* cutcp.c - boxes of water with the statistics of the paper's table 2, atoms of .pqr files,
 * potentials as .dx files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "both.h"
#include "draw.h"

/* Atoms fill less than the bins: 40 and 180 of 44 and 184 units, at about one in ten cubic units.
 */
static const struct limited_set sets[] = {
    {"large", 570348, {46, 46, 46}, true, 4, 0.5f, 140608, 14, 4.056298, 3.342421},
    {"small", 5943, {11, 11, 11}, true, 4, 0.5f, 4913, 12, 1.209648, 2.528611},
    {"tiny", 150, {3, 2, 2}, true, 4, 0.5f, 0, 0, 0, 0},
};

/* Each atom somewhere in a cell of its own, with the charges of water one after the other. */
static void make(const struct limited_set *set, uint64_t *random, float *elements)
{
  static const float charges[3] = {-0.834f, 0.417f, 0.417f};
  long across = (long)ceil(cbrt((double)set->count)), cells = across * across * across;
  double box = set->bins[0] * (double)set->edge - 4, cell = box / (double)across;
  for (long i = 0; i < set->count; i++) {
    long number = (long)((double)i * (double)cells / (double)set->count);
    for (int a = 0; a < 3; a++, number /= across)
      elements[i * WORDS + a] = (float)(((double)(number % across) + random_unit(random)) * cell);
    elements[i * WORDS + 3] = charges[i % 3];
  }
}

/* ---- files ---- */

static double origin[3]; /* of the file that was read */

/* x, y, z, charge and radius are the last five words of an ATOM or HETATM line. 1: there is an
 * atom, 0: none, -1: the line is wrong. */
static int read_line(char *line, float atom[WORDS])
{
  char *words[16];
  int count = 0;
  for (char *word = strtok(line, " \t\r\n"); word && count < 16; word = strtok(NULL, " \t\r\n"))
    words[count++] = word;
  if (!count || (strcmp(words[0], "ATOM") && strcmp(words[0], "HETATM"))) return 0;
  for (int w = 0; w < WORDS; w++) {
    char *end = NULL;
    if (count < 7) return -1;
    atom[w] = strtof(words[count - 5 + w], &end);
    if (*end) return -1;
  }
  return 1;
}

static long read_atoms(FILE *file, const char *path, float **ret_atoms)
{
  float *atoms = NULL, atom[WORDS];
  long count = 0, room = 0, number = 0;
  char line[1024];
  while (fgets(line, sizeof line, file)) {
    int found = read_line(line, atom);
    number++;
    if (found < 0) {
      fprintf(stderr, "%s:%ld: an atom without x, y, z, charge and radius\n", path, number);
      free(atoms);
      return -1;
    }
    if (found && count == room) {
      room = room ? 2 * room : 1024;
      float *more = realloc(atoms, (size_t)room * sizeof atom);
      if (!more) {
        free(atoms);
        return -1;
      }
      atoms = more;
    }
    if (found) memcpy(atoms + count++ * WORDS, atom, sizeof atom);
  }
  *ret_atoms = atoms;
  return count;
}

/* Moves the atoms to the origin; how many bins they take. */
static void fit_box(float *atoms, long count, struct limited_set *set)
{
  for (int a = 0; a < 3; a++) {
    float low = atoms[a], high = atoms[a];
    for (long i = 0; i < count; i++) {
      low = fminf(low, atoms[i * WORDS + a]);
      high = fmaxf(high, atoms[i * WORDS + a]);
    }
    for (long i = 0; i < count; i++) atoms[i * WORDS + a] -= low;
    origin[a] = low;
    set->bins[a] = high - low < 4e6f ? (int)((high - low) / set->edge) + 1 : 1;
  }
}

static int read_pqr(const char *path, struct limited_set *ret_set, float **ret_elements)
{
  FILE *file = fopen(path, "r");
  float *atoms = NULL;
  if (!file) {
    perror(path);
    return -1;
  }
  long count = read_atoms(file, path, &atoms);
  fclose(file);
  if (count == 0) fprintf(stderr, "%s: there are no atoms\n", path);
  if (count <= 0) return -1;
  *ret_set = (struct limited_set){
      .name = path, .count = count, .margin = true, .edge = 4, .spacing = 0.5f};
  fit_box(atoms, count, ret_set);
  *ret_elements = atoms;
  return 0;
}

/* The form of OpenDX and APBS, whose last index runs fastest. */
static int write_dx(const char *path, const struct limited_space *space, const float *out)
{
  const int *points = space->points;
  FILE *file = fopen(path, "w");
  if (!file) return -1;
  fprintf(file, "object 1 class gridpositions counts %d %d %d\norigin %g %g %g\n", points[0],
          points[1], points[2], origin[0], origin[1], origin[2]);
  for (int a = 0; a < 3; a++)
    fprintf(file, "delta %g %g %g\n", a == 0 ? space->spacing : 0.0, a == 1 ? space->spacing : 0.0,
            a == 2 ? space->spacing : 0.0);
  fprintf(file, "object 2 class gridconnections counts %d %d %d\n", points[0], points[1],
          points[2]);
  fprintf(file, "object 3 class array type double rank 0 items %ld data follows\n", space->outputs);
  for (long n = 0; n < space->outputs; n++) {
    long k = n % points[2], j = n / points[2] % points[1], i = n / points[2] / points[1];
    fprintf(file, "%.6e%c", out[(k * points[1] + j) * points[0] + i], n % 3 == 2 ? '\n' : ' ');
  }
  fputs("\nattribute \"dep\" string \"positions\"\n", file);
  return fclose(file) ? -1 : 0;
}

const struct limited_app application = {
    .name = "cutcp",
    .elements = "atoms",
    .words = WORDS,
    .channels = CHANNELS,
    .tile = {TILE_X, TILE_Y, TILE_Z},
    .cutoff = CUTOFF,
    .tolerance = 1e-5,
    .sets = sets,
    .set_count = sizeof sets / sizeof *sets,
    .make = make,
    .read = read_pqr,
    .write = write_dx,
    .scatter = scatter_float,
    .reference = scatter_double,
};
