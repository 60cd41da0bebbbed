/* contribution.h - Blinn's blobs: an atom of radius R makes a density of exp(B (1 - r^2 / R^2))
 * within the cutoff, which is 1 at R; where the densities of all atoms add up to 1 is the surface
 * of their molecule. An element is x, y, z, 1 / R^2. Section 3.3 of the paper; J. Blinn, "A
 * generalization of algebraic surface drawing", 1982. Included for each number type: REAL and
 * CONTRIBUTE. */
#ifndef CUTOFF
#define CUTOFF 3.0f
#endif
#ifndef BLOBBINESS
#define BLOBBINESS 2.0f
#endif
#ifndef TILE_X
#define TILE_X 16
#define TILE_Y 2
#define TILE_Z 2
#endif
#define WORDS 4
#define CHANNELS 1

CONTRIBUTION void CONTRIBUTE(const float *e, REAL x, REAL y, REAL z, REAL *sum)
{
  const REAL dx = e[0] - x, dy = e[1] - y, dz = e[2] - z, r2 = dx * dx + dy * dy + dz * dz;

  if (r2 < (REAL)CUTOFF * (REAL)CUTOFF) sum[0] += EXP((REAL)BLOBBINESS * (1 - r2 * e[3]));
}
