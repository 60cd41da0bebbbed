/* steps.cuh - bodies that move: steps in time with the near accelerations.
 *
 *     nbody steps [--set S] [--seed N] [--steps N] [--step T]
 *
 * Velocity Verlet: half a kick, a drift, new bins and accelerations, half a kick. Bodies bounce off
 * the walls of the box. Two things are checked: kinetic and potential energy together stay (a
 * pair's potential is shifted so that it is 0 at the cutoff); and the same steps with all
 * velocities reversed lead back to where the bodies began, which a step of another order or with
 * old accelerations does not. */
extern "C" {
#include "words.h"
}

static __global__ void kick(float *__restrict__ velocities, const float *__restrict__ accelerations,
                            int count, float time)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) velocities[i] += time * accelerations[i];
}

static __global__ void drift(float *__restrict__ bodies, float *__restrict__ velocities, int count,
                             float time, float x, float y, float z)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) {
    const int axis = i % CHANNELS;
    const float wall = axis == 0 ? x : axis == 1 ? y : z;
    float at = bodies[i / CHANNELS * WORDS + axis] + time * velocities[i];
    if (at < 0 || at >= wall) {
      at = at < 0 ? -at : 2 * wall - at;
      velocities[i] = -velocities[i];
    }
    bodies[i / CHANNELS * WORDS + axis] = fminf(fmaxf(at, 0), wall * 0.9999999f);
  }
}

static __global__ void reverse(float *velocities, int count)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) velocities[i] = -velocities[i];
}

struct moving {
  struct limited_problem problem;
  struct mesi_bins bins;
  float *velocities; /* VS; as `problem.out` */
};

static int accelerate(struct moving *m)
{
  int status = mesi_bin_fill(&m->bins, m->problem.elements, m->problem.count, 0);

  if (!status) status = limited_launch(&m->problem, &m->bins, LIMITED_RANGES);
  if (status) fprintf(stderr, "nbody: %s\n", m->bins.message);
  return status;
}

/* The accelerations have to be those of the bodies' places, and are so again. */
static int step(struct moving *m, int steps, float time)
{
  const struct mesi_bin_grid *grid = &m->problem.space.grid;
  const int count = (int)m->problem.count * CHANNELS, blocks = (count + 255) / 256;
  int status = 0;

  for (int i = 0; i < steps && !status; i++) {
    kick<<<blocks, 256>>>(m->velocities, m->problem.out, count, time / 2);
    drift<<<blocks, 256>>>(m->problem.elements, m->velocities, count, time,
                           grid->bins[0] * grid->edge[0], grid->bins[1] * grid->edge[1],
                           grid->bins[2] * grid->edge[2]);
    status = accelerate(m);
    if (!status) kick<<<blocks, 256>>>(m->velocities, m->problem.out, count, time / 2);
  }
  return status;
}

/* ---- what stays ---- */

/* Of a body with those behind it in the order of the bins. */
static double potential_of(const struct limited_rows *rows, const struct mesi_bin_grid *grid,
                           int body, const int bin[3])
{
  const double softening = (double)SOFTENING * SOFTENING, cutoff = (double)CUTOFF * CUTOFF,
               edge = 1 / sqrt(cutoff + softening);
  const float *e = rows->elements + (size_t)body * WORDS;
  double sum = 0;

  for (int z = bin[2] - 1; z <= bin[2] + 1; z++)
    for (int y = bin[1] - 1; y <= bin[1] + 1; y++) {
      if (y < 0 || z < 0 || y >= grid->bins[1] || z >= grid->bins[2]) continue;
      const int row = (z * grid->bins[1] + y) * grid->bins[0], last = grid->bins[0] - 1,
                from = rows->starts[row + (bin[0] > 0 ? bin[0] - 1 : 0)],
                end = rows->starts[row + (bin[0] < last ? bin[0] + 1 : last) + 1];
      for (int k = from > body ? from : body + 1; k < end; k++) {
        const float *o = rows->elements + (size_t)k * WORDS;
        const double dx = o[0] - e[0], dy = o[1] - e[1], dz = o[2] - e[2],
                     r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cutoff) sum -= (double)e[3] * o[3] * (1 / sqrt(r2 + softening) - edge);
      }
    }
  return sum;
}

