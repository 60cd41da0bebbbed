/* cusolver.c - cuSOLVER as a peer, found at run time: its C interface for dense matrices, which has
 * been the same since CUDA 7. */
#include "cusolver.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

enum { LOWER }; /* cublasFillMode_t */

typedef int create_function(void **handle);
typedef int destroy_function(void *handle);
typedef int gebrd_room_function(void *handle, int m, int n, int *ret);
typedef int gebrd_function(void *handle, int m, int n, real *a, int lda, real *d, real *e,
                           real *tauq, real *taup, real *work, int room, int *info);
typedef int sytrd_room_function(void *handle, int triangle, int n, const real *a, int lda,
                                const real *d, const real *e, const real *tau, int *ret);
typedef int sytrd_function(void *handle, int triangle, int n, real *a, int lda, real *d, real *e,
                           real *tau, real *work, int room, int *info);

struct cusolver {
  void *library, *handle; /* owned */
  destroy_function *destroy;
  gebrd_room_function *gebrd_room;
  gebrd_function *gebrd;
  sytrd_room_function *sytrd_room;
  sytrd_function *sytrd;
  real *work; /* of blas2_alloc; the last number is for the status */
  int room;
};

static void *find_library(const char *library)
{
  static const char *const names[] = {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so",
                                      "/usr/local/cuda/lib64/libcusolver.so"};
  void *found = NULL;

  if (library) return dlopen(library, RTLD_NOW | RTLD_LOCAL);
  for (unsigned i = 0; i < sizeof names / sizeof *names && !found && blas2_on_gpu(); i++)
    found = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  return found;
}

static void *function(const struct cusolver *c, const char *of_float, const char *of_double)
{
  return dlsym(c->library, sizeof(real) == sizeof(float) ? of_float : of_double);
}

static void find_functions(struct cusolver *c)
{
  *(void **)&c->destroy = dlsym(c->library, "cusolverDnDestroy");
  *(void **)&c->gebrd_room =
      function(c, "cusolverDnSgebrd_bufferSize", "cusolverDnDgebrd_bufferSize");
  *(void **)&c->gebrd = function(c, "cusolverDnSgebrd", "cusolverDnDgebrd");
  *(void **)&c->sytrd_room =
      function(c, "cusolverDnSsytrd_bufferSize", "cusolverDnDsytrd_bufferSize");
  *(void **)&c->sytrd = function(c, "cusolverDnSsytrd", "cusolverDnDsytrd");
}

struct cusolver *cusolver_open(const char *library)
{
  struct cusolver *c = calloc(1, sizeof *c);
  create_function *create = NULL;

  if (!c) return NULL;
  c->library = find_library(library);
  if (c->library) {
    *(void **)&create = dlsym(c->library, "cusolverDnCreate");
    find_functions(c);
  }
  if (create && c->destroy && c->gebrd_room && c->gebrd && c->sytrd_room && c->sytrd &&
      create(&c->handle) == 0)
    return c;
  if (c->library) dlclose(c->library);
  free(c);
  return NULL;
}

void cusolver_close(struct cusolver *c)
{
  if (!c) return;
  blas2_free(c->work);
  c->destroy(c->handle);
  dlclose(c->library);
  free(c);
}

int cusolver_reserve(struct cusolver *c, int n)
{
  int of_gebrd = 0, of_sytrd = 0,
      status = c->gebrd_room(c->handle, n, n, &of_gebrd) |
               c->sytrd_room(c->handle, LOWER, n, NULL, n, NULL, NULL, NULL, &of_sytrd);

  blas2_free(c->work);
  c->room = of_gebrd > of_sytrd ? of_gebrd : of_sytrd;
  c->work = status ? NULL : blas2_alloc((long)c->room + 2);
  return status ? status : c->work ? 0 : -1;
}

int cusolver_gebrd(struct cusolver *c, int n, real *a, real *d, real *e, real *tauq, real *taup)
{
  real *work = blas2_device_result(c->work);

  blas2_device_address(a);
  return c->gebrd(c->handle, n, n, blas2_device_result(a), n, blas2_device_result(d),
                  blas2_device_result(e), blas2_device_result(tauq), blas2_device_result(taup),
                  work, c->room, (int *)(work + c->room));
}

int cusolver_sytrd(struct cusolver *c, int n, real *a, real *d, real *e, real *tau)
{
  real *work = blas2_device_result(c->work);

  blas2_device_address(a);
  return c->sytrd(c->handle, LOWER, n, blas2_device_result(a), n, blas2_device_result(d),
                  blas2_device_result(e), blas2_device_result(tau), work, c->room,
                  (int *)(work + c->room));
}
