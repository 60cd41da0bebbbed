/* magma.c - MAGMA as a peer, found at run time: its C interface of version 2, for integers of 32
 * bits. magmablas_ssymv takes and frees memory of the device in each call, which waits for it; so
 * it is called with memory of ours where the library has the function for that. */
#include "magma.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

enum { UPPER = 121, LOWER = 122 }; /* magma_uplo_t */
enum { SIDE = 64 };                /* of its blocks: a number of work for each row and block */

typedef int init_function(void);
typedef void queue_function(int device, void *stream, void *cublas, void *cusparse, void **queue,
                            const char *function, const char *file, int line);
typedef void destroy_function(void *queue, const char *function, const char *file, int line);
typedef int symv_function(int uplo, int n, real alpha, const real *a, int lda, const real *x,
                          int incx, real beta, real *y, int incy, void *queue);
typedef int symv_work_function(int uplo, int n, real alpha, const real *a, int lda, const real *x,
                               int incx, real beta, real *y, int incy, real *work, int count,
                               void *queue);

struct magma {
  void *library, *queue; /* owned */
  init_function *finalize;
  destroy_function *destroy;
  symv_function *symv;
  symv_work_function *symv_work; /* NULL: there is none */
  real *work;                    /* of blas2_alloc; owned */
  int count;                     /* numbers of it */
};

static void *find_library(const char *library)
{
  if (library) return dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return blas2_on_gpu() ? dlopen("libmagma.so", RTLD_NOW | RTLD_LOCAL) : NULL;
}

static void *function(const struct magma *m, const char *of_float, const char *of_double)
{
  return dlsym(m->library, sizeof(real) == sizeof(float) ? of_float : of_double);
}

/* The queue is of the default stream, as all of this program's work. */
static int start(struct magma *m)
{
  init_function *init = NULL;
  queue_function *create = NULL;

  *(void **)&init = dlsym(m->library, "magma_init");
  *(void **)&create = dlsym(m->library, "magma_queue_create_from_cuda_internal");
  *(void **)&m->finalize = dlsym(m->library, "magma_finalize");
  *(void **)&m->destroy = dlsym(m->library, "magma_queue_destroy_internal");
  *(void **)&m->symv = function(m, "magmablas_ssymv", "magmablas_dsymv");
  *(void **)&m->symv_work = function(m, "magmablas_ssymv_work", "magmablas_dsymv_work");
  if (!init || !create || !m->finalize || !m->destroy || !m->symv || init()) return -1;
  create(0, NULL, NULL, NULL, &m->queue, __func__, __FILE__, __LINE__);
  return m->queue ? 0 : -1;
}

struct magma *magma_open(const char *library)
{
  struct magma *m = calloc(1, sizeof *m);

  if (!m) return NULL;
  m->library = find_library(library);
  if (m->library && !start(m)) return m;
  if (m->library) dlclose(m->library);
  free(m);
  return NULL;
}

void magma_close(struct magma *m)
{
  if (!m) return;
  m->destroy(m->queue, __func__, __FILE__, __LINE__);
  m->finalize();
  blas2_free(m->work);
  dlclose(m->library);
  free(m);
}

int magma_reserve(struct magma *m, int n, int lda)
{
  int count = lda * ((n - 1) / SIDE + 1);

  if (!m->symv_work || count <= m->count) return 0;
  blas2_free(m->work);
  m->work = blas2_alloc(count);
  m->count = m->work ? count : 0;
  return m->work ? 0 : -1;
}

int magma_symv(const struct magma *m, const struct cublas_product *p)
{
  int uplo = p->kind == 'U' ? UPPER : LOWER;

  if (!m->symv_work) return m->symv(uplo, p->n, 1, p->a, p->lda, p->x, 1, 0, p->y, 1, m->queue);
  return m->symv_work(uplo, p->n, 1, p->a, p->lda, p->x, 1, 0, p->y, 1,
                      blas2_device_result(m->work), m->count, m->queue);
}
