/* SPDX-License-Identifier: MIT */
/* ranks.h - several processes that run the same host program, each with devices of its own.
 * Internal to the runtime.
 *
 *     mpirun -n 2 ./prog  with MESI_RANKS=mpi    rank 0 has device 0, rank 1 has device 1
 *
 * All ranks make the same calls of the runtime in the same order, and so come to the same copies. A
 * copy between devices of two ranks is a message. A copy to the host is a message from the rank
 * that has the device to all others. Each message carries a sum over all steps of its sender so
 * far: a rank with different steps is reported at the first message between the two. All functions
 * from mesi_ranks_share on require the lock.
 */
#ifndef MESI_RANKS_H
#define MESI_RANKS_H

#include <stdbool.h>
#include <stddef.h>

/* How bytes go from GPU to GPU between ranks, by the value of MESI_RANKS. */
enum mesi_ranks_way {
  MESI_RANKS_NONE, /* not set: there are no ranks */
  MESI_RANKS_MPI,  /* "mpi": by NCCL where all ranks have it, otherwise through the hosts */
  MESI_RANKS_NCCL, /* "nccl": by NCCL, or the program ends */
  MESI_RANKS_HOST  /* "host": through the hosts */
};
enum mesi_ranks_way mesi_ranks_way(void);

struct mesi_ranks_place { /* of this process among those that mpirun has started */
  int rank, count;        /* of all; count 1: it is alone */
  int local, local_count; /* of this host */
};
/* Known before mesi_ranks_start. */
struct mesi_ranks_place mesi_ranks_place(void);

/* Called before the program starts. Where MESI_RANKS asks for ranks, finds the others; all but rank
 * 0 lose their standard output and error. Ends the program where there is no MPI. */
void mesi_ranks_start(void);
int mesi_ranks_count(void); /* 1: this process is alone */
int mesi_rank(void);

static inline bool mesi_ranks_several(void) { return mesi_ranks_count() > 1; }
/* Devices are numbered through all ranks, `devices` of each. */
void mesi_ranks_share(int devices);
int mesi_rank_of_device(int device);
/* Its number among the devices of its rank. */
int mesi_ranks_local_device(int device);
static inline bool mesi_ranks_elsewhere(int device)
{
  return mesi_ranks_several() && mesi_rank_of_device(device) != mesi_rank();
}

/* Adds to the sum a step that all ranks have to do alike: its text, or the bytes that the host
 * gives a device. */
void mesi_ranks_note(const void *bytes, size_t count);
void mesi_ranks_note_number(unsigned long long number);

/* In front of a message that goes another way: compares the steps of both ranks. */
void mesi_ranks_match(int rank, bool sends, size_t count);
/* Is it so on all ranks? */
bool mesi_ranks_all(bool so);
/* The largest of what the ranks have; one rank: its own. */
double mesi_ranks_most(double value);
/* Gives all ranks what rank 0 has. One rank: does nothing. */
void mesi_ranks_of_first(void *bytes, size_t count);

void mesi_ranks_send(int rank, const void *bytes, size_t count);
void mesi_ranks_receive(int rank, void *bytes, size_t count);
/* Sends bytes from the rank that has them to all others. */
void mesi_ranks_spread(int owner, void *bytes, size_t count);

/* The end of the program, which all ranks reach. */
void mesi_ranks_end(void);

#endif
