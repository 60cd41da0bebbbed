/* symv.cuh - symv, in one of two ways: an element of the stored triangle is loaded twice
 * (symv_blocks.cuh) or once (symv_tiles.cuh); where it is asked for, once with atomic additions
 * (symv_atomic.cuh). */
#include "symv_blocks.cuh"
#include "symv_tiles.cuh"
#include "symv_atomic.cuh"

static enum blas2_symv_way symv_asked = BLAS2_SYMV_BY_RULE;

void blas2_set_symv(enum blas2_symv_way way) { symv_asked = way; }

static bool loads_once(int n)
{
  return symv_asked == BLAS2_SYMV_ONCE ||
         (symv_asked == BLAS2_SYMV_BY_RULE && (double)n * n * sizeof(real) >= BLAS2_ONCE_BYTES);
}

/* Whether 16 bytes may be loaded at once wherever a column begins: objects of mesi_malloc begin at
 * multiples of 16 here and on the device. */
static bool is_aligned(const real *a, int lda, const real *x)
{
  return lda % VECTOR == 0 && (uintptr_t)a % 16 == 0 && (uintptr_t)x % 16 == 0;
}

static int symv_once(int n, const real *a, int lda, const real *x, int upper, real alpha, real beta,
                     real *y, int incy)
{
  int strips = (n - 1) / TILE_COLUMNS + 1, tiles = (strips + 1) * TILE_COLUMNS / TILE_ROWS + 2;
  dim3 grid((strips + 1) / 2, tiles);

  if (!reserve(&sums_room, (long)n * (strips + 1 + (n - 1) / TILE_ROWS + 1))) return -1;
  if (is_aligned(a, lda, x))
    symv_tiles<true><<<grid, TILE_THREADS>>>(a, x, sums_room.memory, n, lda, strips, upper);
  else
    symv_tiles<false><<<grid, TILE_THREADS>>>(a, x, sums_room.memory, n, lda, strips, upper);
  join_slots<<<(n - 1) / 32 + 1, dim3(32, JOIN_WARPS)>>>(sums_room.memory, y, n, strips, incy,
                                                         first_of(n, incy), alpha, beta, upper);
  return 0;
}

static int symv_twice(int n, const real *a, int lda, const real *x, int upper, real alpha,
                      real beta, real *y, int incy)
{
  int blocks = (n - 1) / SUMS + 1;

  if (is_aligned(a, lda, x))
    symv_blocks<VECTOR>
        <<<blocks, BLOCK_THREADS>>>(a, x, y, n, lda, incy, first_of(n, incy), alpha, beta, upper);
  else
    symv_blocks<1>
        <<<blocks, BLOCK_THREADS>>>(a, x, y, n, lda, incy, first_of(n, incy), alpha, beta, upper);
  return 0;
}

static int symv_by_atomics(int n, const real *a, int lda, const real *x, int upper, real alpha,
                           real beta, real *y, int incy)
{
  long long squares = (n - 1) / ATOMIC_SIDE + 1;

  if (beta != 1) scale<<<blocks_for(n), THREADS>>>(y, n, incy, first_of(n, incy), beta);
  symv_atomic<<<(int)(squares * (squares + 1) / 2), ATOMIC_THREADS>>>(
      a, x, y, n, lda, incy, first_of(n, incy), alpha, upper);
  return 0;
}

static int check_symv(char uplo, int n, int lda, int incx, int incy)
{
  if (uplo != 'U' && uplo != 'u' && uplo != 'L' && uplo != 'l') return 1;
  if (n < 0) return 2;
  if (lda < (n > 1 ? n : 1)) return 5;
  return incx == 0 ? 7 : incy == 0 ? 10 : 0;
}

int blas2_symv(char uplo, int n, real alpha, const real *a, int lda, const real *x, int incx,
               real beta, real *y, int incy)
{
  int wrong = check_symv(uplo, n, lda, incx, incy), upper = uplo == 'U' || uplo == 'u';

  if (wrong || !n || only_scaled(n, alpha, beta, y, incy)) return wrong;
  const real *terms = packed(x, n, incx);
  if (!terms) return -1;
  if (symv_asked == BLAS2_SYMV_ATOMIC)
    return symv_by_atomics(n, a, lda, terms, upper, alpha, beta, y, incy);
  if (loads_once(n)) return symv_once(n, a, lda, terms, upper, alpha, beta, y, incy);
  return symv_twice(n, a, lda, terms, upper, alpha, beta, y, incy);
}
