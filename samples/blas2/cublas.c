/* cublas.c - cuBLAS as a peer, found at run time: its C interface of version 2, which has been the
 * same since CUDA 4. */
#include "cublas.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

enum { LOWER, UPPER };       /* cublasFillMode_t */
enum { NOT_TURNED, TURNED }; /* cublasOperation_t */

typedef int create_function(void **handle);
typedef int destroy_function(void *handle);
typedef int version_function(void *handle, int *ret);
typedef int atomics_function(void *handle, int allowed);
typedef int gemv_function(void *handle, int operation, int m, int n, const real *alpha,
                          const real *a, int lda, const real *x, int incx, const real *beta,
                          real *y, int incy);
typedef int symv_function(void *handle, int triangle, int n, const real *alpha, const real *a,
                          int lda, const real *x, int incx, const real *beta, real *y, int incy);

struct cublas {
  void *library, *handle; /* owned */
  destroy_function *destroy;
  version_function *version;
  atomics_function *atomics;
  gemv_function *gemv;
  symv_function *symv;
};

static void *find_library(const char *library)
{
  static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                      "libcublas.so", "/usr/local/cuda/lib64/libcublas.so"};
  void *found = NULL;

  if (library) return dlopen(library, RTLD_NOW | RTLD_LOCAL);
  for (unsigned i = 0; i < sizeof names / sizeof *names && !found && blas2_on_gpu(); i++)
    found = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  return found;
}

static void *function(const struct cublas *c, const char *of_float, const char *of_double)
{
  return dlsym(c->library, sizeof(real) == sizeof(float) ? of_float : of_double);
}

struct cublas *cublas_open(const char *library)
{
  struct cublas *c = calloc(1, sizeof *c);
  create_function *create = NULL;

  if (!c) return NULL;
  c->library = find_library(library);
  if (c->library) {
    *(void **)&create = dlsym(c->library, "cublasCreate_v2");
    *(void **)&c->destroy = dlsym(c->library, "cublasDestroy_v2");
    *(void **)&c->version = dlsym(c->library, "cublasGetVersion_v2");
    *(void **)&c->atomics = dlsym(c->library, "cublasSetAtomicsMode");
    *(void **)&c->gemv = function(c, "cublasSgemv_v2", "cublasDgemv_v2");
    *(void **)&c->symv = function(c, "cublasSsymv_v2", "cublasDsymv_v2");
  }
  if (create && c->destroy && c->version && c->atomics && c->gemv && c->symv &&
      create(&c->handle) == 0)
    return c;
  if (c->library) dlclose(c->library);
  free(c);
  return NULL;
}

int cublas_version(const struct cublas *c)
{
  int ret = 0;

  c->version(c->handle, &ret);
  return ret;
}

void cublas_close(struct cublas *c)
{
  if (!c) return;
  c->destroy(c->handle);
  dlclose(c->library);
  free(c);
}

int cublas_gemv(const struct cublas *c, const struct cublas_product *p, real alpha, real beta,
                int incy)
{
  return c->gemv(c->handle, p->kind == 'N' ? NOT_TURNED : TURNED, p->m, p->n, &alpha, p->a, p->lda,
                 p->x, 1, &beta, p->y, incy);
}

int cublas_run(const struct cublas *c, const struct cublas_product *p)
{
  const real one = 1, zero = 0;

  if (p->kind == 'N' || p->kind == 'T') return cublas_gemv(c, p, one, zero, 1);
  int status = c->atomics(c->handle, p->atomics);
  return status ? status
                : c->symv(c->handle, p->kind == 'U' ? UPPER : LOWER, p->n, &one, p->a, p->lda, p->x,
                          1, &zero, p->y, 1);
}
