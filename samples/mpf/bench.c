/* bench.c - buckets with data on the device. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

enum { THREADS = 256 };

int mpf_case_begin(struct mpf_case *ret, struct mpf_bucket *bucket)
{
  *ret = (struct mpf_case){.bucket = *bucket};
  *bucket = (struct mpf_bucket){0};
  for (unsigned f = 0; f < ret->bucket.function_count; f++) {
    ret->bases[f] = ret->size;
    ret->size += ret->bucket.sizes[f];
  }
  ret->values = mpf_device_alloc(ret->size + 1);
  ret->output = mpf_device_alloc(ret->bucket.outputs + 1);
  for (unsigned f = 0; ret->values && f < ret->bucket.function_count; f++)
    ret->tables[f] = ret->values + ret->bases[f];
  if (ret->values && ret->output) return 0;
  mpf_case_end(ret);
  return -1;
}

void mpf_case_end(struct mpf_case *one)
{
  if (one->values) mpf_device_free(one->values);
  if (one->output) mpf_device_free(one->output);
  mpf_bucket_free(&one->bucket);
  *one = (struct mpf_case){0};
}

int mpf_case_run(struct mpf_case *one, enum mpf_domain domain, size_t pages)
{
  struct mpf_shape shape = {THREADS, 1, pages, {1, 1}};
  struct mpf_plan plan;

  if (!pages) mpf_device_alike(shape.alike);
  if (mpf_plan_build(&one->bucket, one->bases, &shape, &plan)) return -1;
  struct mpf_device_plan *device = mpf_device_prepare(&plan, one->size);
  if (device) mpf_device_run(device, domain, one->values, one->output);
  mpf_device_wait();
  mpf_device_release(device);
  mpf_plan_free(&plan);
  return device ? 0 : -1;
}

double mpf_error_of(enum mpf_domain domain, const real *wanted, const real *have, size_t count)
{
  double worst = 0;

  for (size_t i = 0; i < count; i++) {
    double size = domain == MPF_LOG && fabs((double)wanted[i]) < 1 ? 1 : fabs((double)wanted[i]);
    double error = wanted[i] == have[i] ? 0 : fabs((double)wanted[i] - (double)have[i]) / size;
    if (!(error <= worst)) worst = error;
  }
  return worst;
}
