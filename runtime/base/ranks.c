/* SPDX-License-Identifier: MIT */
/* ranks.c - messages between ranks, through the MPI library of mpirun.
 *
 * The library is opened where MESI_RANKS=mpi asks for it, with the names and types of Open MPI. One
 * thread at a time makes the calls, under the runtime's lock, and they block; base/limit.c ends the
 * program where one takes too long. Where a rank ends without mesi_ranks_end, mpirun ends the
 * others.
 */
#include "ranks.h"

#include "../seeded.h"
#include "error.h"
#include "limit.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 23, SERIALIZED = 2, LIMIT_SECONDS = 600, MOST = 1 << 30, FIRST_FILE = 64 };

enum kind { DATA, END };

struct head { /* exchanged before each message */
  uint64_t sum, bytes;
  uint64_t kind, sends;
};

static struct {
  void *library;
  void *world, *byte; /* the communicator of all, the type of a byte */
  int (*init)(int *, char ***, int, int *);
  int (*rank)(void *, int *), (*size)(void *, int *);
  int (*send)(const void *, int, void *, int, int, void *);
  int (*receive)(void *, int, void *, int, int, void *, void *);
  int (*finalize)(void);
} mpi;

static int count = 1, own;
static int share = 1;                      /* devices of a rank */
static pid_t process;                      /* a fork of this process is no rank */
static uint64_t sum = 0xcbf29ce484222325u; /* over the steps of this rank */

int mesi_ranks_count(void) { return count; }

int mesi_rank(void) { return own; }

void mesi_ranks_share(int devices) { share = devices; }

int mesi_rank_of_device(int device) { return device / share; }

int mesi_ranks_local_device(int device) { return device % share; }

/* ---- the library ---- */

static _Noreturn void refuse(const char *why) { mesi_fatal("MESI_RANKS", NULL, "%s", why); }

static void *find(const char *name)
{
  void *found = dlsym(mpi.library, name);
  if (!found) refuse("the MPI library is not Open MPI, the one that is known");
  return found;
}

static void open_library(void)
{
  static const char *const names[] = {"libmpi.so.40", "libmpi.so"};
  for (size_t i = 0; i < sizeof names / sizeof *names && !mpi.library; i++)
    mpi.library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
  if (!mpi.library) refuse("there is no MPI library (Debian: libopenmpi3)");
  mpi.world = find("ompi_mpi_comm_world");
  mpi.byte = find("ompi_mpi_byte");
  *(void **)&mpi.init = find("MPI_Init_thread");
  *(void **)&mpi.rank = find("MPI_Comm_rank");
  *(void **)&mpi.size = find("MPI_Comm_size");
  *(void **)&mpi.send = find("MPI_Send");
  *(void **)&mpi.receive = find("MPI_Recv");
  *(void **)&mpi.finalize = find("MPI_Finalize");
}

enum mesi_ranks_way mesi_ranks_way(void)
{
  static const char *const names[] = {"", "mpi", "nccl", "host"};
  const char *text = getenv("MESI_RANKS");
  for (int way = MESI_RANKS_NONE; way <= MESI_RANKS_HOST; way++)
    if (strcmp(text ? text : "", names[way]) == 0) return (enum mesi_ranks_way)way;
  mesi_fatal("MESI_RANKS", NULL, "\"%s\" is none of mpi, nccl and host", text);
}

static int from_mpirun(const char *name, int otherwise)
{
  const char *text = getenv(name);
  return text && *text ? atoi(text) : otherwise;
}

struct mesi_ranks_place mesi_ranks_place(void)
{
  return (struct mesi_ranks_place){
      from_mpirun("OMPI_COMM_WORLD_RANK", 0), from_mpirun("OMPI_COMM_WORLD_SIZE", 1),
      from_mpirun("OMPI_COMM_WORLD_LOCAL_RANK", 0), from_mpirun("OMPI_COMM_WORLD_LOCAL_SIZE", 1)};
}

/* Only rank 0 has output; the runtime's messages keep their file. */
static void silence(void)
{
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  int errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, FIRST_FILE);
  if (null < 0) return;
  if (!SEEDED(RANKS_ALL_PRINT)) dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  close(null);
  if (errors >= 0) mesi_error_to(errors);
}

