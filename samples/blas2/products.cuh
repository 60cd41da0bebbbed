/* products.cuh - gemv as plain kernels: a thread computes one sum, of one row or column of the
 * matrix.
 *
 * Nothing is staged, cut into parts or vectorised here: that is the translator's business. What a
 * person knows and a translator cannot is said as conditions: a row lies within its column's
 * leading dimension (i < lda), so that a[i + j * lda] is element (i, j).
 *
 * A matrix whose sides are no multiples of BLOCK can be done as a main part and its edges:
 *
 *               terms      main | last
 *     outputs   main       main | beside       beside, below: the same kernels in a second stream
 *               last          below            at the same time
 *
 * Below is a product of its own. Where there are last terms, main and beside go to two arrays of
 * sums, which a kernel puts together. */
#include <stdio.h>
#include <stdlib.h>

#include "blas2.h"

enum { THREADS = 128, BLOCK = THREADS /* so that blocks of threads are whole */ };

/* ---- kernels ---- */

/* y = alpha a x + beta y, a: m x n */
__global__ void gemv_rows(const REAL *__restrict__ a, const REAL *__restrict__ x,
                          REAL *__restrict__ y, int m, int n, long long lda, long long incy,
                          long long first, REAL alpha, REAL beta)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < m && i < lda) {
    REAL sum = 0;
    for (int j = 0; j < n; j++) sum += a[i + j * lda] * x[j];
    y[first + i * incy] = beta == 0 ? alpha * sum : alpha * sum + beta * y[first + i * incy];
  }
}

/* y = alpha a^T x + beta y, a: m x n */
__global__ void gemv_columns(const REAL *__restrict__ a, const REAL *__restrict__ x,
                             REAL *__restrict__ y, int m, int n, long long lda, long long incy,
                             long long first, REAL alpha, REAL beta)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;

  if (j < n && m <= lda) {
    REAL sum = 0;
    for (int i = 0; i < m; i++) sum += a[i + j * lda] * x[i];
    y[first + j * incy] = beta == 0 ? alpha * sum : alpha * sum + beta * y[first + j * incy];
  }
}

/* Two arrays of sums together: y = alpha (sums + others) + beta y */
__global__ void join_sums(const REAL *__restrict__ sums, const REAL *__restrict__ others,
                          REAL *__restrict__ y, int count, long long incy, long long first,
                          REAL alpha, REAL beta)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) {
    REAL sum = sums[i] + others[i];
    y[first + i * incy] = beta == 0 ? alpha * sum : alpha * sum + beta * y[first + i * incy];
  }
}

__global__ void scale(REAL *y, int count, long long incy, long long first, REAL beta)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) y[first + i * incy] = beta == 0 ? 0 : beta * y[first + i * incy];
}

__global__ void pack(const REAL *__restrict__ x, REAL *__restrict__ packed, int count,
                     long long incx, long long first)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) packed[i] = x[first + i * incx];
}

/* ---- memory between kernels ---- */

struct room {
  real *memory; /* virtual shared; grows */
  long count;   /* numbers */
};

static struct room sums_room, packed_room;

static void release(struct room *room)
{
  if (room->memory) mesi_free(room->memory);
  *room = (struct room){NULL, 0};
}

static bool reserve(struct room *room, long count)
{
  if (count <= room->count) return true;
  release(room);
  room->memory = (real *)mesi_malloc(count * sizeof(real));
  room->count = room->memory ? count : 0;
  return room->memory != NULL;
}

static int blocks_for(int count) { return count < 1 ? 1 : (count - 1) / THREADS + 1; }

/* Where an array that is walked with an increment starts. */
static long long first_of(int count, int increment)
{
  return increment < 0 ? (1 - (long long)count) * increment : 0;
}

/* x one after another; NULL: no memory */
static const real *packed(const real *x, int count, int incx)
{
  if (incx == 1) return x;
  if (!reserve(&packed_room, count)) return NULL;
  pack<<<blocks_for(count), THREADS>>>(x, packed_room.memory, count, incx, first_of(count, incx));
  return packed_room.memory;
}

