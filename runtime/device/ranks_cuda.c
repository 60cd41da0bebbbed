/* SPDX-License-Identifier: MIT */
/* ranks_cuda.c - GPUs of several ranks (base/ranks.h).
 *
 *     mpirun -n 2 ./prog   rank 0 has device 0, and for device 1 addresses without memory;
 *                          the queues of device 1 are streams of its own GPU
 *
 * So the waits that the runtime orders between devices are real ones on each rank: bytes for device
 * 1 are sent in the stream that stands for its lane, which has been put behind the kernels that
 * write them. The receiving rank submits to the real lane. Both hosts compare their steps over MPI
 * first. Where there is no NCCL, bytes go through page-locked memory and MPI, and the host waits.
 *
 * Between two calls of `together` messages are kept in one NCCL group, so that both directions run
 * at once; events that are recorded behind them wait for the end of the group. What ends it is the
 * same on all ranks, whether they have a message or not. NCCL connects two devices at their first
 * message, and the hosts of both wait for each other then: one that still holds its group back
 * would wait for the other over MPI. So calls that one rank makes alone, as the one that takes
 * times does, send nothing out.
 */
#include "ranks_cuda.h"

#include "../base/error.h"
#include "../base/limit.h"
#include "../base/ranks.h"
#include "../seeded.h"
#include "device.h"
#include "nccl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { STAGE = 4 << 20, MOST_MESSAGES = 16, NAMES = 512 };

static const char *text(cudaError_t status)
{
  return status == cudaSuccess ? NULL : cudaGetErrorString(status);
}

/* ---- the devices of this rank ---- */

static int chosen; /* of mesi_cuda_only */

static int count_entries(const char *list)
{
  int count = *list != 0;
  while ((list = strchr(list, ','))) list++, count++;
  return count;
}

/* The management library does not open the devices. */
static int count_by_driver(void)
{
  int (*init)(void), (*count)(unsigned *);
  unsigned found = 0;
  void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return -1;
  *(void **)&init = dlsym(library, "nvmlInit_v2");
  *(void **)&count = dlsym(library, "nvmlDeviceGetCount_v2");
  return init && count && !init() && !count(&found) ? (int)found : -1;
}

int mesi_cuda_on_host(void)
{
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  return visible ? count_entries(visible) : count_by_driver();
}

/* Entry `index` of a list of names, or the number itself. */
static void append_device(char *names, const char *visible, int index)
{
  size_t length = strlen(names);
  if (length) names[length++] = ',';
  for (int i = 0; visible && i < index && *visible; i++) {
    visible += strcspn(visible, ",");
    visible += *visible == ',';
  }
  if (visible)
    snprintf(names + length, NAMES - length, "%.*s", (int)strcspn(visible, ","), visible);
  else
    snprintf(names + length, NAMES - length, "%d", index);
}

/* The program sees the devices of its rank alone, as 0, 1, ... */
void mesi_cuda_only(const int *devices, int count)
{
  char names[NAMES] = "";
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  for (int i = 0; i < count; i++) append_device(names, visible, devices[i]);
  setenv("CUDA_VISIBLE_DEVICES", names, 1);
  chosen = count;
}

int mesi_cuda_local(int device)
{
  return mesi_ranks_several() ? mesi_ranks_local_device(device) : device;
}

/* ---- the start ---- */

static bool has_nccl;

static const char *join_nccl(int each)
{
  struct mesi_nccl_id id = {{0}};
  const char *cause = mesi_rank() ? NULL : mesi_nccl_id(&id);
  if (!mesi_ranks_all(!cause)) return cause ? cause : "rank 0 cannot start NCCL";
  mesi_ranks_spread(0, &id, sizeof id);
  mesi_limit_begin("NCCL of rank", mesi_rank());
  cause = mesi_nccl_join(&id, each * mesi_ranks_count(), each * mesi_rank(), each);
  mesi_limit_end();
  return cause;
}

/* Chooses how bytes go between ranks, the same on all of them. */
static const char *open_ways(int each)
{
  enum mesi_ranks_way way = mesi_ranks_way();
  const char *missing = way == MESI_RANKS_HOST ? "MESI_RANKS=host" : mesi_nccl_open();
  has_nccl = mesi_ranks_all(!missing);
  if (has_nccl) missing = join_nccl(each);
  if (has_nccl) has_nccl = mesi_ranks_all(!missing);
  if (has_nccl || way == MESI_RANKS_HOST) return NULL;
  if (!missing) missing = "another rank cannot use NCCL";
  if (way == MESI_RANKS_NCCL) return missing;
  if (mesi_rank() == 0)
    mesi_warn("mesi: note: bytes between GPUs of two ranks go through the hosts: %s\n", missing);
  return NULL;
}

