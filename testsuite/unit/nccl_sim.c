/* SPDX-License-Identifier: MIT */
/* nccl_sim.c - libnccl.so.2 without a GPU, over cuda_sim.c and a file that all ranks map.
 *
 * It is as strict as NCCL may be: the groups of a communicator happen one after the other; a group
 * starts when all its streams have come to it, and holds all of them until it is done; a message is
 * done when its receiver has it. At the first message from one device to another the hosts of both
 * wait for each other, in the call that ends the group. What two devices exchange in a group, and
 * the sizes, are compared on both sides. NCCL_SIM_LOG=FILE: a line for each group, from rank 0.
 * NCCL_SIM_HANG: no communicator is ever complete. NCCL_SIM_FOLDER (/tmp) gets the files.
 */
#include "cuda_sim.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DEVICES = 8, CHUNK = 4096, MESSAGES = 256, GROUPS = 8192, OK = 0, WRONG = 5 };

struct box { /* of one device for another */
  _Atomic unsigned posted, taken;
  size_t whole, bytes;
  char data[CHUNK];
};

struct share { /* of a device in a group with another, what the other one has to have as well */
  _Atomic unsigned number;
  unsigned to, from;
};

struct shared {
  _Atomic int joined;
  struct share shares[DEVICES][DEVICES][GROUPS]; /* [own][peer] */
  struct box boxes[DEVICES][DEVICES];            /* [from][to] */
};

typedef struct comm {
  struct shared *shared;
  int all, own, device;
  unsigned long issued, done; /* groups */
  unsigned with[DEVICES];     /* groups, by peer */
  bool sends_to[DEVICES], receives_from[DEVICES];
} * ncclComm_t;

typedef struct {
  char internal[128];
} ncclUniqueId;

struct message {
  bool sends;
  char *memory;
  size_t bytes, at;
  int peer;
  ncclComm_t comm;
  cudaStream_t stream;
};

struct group {
  ncclComm_t comm;
  unsigned long number;
  struct message messages[MESSAGES];
  unsigned count, streams, arrived;
  bool connects;          /* two devices that have not been connected */
  unsigned with[DEVICES]; /* the number among the groups with a peer; 0: it has none */
};

struct ticket { /* of a group in one of its streams */
  struct group *group;
  bool arrived;
};

static _Thread_local struct {
  unsigned depth, count;
  struct message messages[MESSAGES];
  ncclComm_t joining[DEVICES];
  unsigned joining_count;
} open_group;

int ncclGetUniqueId(ncclUniqueId *ret_id)
{
  memset(ret_id, 0, sizeof *ret_id);
  const char *folder = getenv("NCCL_SIM_FOLDER");
  snprintf(ret_id->internal, sizeof ret_id->internal, "%s/nccl_sim.%d", folder ? folder : "/tmp",
           (int)getpid());
  int file = open(ret_id->internal, O_RDWR | O_CREAT | O_TRUNC, 0600);
  int status = file >= 0 && !ftruncate(file, sizeof(struct shared)) ? OK : WRONG;
  close(file);
  return status;
}

int ncclCommInitRank(ncclComm_t *ret_comm, int all, ncclUniqueId id, int own)
{
  int file = open(id.internal, O_RDWR);
  if (file < 0) return WRONG;
  ncclComm_t comm = calloc(1, sizeof *comm);
  void *memory = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  *comm = (struct comm){.shared = memory, .all = all, .own = own};
  cudaGetDevice(&comm->device);
  comm->shared->joined++;
  open_group.joining[open_group.joining_count++] = comm;
  *ret_comm = comm;
  return OK;
}

/* ---- messages ---- */

static bool send_some(struct message *message)
{
  struct box *box = &message->comm->shared->boxes[message->comm->own][message->peer];
  if (box->posted != box->taken) return false;
  if (message->at == message->bytes) return true;
  size_t rest = message->bytes - message->at, some = rest < CHUNK ? rest : CHUNK;
  box->whole = message->bytes;
  box->bytes = some;
  memcpy(box->data, message->memory + message->at, some);
  message->at += some;
  box->posted++;
  return false;
}

static bool receive_some(struct message *message)
{
  struct box *box = &message->comm->shared->boxes[message->peer][message->comm->own];
  if (message->at == message->bytes) return true;
  if (box->posted == box->taken) return false;
  if (box->whole != message->bytes) {
    fprintf(stderr, "nccl_sim: %zu bytes are sent, %zu received\n", box->whole, message->bytes);
    abort();
  }
  memcpy(message->memory + message->at, box->data, box->bytes);
  message->at += box->bytes;
  box->taken++;
  return message->at == message->bytes;
}

/* Messages of one device to another share a box: each goes when those before it are done. */
static bool progress(struct group *group)
{
  bool waits[2][DEVICES] = {0}; /* [sends][peer] */
  bool done = true;
  for (unsigned i = 0; i < group->count; i++) {
    struct message *message = &group->messages[i];
    bool *wait = &waits[message->sends][message->peer];
    if (!*wait) *wait = message->sends ? !send_some(message) : !receive_some(message);
    done &= !*wait;
  }
  return done;
}

/* Has the peer made the same call? */
static bool has_met(const struct group *group, int peer)
{
  int own = group->comm->own;
  unsigned number = group->with[peer];
  const struct share *share = &group->comm->shared->shares[own][peer][number],
                     *other = &group->comm->shared->shares[peer][own][number];
  if (other->number < number) return false;
  if (other->to != share->from || other->from != share->to) {
    fprintf(stderr, "nccl_sim: in a group %u messages to %d and %u from it meet %u and %u\n",
            share->to, peer, share->from, other->from, other->to);
    abort();
  }
  return true;
}

