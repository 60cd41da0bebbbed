/* SPDX-License-Identifier: MIT */
/* nccl.c - NCCL, opened at run time: neither mesicc nor a program is linked with it, and no header
 * of it is needed. The types are those of NCCL 2, whose interface has been the same since 2.7.
 *
 * Each device of all ranks is a member of one communicator. NCCL does a communicator's messages in
 * the order in which they are submitted, whatever their streams. All ranks submit theirs in the
 * order of the program, so that no two wait for each other.
 */
#include "nccl.h"

#include "device.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>

enum { BYTES = 0 }; /* ncclInt8 */

typedef void *communicator; /* ncclComm_t */

static struct {
  void *library;
  int (*get_id)(struct mesi_nccl_id *);
  int (*init)(communicator *, int, struct mesi_nccl_id, int);
  int (*send)(const void *, size_t, int, int, communicator, cudaStream_t);
  int (*receive)(void *, size_t, int, int, communicator, cudaStream_t);
  int (*group_begin)(void), (*group_end)(void);
  const char *(*text)(int);
} nccl;

static communicator members[MESI_DEVICE_MAX]; /* by CUDA device */

static bool find(const char *name, void *ret_call)
{
  *(void **)ret_call = dlsym(nccl.library, name);
  return *(void **)ret_call != NULL;
}

const char *mesi_nccl_open(void)
{
  static const char *const names[] = {"libnccl.so.2", "libnccl.so",
                                      "/usr/local/cuda/lib64/libnccl.so.2"};
  for (size_t i = 0; i < sizeof names / sizeof *names && !nccl.library; i++)
    nccl.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!nccl.library) return "there is no NCCL (libnccl.so.2)";
  bool known = find("ncclGetUniqueId", &nccl.get_id) && find("ncclCommInitRank", &nccl.init) &&
               find("ncclSend", &nccl.send) && find("ncclRecv", &nccl.receive) &&
               find("ncclGroupStart", &nccl.group_begin) && find("ncclGroupEnd", &nccl.group_end) &&
               find("ncclGetErrorString", &nccl.text);
  return known ? NULL : "the NCCL library is older than 2.7";
}

static const char *told(int status) { return status ? nccl.text(status) : NULL; }

const char *mesi_nccl_id(struct mesi_nccl_id *ret_id)
{
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  return told(nccl.get_id(ret_id));
}

const char *mesi_nccl_join(const struct mesi_nccl_id *id, int all, int first, int count)
{
  int status, ended;
  setenv("NCCL_NVLS_ENABLE", "0", 0); /* multicast: nothing here uses it, not all hosts have it */
  status = nccl.group_begin();
  for (int i = 0; i < count && !status; i++) {
    status = cudaSetDevice(i) == cudaSuccess ? 0 : 1;
    if (!status) status = nccl.init(&members[i], all, *id, first + i);
  }
  ended = nccl.group_end();
  return told(status ? status : ended);
}

const char *mesi_nccl_send(int local, int peer, const void *from, size_t bytes, void *stream)
{
  return told(nccl.send(from, bytes, BYTES, peer, members[local], stream));
}

const char *mesi_nccl_receive(int local, int peer, void *to, size_t bytes, void *stream)
{
  return told(nccl.receive(to, bytes, BYTES, peer, members[local], stream));
}

const char *mesi_nccl_group_begin(void) { return told(nccl.group_begin()); }

const char *mesi_nccl_group_end(void) { return told(nccl.group_end()); }