const char *mesi_cuda_join(void)
{
  static bool joined;
  static char problem[128];
  int found = 0;
  if (joined) return NULL;
  joined = true;
  if (!chosen)
    return "several ranks have GPUs under mpirun of Open MPI only (OMPI_COMM_WORLD_RANK)";
  cudaError_t status = cudaGetDeviceCount(&found);
  if (status != cudaSuccess) found = 0;
  bool enough = found >= chosen;
  if (!enough)
    snprintf(problem, sizeof problem, "rank %d has %d GPUs and wants %d (MESI_DEVICES): %s",
             mesi_rank(), found, chosen, status == cudaSuccess ? "there are fewer" : text(status));
  if (!mesi_ranks_all(enough)) return enough ? "another rank has no GPU" : problem;
  const char *cause = open_ways(chosen);
  return cause ? cause : text(cudaSetDevice(0));
}

/* ---- addresses ---- */

static struct addresses {
  void *memory;
  size_t bytes;
  struct addresses *next;
} * addresses;

void *mesi_cuda_addresses(size_t bytes)
{
  struct addresses *entry = malloc(sizeof *entry);
  void *memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!entry || memory == MAP_FAILED) return NULL;
  *entry = (struct addresses){memory, bytes, addresses};
  addresses = entry;
  return memory;
}

bool mesi_cuda_addresses_back(void *memory)
{
  struct addresses **at = &addresses, *entry;
  while (*at && (*at)->memory != memory) at = &(*at)->next;
  entry = *at;
  if (!entry) return false;
  *at = entry->next;
  munmap(entry->memory, entry->bytes);
  free(entry);
  return true;
}

bool mesi_cuda_pinned_by_all(bool pinned)
{
  return mesi_ranks_several() && !SEEDED(RANKS_PIN_ALONE) ? mesi_ranks_all(pinned) : pinned;
}

/* ---- messages that go out together ---- */

struct record { /* of an event in a stream, for which `then` waits */
  int local;    /* the stream's CUDA device */
  cudaEvent_t event;
  cudaStream_t queue, then; /* then NULL: none, and the event is not ours */
};

static struct {
  bool asked, open;            /* between two calls of `together`; there are messages */
  bool waits[MESI_DEVICE_MAX]; /* the device's lane has messages in it, on whichever rank */
  unsigned messages;           /* of all ranks */
  struct record *records;
  unsigned count, room;
} group;

static void record_later(struct record record)
{
  if (group.count == group.room) {
    group.room = group.room ? 2 * group.room : 8 * MOST_MESSAGES;
    group.records = mesi_need(realloc(group.records, group.room * sizeof record));
  }
  group.records[group.count++] = record;
}

static cudaError_t record_one(const struct record *record)
{
  cudaError_t status = cudaSetDevice(record->local);
  if (status == cudaSuccess) status = cudaEventRecord(record->event, record->queue);
  if (!record->then) return status;
  if (status == cudaSuccess) status = cudaStreamWaitEvent(record->then, record->event, 0);
  cudaEventDestroy(record->event);
  return status;
}

static const char *record_all(void)
{
  cudaError_t status = cudaSuccess;
  int before = 0;
  cudaGetDevice(&before);
  for (unsigned i = 0; i < group.count && status == cudaSuccess; i++)
    status = record_one(&group.records[i]);
  cudaSetDevice(before);
  group.count = 0;
  return text(status);
}

const char *mesi_cuda_send_out(void)
{
  if (!group.open) return NULL;
  group.open = false;
  group.messages = 0;
  memset(group.waits, 0, sizeof group.waits);
  mesi_limit_begin("NCCL of rank", mesi_rank());
  const char *cause = mesi_nccl_group_end();
  mesi_limit_end();
  return cause ? cause : record_all();
}

const char *mesi_cuda_together(bool begins)
{
  group.asked = begins && !SEEDED(RANKS_NOT_TOGETHER);
  return begins ? NULL : mesi_cuda_send_out();
}

/* All ranks come here, also those that are neither its sender nor its receiver. */
static const char *note_message(int device)
{
  const char *cause = NULL;
  if (!group.asked) return NULL;
  if (group.messages == MOST_MESSAGES) cause = mesi_cuda_send_out();
  if (!group.open && !cause) cause = mesi_nccl_group_begin();
  group.open = true;
  group.messages++;
  group.waits[device] = true;
  return cause;
}

bool mesi_cuda_later(int device, cudaEvent_t event, cudaStream_t queue)
{
  if (!group.open || !group.waits[device] || SEEDED(RANKS_RECORD_EARLY)) return false;
  record_later((struct record){mesi_cuda_local(device), event, queue, NULL});
  return true;
}

const char *mesi_cuda_before_wait(cudaEvent_t event)
{
  for (unsigned i = 0; i < group.count; i++)
    if (group.records[i].event == event) return mesi_cuda_send_out();
  return NULL;
}

/* ---- messages ---- */