/* What is to be done where the product is not: 1. */
static int only_scaled(int count, real alpha, real beta, real *y, int incy)
{
  if (alpha != 0) return 0;
  if (beta != 1) scale<<<blocks_for(count), THREADS>>>(y, count, incy, first_of(count, incy), beta);
  return 1;
}

/* ---- two streams ---- */

static struct {
  cudaStream_t stream; /* does not wait for the default stream */
  cudaEvent_t before, behind;
} second;

static bool second_stream(void)
{
  if (second.stream) return true;
  return cudaStreamCreateWithFlags(&second.stream, cudaStreamNonBlocking) == cudaSuccess &&
         cudaEventCreateWithFlags(&second.before, cudaEventDisableTiming) == cudaSuccess &&
         cudaEventCreateWithFlags(&second.behind, cudaEventDisableTiming) == cudaSuccess;
}

/* What the second stream is given comes behind what the default stream has. */
static void fork_second(void)
{
  cudaEventRecord(second.before, 0);
  cudaStreamWaitEvent(second.stream, second.before, 0);
}

static void join_second(void)
{
  cudaEventRecord(second.behind, second.stream);
  cudaStreamWaitEvent(0, second.behind, 0);
}

/* ---- gemv ---- */

struct gemv {
  bool rows; /* not transposed: sums over the columns */
  int outputs, terms;
  const real *a, *x; /* x without gaps */
  int lda;
  real alpha, beta;
  real *y;
  int incy;
  long long first; /* of y: where its element 0 is */
};

static void launch(const struct gemv *g, cudaStream_t stream)
{
  int m = g->rows ? g->outputs : g->terms, n = g->rows ? g->terms : g->outputs;

  if (g->rows)
    gemv_rows<<<blocks_for(m), THREADS, 0, stream>>>(g->a, g->x, g->y, m, n, g->lda, g->incy,
                                                     g->first, g->alpha, g->beta);
  else
    gemv_columns<<<blocks_for(n), THREADS, 0, stream>>>(g->a, g->x, g->y, m, n, g->lda, g->incy,
                                                        g->first, g->alpha, g->beta);
}

static struct gemv from_output(struct gemv g, int output)
{
  g.a += output * (g.rows ? 1 : (long long)g.lda);
  g.first += (long long)output * g.incy;
  g.outputs -= output;
  return g;
}

static struct gemv from_term(struct gemv g, int term)
{
  g.a += term * (g.rows ? (long long)g.lda : 1);
  g.x += term;
  g.terms -= term;
  return g;
}

static struct gemv into_sums(struct gemv g, real *sums)
{
  g.alpha = 1;
  g.beta = 0;
  g.y = sums;
  g.incy = 1;
  g.first = 0;
  return g;
}

static enum blas2_edges edges_asked = BLAS2_WHOLE;

void blas2_set_edges(enum blas2_edges edges) { edges_asked = edges; }

static bool edges_apart(const struct gemv *g)
{
  return edges_asked == BLAS2_APART && g->outputs >= BLOCK && g->terms >= BLOCK &&
         (g->outputs % BLOCK || g->terms % BLOCK);
}

static int in_parts(const struct gemv *g)
{
  struct gemv top = *g, main_part, beside;
  int outputs = g->outputs - g->outputs % BLOCK, terms = g->terms - g->terms % BLOCK;
  bool joins = terms < g->terms;

  if (!second_stream() || !reserve(&sums_room, joins ? 2L * outputs : 1)) return -1;
  top.outputs = outputs;
  main_part = joins ? into_sums(top, sums_room.memory) : top;
  main_part.terms = terms;
  fork_second();
  launch(&main_part, 0);
  if (joins) {
    beside = into_sums(from_term(top, terms), sums_room.memory + outputs);
    launch(&beside, second.stream);
  }
  if (outputs < g->outputs) {
    struct gemv below = from_output(*g, outputs);
    launch(&below, second.stream);
  }
  join_second();
  if (joins)
    join_sums<<<blocks_for(outputs), THREADS>>>(sums_room.memory, sums_room.memory + outputs, g->y,
                                                outputs, g->incy, g->first, g->alpha, g->beta);
  return 0;
}
