/* contribution.h - the potential of a point charge with cutoff: q / r * (1 - r^2 / c^2)^2 within c,
 * in charges per length; an element is x, y, z, q. An atom does not act at its own place.
 * Section 3.2 of the paper, equations for V and s, without the constant 4 pi epsilon. Included for
 * each number type: REAL and CONTRIBUTE. */
#ifndef CUTOFF
#define CUTOFF 12.0f
#endif
#ifndef TILE_X
#define TILE_X 8
#define TILE_Y 8
#define TILE_Z 8
#endif
#define WORDS 4
#define CHANNELS 1

CONTRIBUTION void CONTRIBUTE(const float *e, REAL x, REAL y, REAL z, REAL *sum)
{
  const REAL dx = e[0] - x, dy = e[1] - y, dz = e[2] - z, r2 = dx * dx + dy * dy + dz * dz;

  if (r2 < (REAL)CUTOFF * (REAL)CUTOFF && r2 > 0) {
    const REAL s = 1 - r2 * (1 / ((REAL)CUTOFF * (REAL)CUTOFF));
    sum[0] += e[3] * SQRT_INVERSE(r2) * s * s;
  }
}