const char *mesi_cuda_rank_copy(int device, bool to_host, void *to, const void *from, size_t bytes,
                                cudaStream_t lane)
{
  bool own = !mesi_ranks_elsewhere(device);
  cudaError_t status = cudaSuccess;
  mesi_ranks_note_number(bytes);
  if (!to_host) mesi_ranks_note(from, bytes);
  if (own) status = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, lane);
  if (!to_host || status != cudaSuccess) return text(status);
  status = cudaStreamSynchronize(lane); /* on other ranks: the host still uses these bytes */
  if (status == cudaSuccess) mesi_ranks_spread(mesi_rank_of_device(device), to, bytes);
  return text(status);
}

/* The stream `to` comes behind `from`, on CUDA devices of this rank, now or with the messages that
 * have not gone out. */
static const char *stream_behind(const struct record *turn, bool later)
{
  cudaEvent_t event = NULL;
  cudaError_t status = cudaSetDevice(turn->local);
  if (status == cudaSuccess) status = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  if (status != cudaSuccess) return text(status);
  struct record record = *turn;
  record.event = event;
  if (later)
    record_later(record);
  else
    status = record_one(&record);
  return text(status);
}

/* The queue in which a message leaves GPU `local`: NCCL wants one of that GPU. */
static const char *queue_to_send(int local, int lane_local, cudaStream_t lane,
                                 cudaStream_t *ret_queue)
{
  static cudaStream_t sides[MESI_DEVICE_MAX];
  *ret_queue = lane;
  if (local == lane_local) return NULL;
  cudaError_t status = cudaSetDevice(local);
  if (status == cudaSuccess && !sides[local])
    status = cudaStreamCreateWithFlags(&sides[local], cudaStreamNonBlocking);
  *ret_queue = sides[local];
  if (status != cudaSuccess) return text(status);
  return stream_behind(&(struct record){lane_local, NULL, lane, sides[local]}, false);
}

static const char *send(int device, int other, const void *from, size_t bytes, cudaStream_t lane)
{
  int local = mesi_cuda_local(other), lane_local = mesi_cuda_local(device);
  cudaStream_t queue;
  const char *cause = queue_to_send(local, lane_local, lane, &queue);
  if (!cause) cause = text(cudaSetDevice(local));
  if (!cause) cause = mesi_nccl_send(local, device, from, bytes, queue);
  if (!cause && queue != lane)
    cause = stream_behind(&(struct record){local, NULL, queue, lane}, group.open);
  return cause;
}

static const char *by_nccl(int device, void *to, int other, const void *from, size_t bytes,
                           cudaStream_t lane)
{
  bool receives = !mesi_ranks_elsewhere(device);
  int before = 0;
  const char *cause;
  mesi_ranks_match(mesi_rank_of_device(receives ? other : device), !receives, bytes);
  cudaGetDevice(&before);
  mesi_limit_begin("NCCL of rank", mesi_rank());
  if (receives)
    cause = mesi_nccl_receive(mesi_cuda_local(device), other, to, bytes, lane);
  else
    cause = send(device, other, from, bytes, lane);
  mesi_limit_end();
  cudaSetDevice(before);
  return cause;
}

static const char *through_host(int device, void *to, int other, const void *from, size_t bytes,
                                cudaStream_t lane)
{
  static char *stage;
  cudaError_t status = cudaSuccess;
  bool receives = !mesi_ranks_elsewhere(device);
  if (!stage) status = cudaHostAlloc((void **)&stage, STAGE, cudaHostAllocPortable);
  for (size_t at = 0, some; at < bytes && status == cudaSuccess; at += some) {
    some = bytes - at < STAGE ? bytes - at : STAGE;
    if (receives) mesi_ranks_receive(mesi_rank_of_device(other), stage, some);
    if (receives)
      status = cudaMemcpyAsync((char *)to + at, stage, some, cudaMemcpyDefault, lane);
    else
      status = cudaMemcpyAsync(stage, (const char *)from + at, some, cudaMemcpyDefault, lane);
    if (status == cudaSuccess) status = cudaStreamSynchronize(lane);
    if (!receives && status == cudaSuccess)
      mesi_ranks_send(mesi_rank_of_device(device), stage, some);
  }
  return text(status);
}

const char *mesi_cuda_rank_between(int device, void *to, int other, const void *from, size_t bytes,
                                   cudaStream_t lane, bool *ret_local)
{
  int receiver = mesi_rank_of_device(device), sender = mesi_rank_of_device(other);
  const char *cause = NULL;
  mesi_ranks_note_number(bytes);
  *ret_local = receiver == sender && receiver == mesi_rank();
  if (receiver == sender) return NULL;
  if (has_nccl) cause = note_message(device);
  if (cause || (receiver != mesi_rank() && sender != mesi_rank())) return cause;
  return (has_nccl ? by_nccl : through_host)(device, to, other, from, bytes, lane);
}
