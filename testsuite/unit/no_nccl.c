/* SPDX-License-Identifier: MIT */
/* no_nccl.c - a library that is no NCCL, for runtime_ranks. */
int no_nccl_here(void);

int no_nccl_here(void) { return 0; }
