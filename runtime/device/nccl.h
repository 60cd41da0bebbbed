/* SPDX-License-Identifier: MIT */
/* nccl.h - messages between the memories of GPUs of several ranks, by NCCL. Internal to the
 * runtime. A call returns NULL where it succeeds and otherwise the cause. */
#ifndef MESI_NCCL_H
#define MESI_NCCL_H

#include <stddef.h>

/* Opens the library. NULL: it is there. */
const char *mesi_nccl_open(void);

enum { MESI_NCCL_ID = 128 };
struct mesi_nccl_id {
  char bytes[MESI_NCCL_ID];
};
const char *mesi_nccl_id(struct mesi_nccl_id *ret_id); /* of rank 0, for all */

/* All ranks call it: of `all` devices this process has `count` from `first` on, which are the CUDA
 * devices 0, 1, ... Waits for all ranks. */
const char *mesi_nccl_join(const struct mesi_nccl_id *id, int all, int first, int count);

/* Submits a message of the CUDA device `local`, the current one, to the stream. `peer` is the
 * number of the other device among all. A message is done when both sides are. */
const char *mesi_nccl_send(int local, int peer, const void *from, size_t bytes, void *stream);
const char *mesi_nccl_receive(int local, int peer, void *to, size_t bytes, void *stream);

/* Messages between these start together, when the last call is made. */
const char *mesi_nccl_group_begin(void);
const char *mesi_nccl_group_end(void);

#endif
