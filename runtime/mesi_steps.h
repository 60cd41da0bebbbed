/* SPDX-License-Identifier: MIT */
/* mesi_steps.h - batches, and kernels that do several launches in one. Included by mesi_cuda.h and
 * mesi_cpu.h, after mesi_emitted.h and the declaration of dim3. C++14 or later.
 */
#ifndef MESI_EMITTED_STEPS_H
#define MESI_EMITTED_STEPS_H

#include <cstring>

/* Stands around a loop of launches without host use in between. */
struct mesi_batch {
  mesi_batch() { mesi_batch_begin(); }
  ~mesi_batch() { mesi_batch_end(); }
  mesi_batch(const mesi_batch &) = delete;
  mesi_batch &operator=(const mesi_batch &) = delete;
};

/* A scalar argument of launch `step`. */
template <class MesiT>
static __device__ inline MesiT mesi_step_value(const mesi_steps_values &values, int step)
{
  MesiT value;
  memcpy(&value, &values.value[step], sizeof value);
  return value;
}

#endif