static double energy(const struct moving *m, double *ret_kinetic)
{
  const struct limited_problem *p = &m->problem;
  const struct mesi_bin_grid *grid = &p->space.grid;
  struct limited_rows rows;
  double sum = 0, kinetic = 0;

  mesi_touch_range(p->elements, (size_t)p->count * WORDS * sizeof(float), MESI_READ);
  mesi_touch_range(m->velocities, (size_t)p->count * CHANNELS * sizeof(float), MESI_READ);
  for (long i = 0; i < p->count; i++)
    for (int a = 0; a < CHANNELS; a++) {
      const double v = m->velocities[i * CHANNELS + a];
      kinetic += p->elements[i * WORDS + 3] * v * v / 2;
    }
  limited_rows_init(&rows, p->app, &p->space, p->elements, p->count);
  for (int b = 0; b < grid->bins[0] * grid->bins[1] * grid->bins[2]; b++)
    for (int k = rows.starts[b]; k < rows.starts[b + 1]; k++) {
      const int row = b / grid->bins[0],
                bin[3] = {b % grid->bins[0], row % grid->bins[1], row / grid->bins[1]};
      sum += potential_of(&rows, grid, k, bin);
    }
  limited_rows_finish(&rows);
  *ret_kinetic = kinetic;
  return sum + kinetic;
}

/* The greatest distance of a body from where it was. */
static double farthest(const struct limited_problem *p, const float *before)
{
  double most = 0;

  mesi_touch_range(p->elements, (size_t)p->count * WORDS * sizeof(float), MESI_READ);
  for (long i = 0; i < p->count * WORDS; i++) {
    const double d = fabs((double)p->elements[i] - before[i]);
    most = d > most ? d : most;
  }
  return most;
}

static int run_steps(struct moving *m, int steps, float time)
{
  const size_t words = (size_t)m->problem.count * WORDS;
  const int count = (int)m->problem.count * CHANNELS;
  float *before = (float *)malloc((words + 1) * sizeof *before);
  double kinetic, moved, kinetic_then;

  if (!before || accelerate(m)) return 2;
  const double first = energy(m, &kinetic);
  memcpy(before, m->problem.elements, words * sizeof *before);
  limited_wait();
  const double began = limited_now();
  if (step(m, steps, time)) return 2;
  limited_wait();
  const double took = limited_now() - began, last = energy(m, &kinetic_then);
  moved = farthest(&m->problem, before);
  reverse<<<(count + 255) / 256, 256>>>(m->velocities, count);
  if (step(m, steps, time)) return 2;
  const double back = farthest(&m->problem, before), change = fabs(last - first) / kinetic_then;
  const bool ok = kinetic_then > kinetic && change < 1e-2 && back < 1e-2 * moved;
  printf("%d steps of %g: %.4f ms each; energy %.6g, then %.6g, %.3g of it kinetic: off by %.2g of "
         "that; bodies moved by %.3g, and came back within %.2g\n",
         steps, time, took / steps, first, last, kinetic_then, change, moved, back);
  puts(ok ? "check: ok" : "check: FAILED");
  free(before);
  return ok ? 0 : 2;
}

static int steps_program(const struct limited_app *app, int argc, char **argv)
{
  static const char *const known[] = {"--set=", "--seed=", "--steps=", "--step=", NULL};
  const char *usage = "nbody steps [--set S] [--seed N] [--steps N] [--step T]\n";
  struct moving m = {};

  mpf_words_begin(app->name, usage);
  const char *file = mpf_known(argc, argv, known), *name = mpf_option("--set");
  const struct limited_set *set = NULL;
  for (unsigned i = 0; i < app->set_count; i++)
    if (!strcmp(app->sets[i].name, name ? name : app->sets[0].name)) set = &app->sets[i];
  const int steps = (int)mpf_number("--steps", 20);
  const float time = (float)mpf_number("--step", 1e-3);
  if (file || !set || steps < 1 || !(time > 0)) {
    fputs(usage, stderr);
    return 1;
  }
  if (limited_problem_init(&m.problem, app, set, NULL, (uint64_t)mpf_number("--seed", 1))) return 2;
  const size_t count = (size_t)set->count * CHANNELS;
  m.velocities = limited_alloc(count);
  mesi_touch_range(m.velocities, count * sizeof(float), MESI_WRITE | MESI_OVERWRITE);
  memset(m.velocities, 0, count * sizeof(float));
  struct mesi_bin_options options = limited_options(app, LIMITED_RANGES);
  int status = mesi_bin_init(&m.bins, &m.problem.space.grid, &options) ? 2 : 0;
  if (!status) status = run_steps(&m, steps, time);
  mesi_bin_finish(&m.bins);
  limited_free(m.velocities);
  limited_problem_finish(&m.problem);
  return status;
}
