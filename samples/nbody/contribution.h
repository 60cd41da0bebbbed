/* contribution.h - the near part of the gravitation of bodies: m d / (r^2 + s^2)^(3/2) within the
 * cutoff, per body and without the constant; what is farther away is for a method with a mesh. An
 * element is x, y, z, m; outputs are at the elements. Section 3.4 of the paper. Included for each
 * number type: REAL and CONTRIBUTE. */
#ifndef CUTOFF
#define CUTOFF 1.0f
#endif
#ifndef SOFTENING
#define SOFTENING 0.05f
#endif
#define WORDS 4
#define CHANNELS 3
#ifndef AT_ELEMENTS
#define AT_ELEMENTS
#endif

CONTRIBUTION void CONTRIBUTE(const float *e, REAL x, REAL y, REAL z, REAL *sum)
{
  const REAL dx = e[0] - x, dy = e[1] - y, dz = e[2] - z, r2 = dx * dx + dy * dy + dz * dz;

  /* without a branch: in a warp some body nearly always is within the cutoff */
  const REAL inverse = SQRT_INVERSE(r2 + (REAL)SOFTENING * (REAL)SOFTENING),
             pull = r2 < (REAL)CUTOFF * (REAL)CUTOFF ? e[3] * inverse * inverse * inverse : 0;
  sum[0] += dx * pull;
  sum[1] += dy * pull;
  sum[2] += dz * pull;
}
