/* SPDX-License-Identifier: MIT */
/* ranks_cuda.h - the part of device_cuda.c for several ranks (base/ranks.h). Internal to the
 * runtime. All calls that return a text return NULL where they succeed. */
#ifndef MESI_RANKS_CUDA_H
#define MESI_RANKS_CUDA_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

int mesi_cuda_on_host(void);
void mesi_cuda_only(const int *devices, int count);

/* The CUDA device that does the work of a device, which may be of another rank. */
int mesi_cuda_local(int device);

/* Finds the other ranks' devices, at the first call. The CUDA device 0 is current. */
const char *mesi_cuda_join(void);

/* Memory of another rank's device: addresses alone. `back` false: it was none. */
void *mesi_cuda_addresses(size_t bytes);
bool mesi_cuda_addresses_back(void *memory);

/* Page-locking that holds where all ranks have done it. */
bool mesi_cuda_pinned_by_all(bool pinned);

/* The operations `copy` and `copy_between`. The stream is that of the lane. Of two devices of one
 * rank, *ret_local tells that the caller copies. */
const char *mesi_cuda_rank_copy(int device, bool to_host, void *to, const void *from, size_t bytes,
                                cudaStream_t lane);
const char *mesi_cuda_rank_between(int device, void *to, int other, const void *from, size_t bytes,
                                   cudaStream_t lane, bool *ret_local);

/* `together`, and what it needs: an event that is recorded in a lane with messages that have not
 * gone out yet is recorded behind them. */
const char *mesi_cuda_together(bool begins);
/* Sends the messages out; before all operations but `copy_between`, `event`, `lane`, and those that
 * have the next two. */
const char *mesi_cuda_send_out(void);
bool mesi_cuda_later(int device, cudaEvent_t event, cudaStream_t queue);
/* Before a queue or the host waits for the event. */
const char *mesi_cuda_before_wait(cudaEvent_t event);

#endif
