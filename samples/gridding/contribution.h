/* contribution.h - a sample in the frequency domain onto a point of the lattice, by the
 * Kaiser-Bessel function of their distance: I0(BETA sqrt(1 - r^2 / c^2)) / I0(BETA) within c. An
 * element is x, y, z, the real and imaginary part, and the weight for the density of samples.
 * Section 3.1 of the paper; Jackson et al. 1991. I0 is its series in BETA^2 (1 - r^2 / c^2) / 4,
 * which has no root. Included for each number type: REAL and CONTRIBUTE. */
#ifndef CUTOFF
#define CUTOFF 2.5f
#endif
#ifndef BETA
#define BETA \
  11.44 /* Beatty et al. 2005, equation 5, for a width of 5 on a lattice twice as fine \
         */
#endif
#ifndef TILE_X
#define TILE_X 8
#define TILE_Y 2
#define TILE_Z 2
#endif
#define WORDS 6
#define CHANNELS 2
#define I0_TERMS 20
#define I0_BETA 11091.76728 /* I0(BETA) */

CONTRIBUTION void CONTRIBUTE(const float *e, REAL x, REAL y, REAL z, REAL *sum)
{
  const REAL dx = e[0] - x, dy = e[1] - y, dz = e[2] - z, r2 = dx * dx + dy * dy + dz * dz;

  if (r2 < (REAL)CUTOFF * (REAL)CUTOFF) {
    const REAL q = (REAL)(BETA * BETA / 4) * (1 - r2 * (1 / ((REAL)CUTOFF * (REAL)CUTOFF)));
    REAL i0 = 1;
    for (int k = I0_TERMS; k > 0; k--) i0 = 1 + i0 * q * (1 / (REAL)(k * k));
    const REAL weight = i0 * e[5] * (REAL)(1 / I0_BETA);
    sum[0] += weight * e[3];
    sum[1] += weight * e[4];
  }
}