static bool have_met(const struct group *group)
{
  for (int peer = 0; peer < group->comm->all; peer++)
    if (group->with[peer] && !has_met(group, peer)) return false;
  return true;
}

/* In one of the group's streams. */
static bool step(void *context)
{
  struct ticket *ticket = context;
  struct group *group = ticket->group;
  if (group->comm->done >= group->number) return true;
  if (!ticket->arrived) group->arrived++;
  ticket->arrived = true;
  if (group->arrived < group->streams || group->comm->done + 1 < group->number) return false;
  if (!have_met(group) || !progress(group)) return false;
  group->comm->done = group->number;
  return true;
}

static void write_log(const struct group *group)
{
  const char *path = getenv("NCCL_SIM_LOG");
  FILE *file = path && group->comm->own == 0 ? fopen(path, "a") : NULL;
  if (!file) return;
  fprintf(file, "group %lu:", group->number);
  for (unsigned i = 0; i < group->count; i++)
    fprintf(file, " %s %d %zu", group->messages[i].sends ? "to" : "from", group->messages[i].peer,
            group->messages[i].bytes);
  fprintf(file, "\n");
  fclose(file);
}

static bool is_first_of_stream(const struct group *group, unsigned index)
{
  for (unsigned i = 0; i < index; i++)
    if (group->messages[i].stream == group->messages[index].stream) return false;
  return true;
}

/* Tells the peer what the group has for it. */
static void share_with(struct group *group, int peer)
{
  ncclComm_t comm = group->comm;
  unsigned to = 0, from = 0;
  for (unsigned i = 0; i < group->count; i++) {
    to += group->messages[i].peer == peer && group->messages[i].sends;
    from += group->messages[i].peer == peer && !group->messages[i].sends;
  }
  if (!to && !from) return;
  group->with[peer] = ++comm->with[peer];
  if (group->with[peer] == GROUPS) abort();
  struct share *share = &comm->shared->shares[comm->own][peer][group->with[peer]];
  share->to = to;
  share->from = from;
  share->number = group->with[peer];
  group->connects |= (to && !comm->sends_to[peer]) || (from && !comm->receives_from[peer]);
  comm->sends_to[peer] |= to > 0;
  comm->receives_from[peer] |= from > 0;
}

static void launch(struct group *group)
{
  int before;
  group->number = ++group->comm->issued;
  write_log(group);
  for (int peer = 0; peer < group->comm->all; peer++) share_with(group, peer);
  for (unsigned i = 0; i < group->count; i++) group->streams += is_first_of_stream(group, i);
  cudaGetDevice(&before);
  cudaSetDevice(group->comm->device);
  for (unsigned i = 0; i < group->count; i++) {
    if (!is_first_of_stream(group, i)) continue;
    struct ticket *ticket = calloc(1, sizeof *ticket);
    ticket->group = group;
    cuda_sim_submit(group->messages[i].stream, step, ticket);
  }
  cudaSetDevice(before);
}

/* One group for each communicator, in the order of their first messages. */
static void launch_all(void)
{
  struct group *groups[DEVICES];
  unsigned launched = 0;
  while (open_group.count) {
    struct group *group = calloc(1, sizeof *group);
    unsigned rest = 0;
    group->comm = open_group.messages[0].comm;
    for (unsigned i = 0; i < open_group.count; i++)
      if (open_group.messages[i].comm == group->comm)
        group->messages[group->count++] = open_group.messages[i];
      else
        open_group.messages[rest++] = open_group.messages[i];
    open_group.count = rest;
    launch(group);
    groups[launched++] = group;
  }
  for (unsigned i = 0; i < launched; i++)
    while (groups[i]->connects && !have_met(groups[i])) usleep(100);
}

int ncclGroupStart(void)
{
  open_group.depth++;
  return OK;
}

int ncclGroupEnd(void)
{
  if (!open_group.depth || --open_group.depth) return open_group.depth ? OK : WRONG;
  for (unsigned i = 0; i < open_group.joining_count; i++)
    while (open_group.joining[i]->shared->joined < open_group.joining[i]->all ||
           getenv("NCCL_SIM_HANG"))
      usleep(100);
  open_group.joining_count = 0;
  launch_all();
  return OK;
}

static int submit(struct message message)
{
  if (cuda_sim_device_of(message.stream) != message.comm->device ||
      message.peer >= message.comm->all)
    return WRONG;
  if (open_group.count == MESSAGES) return WRONG;
  ncclGroupStart();
  open_group.messages[open_group.count++] = message;
  return ncclGroupEnd();
}

int ncclSend(const void *memory, size_t bytes, int type, int peer, ncclComm_t comm,
             cudaStream_t stream)
{
  if (type) return WRONG;
  return submit((struct message){true, (char *)memory, bytes, 0, peer, comm, stream});
}

int ncclRecv(void *memory, size_t bytes, int type, int peer, ncclComm_t comm, cudaStream_t stream)
{
  if (type) return WRONG;
  return submit((struct message){false, memory, bytes, 0, peer, comm, stream});
}

const char *ncclGetErrorString(int status) { return status ? "simulated NCCL error" : "fine"; }