void mesi_ranks_start(void)
{
  int given;
  if (process || mesi_ranks_way() == MESI_RANKS_NONE) return;
  process = getpid();
  setenv("OMPI_MCA_opal_signal", "", 0); /* the runtime has the handlers of faults */
  open_library();
  mesi_limit_default(LIMIT_SECONDS);
  if (mpi.init(NULL, NULL, SERIALIZED, &given) || given < SERIALIZED || mpi.rank(mpi.world, &own) ||
      mpi.size(mpi.world, &count))
    refuse("MPI cannot be started");
  if (count > 1) mesi_error_of_rank(own);
  if (own > 0) silence();
}

/* ---- steps that are the same on all ranks ---- */

void mesi_ranks_note_number(unsigned long long number)
{
  sum = (sum ^ number) * 0x9e3779b97f4a7c15u;
  sum ^= sum >> 29;
}

void mesi_ranks_note(const void *bytes, size_t size)
{
  const char *at = bytes;
  for (; size >= sizeof(uint64_t); at += sizeof(uint64_t), size -= sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    mesi_ranks_note_number(word);
  }
  uint64_t rest = 0;
  memcpy(&rest, at, size);
  if (size) mesi_ranks_note_number(rest);
}

/* ---- messages ---- */

static void check(int error, int rank)
{
  if (error) mesi_fatal("several ranks", NULL, "rank %d cannot be reached any more", rank);
}

static void move(int rank, bool sends, void *bytes, size_t size)
{
  mesi_limit_begin("rank", rank);
  for (char *at = bytes; size;) {
    int some = size < MOST ? (int)size : MOST;
    if (sends)
      check(mpi.send(at, some, mpi.byte, rank, TAG, mpi.world), rank);
    else
      check(mpi.receive(at, some, mpi.byte, rank, TAG, mpi.world, NULL), rank);
    at += some;
    size -= (size_t)some;
  }
  mesi_limit_end();
}

/* Both ranks exchange their next step first, even where each waits for the other's message. */
static void meet(int rank, bool sends, enum kind kind, size_t size)
{
  struct head head = {sum, size, kind, sends}, other;
  if (getpid() != process)
    mesi_fatal("several ranks", NULL, "a process that was forked is none of them");
  move(rank, true, &head, sizeof head);
  move(rank, false, &other, sizeof other);
  head.sends = !sends;
  if (memcmp(&head, &other, sizeof head) != 0 && !SEEDED(RANKS_NOT_COMPARED))
    mesi_fatal("several ranks", NULL,
               "rank %d has done something else than rank %d: host code has to be the same on all "
               "of them (no time, random numbers or what else differs)",
               rank, own);
}

void mesi_ranks_match(int rank, bool sends, size_t size) { meet(rank, sends, DATA, size); }

void mesi_ranks_send(int rank, const void *bytes, size_t size)
{
  meet(rank, true, DATA, size);
  move(rank, true, (void *)(uintptr_t)bytes, size);
}

void mesi_ranks_receive(int rank, void *bytes, size_t size)
{
  meet(rank, false, DATA, size);
  move(rank, false, bytes, size);
}

void mesi_ranks_spread(int owner, void *bytes, size_t size)
{
  if (owner != own) mesi_ranks_receive(owner, bytes, size);
  for (int rank = 0; rank < count && owner == own; rank++)
    if (rank != own) mesi_ranks_send(rank, bytes, size);
}

bool mesi_ranks_all(bool so)
{
  unsigned char all = so, one;
  for (int rank = 1; rank < count && own == 0; rank++) {
    mesi_ranks_receive(rank, &one, sizeof one);
    all &= one;
  }
  if (own > 0) mesi_ranks_send(0, &all, sizeof all);
  mesi_ranks_spread(0, &all, sizeof all);
  return all;
}

double mesi_ranks_most(double value)
{
  double most = value, one;
  for (int rank = 1; rank < count && own == 0; rank++) {
    mesi_ranks_receive(rank, &one, sizeof one);
    most = one > most ? one : most;
  }
  if (own > 0) mesi_ranks_send(0, &most, sizeof most);
  mesi_ranks_of_first(&most, sizeof most);
  return most;
}

void mesi_ranks_of_first(void *bytes, size_t size)
{
  if (count > 1) mesi_ranks_spread(0, bytes, size);
}

/* ---- the end ---- */

void mesi_ranks_end(void)
{
  if (!process || getpid() != process) return;
  for (int rank = 1; rank < count && own == 0; rank++) meet(rank, false, END, 0);
  for (int rank = 1; rank < count && own == 0; rank++) meet(rank, true, END, 0);
  if (own > 0) {
    meet(0, true, END, 0);
    meet(0, false, END, 0);
  }
  mpi.finalize();
  process = 0;
  count = 1;
}
