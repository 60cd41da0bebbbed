/* panel.c - what the three reductions share. */
#include "panel.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

static struct {
  real *memory;
  long count;
} kept;

int workspace_begin(struct workspace *work, long count)
{
  if (count > kept.count) {
    blas2_free(kept.memory);
    kept.memory = blas2_alloc(count);
    kept.count = kept.memory ? count : 0;
  }
  *work = (struct workspace){.memory = kept.memory};
  return kept.memory ? 0 : -1;
}

real *workspace_take(struct workspace *work, long count)
{
  real *ret = work->memory + work->taken;

  work->taken += count;
  return ret;
}

void workspace_release(void)
{
  blas2_free(kept.memory);
  kept.memory = NULL;
  kept.count = 0;
}

struct scratch panel_scratch(struct workspace *work, int rows)
{
  struct scratch ret;

  for (int i = 0; i < 4; i++) ret.vectors[i] = workspace_take(work, rows);
  ret.seen = workspace_take(work, 2L * PANEL);
  ret.squares = workspace_take(work, PANEL_BLOCKS);
  ret.parts = workspace_take(work, (long)PANEL_BLOCKS * PANEL);
  return ret;
}

static enum blas2_panels panels_asked = BLAS2_PANELS_BY_RULE;

void blas2_set_panels(enum blas2_panels panels) { panels_asked = panels; }

int panel_in_one(int rows)
{
  return panels_asked != BLAS2_PANELS_BY_LAUNCHES && device_panel_blocks() > 0 &&
         (panels_asked == BLAS2_PANELS_IN_ONE || (blas2_on_gpu() && rows <= BLAS2_PANEL_ROWS));
}

int panel_subtract(real *y, int rows, const real *others, int ld, int count,
                   const real *coefficients, int increment)
{
  return blas2_gemv('N', rows, count, -1, others, ld, coefficients, increment, 1, y, 1);
}

int panel_subtract_seen(real *y, int rows, const real *left, int ldleft, const real *right,
                        int ldright, int right_rows, int count, const real *v, real *work)
{
  int status =
      count && rows ? blas2_gemv('T', right_rows, count, 1, right, ldright, v, 1, 0, work, 1) : 0;

  return status ? status : panel_subtract(y, rows, left, ldleft, count, work, 1);
}

int panel_scale(real *a, int lda, struct band band, real *work, double *ret_factor)
{
  const double least = sizeof(real) == sizeof(float) ? FLT_MIN : DBL_MIN,
               unit = sizeof(real) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
  const double small = sqrt(least) / unit, large = 1 / small,
               largest = device_largest(a, lda, band, work);
  int exponent;

  *ret_factor = 1;
  if (isinf(largest)) return BLAS2_NOT_FINITE;
  if (largest == 0 || (largest >= small && largest <= large)) return 0;
  frexp(largest, &exponent);
  *ret_factor = ldexp(1, 1 - exponent);
  device_scale(a, lda, band, *ret_factor);
  return 0;
}

void panel_scale_back(real *a, int lda, struct band band, double factor)
{
  if (factor != 1) device_scale(a, lda, band, 1 / factor);
}
