/* SPDX-License-Identifier: MIT */
/* mesi.h - the runtime of mesicc: virtual shared (VS) objects and their transfers.
 *
 * A VS object has a host copy and a copy on each device. The runtime knows which bytes of which
 * copy are valid and moves bytes only when stale ones are about to be used; an object that holds
 * pointers is moved as a whole. The calls in the first half are for users; those in the second half
 * are put in by mesicc.
 *
 * Order: a transfer to a device goes out when the launch that needs it is made, and the host goes
 * on; the launch waits for it in its stream. A transfer to the host waits for the launches that
 * wrote the object, in whatever stream, and for nothing else. Launches stay in the order of the
 * program's streams. What one stream's launch writes and another's uses is for the program to
 * order, as in CUDA.
 *
 * Threads: every function may be called by any thread. The calls of one launch are made by one
 * thread, and belong to it until mesi_launch_end. Different threads may launch, touch and allocate
 * at the same time. Bytes are moved by one thread at a time. A host use of an object waits while
 * another thread makes a launch that writes it. Two threads that use the same bytes at once, one of
 * them writing, from the host or through a kernel, race as they would on one array: the program
 * orders them. Bytes beside those are never disturbed where each use is announced with its range or
 * is to a page of its own.
 *
 * Errors end the program: a message `mesi: error: ...` on stderr, then exit status 70.
 *
 * Environment:
 *   MESI_TRACE=1     each transfer, fault and launch on stderr with time, variable,
 *       bytes and cause; totals at exit
 *   MESI_TRACE=F.json  the same as a Chrome trace (chrome://tracing, Perfetto), written at exit
 *   MESI_VERIFY=1    a host access that was not announced ends the program with a message that
 *       names the variable, the
 *                    place and the announcement that is missing
 *   MESI_VERIFY_DROP=N  for tests of that: the N-th announcement that matters is ignored
 *   MESI_STATS=FILE  counts and times as `key value` lines, written at exit
 *   MESI_DUMP=FILE   final contents of all VS objects, written at exit (format: dump.h)
 *   MESI_POISON=1    what is announced as overwritten is filled with 0xA5 first,
 *       so that a wrong announcement shows
 *   MESI_BATCH=0|1   launches of a loop are submitted one by one, or as CUDA graphs (default: 1,
 *       but 0 with MESI_TRACE
 *                    or MESI_STATS, which time each launch)
 *   MESI_STEPS=N     at most N launches of a loop are put together; 0: none
 *   MESI_PARTS=N     launches that can go out in parts do so in N parts, whatever they move;
 *       0: never (default: where much
 *                    has to be moved)
 *   MESI_CPU_MEMORY  capacity of the CPU backend's device memory in bytes, suffix K,
 *       M or G (default 4G)
 * A variable MESI_... that is none of this project, or no number where one is meant, ends the
 * program (settings.def).
 */
#ifndef MESI_H
#define MESI_H

#include <stddef.h>

/* A header with VS declarations may be included by files that a C or C++ compiler translates alone,
 * after this one:
 *
 *     #include <mesi.h>
 *     extern __global__ float field[64];   // there: extern float field[64];
 *
 * What such a file does to the variable is not announced: its pages are guarded. A variable that it
 * defines itself is no VS variable for it, and slow (see mesi_register). */
#if !defined(__global__) && !defined(__CUDACC__)
#define __global__
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define MESI_ABI 2u /* version of every structure in this file */

/* How an object is used: bits. What an object's pointers lead to is used with the same access as
 * the object; for an object that is itself only read while what it points to is written (`p[i] = x`
 * for a VS pointer p), the access MESI_READ | MESI_REACH_WRITE says so and spares the copies of the
 * pointer itself. */
/* With MESI_WRITE, MESI_OVERWRITE says that every byte of the announced (write) range is
 * overwritten before it is read, so that stale contents need not be brought up to date. */
enum {
  MESI_READ = 1,
  MESI_WRITE = 2,
  MESI_READ_WRITE = 3,
  MESI_REACH_WRITE = 4,
  MESI_OVERWRITE = 8
};
/* What a launch's pointer argument points to, beside the access: bits. For MESI_DUMP, which names
 * what dynamic memory is an array of. */
enum { MESI_OF_FLOAT = 256, MESI_OF_DOUBLE = 512, MESI_OF_OTHER = 1024, MESI_OF_ANY = 1792 };

/* ---- for users
 * ------------------------------------------------------------------------------------ */

/* Dynamic VS memory. Semantics of malloc, calloc, realloc and free; the memory may be used by host
 * code and, through kernel arguments or VS pointers, by kernels. NULL with ENOMEM when host memory
 * is exhausted; a warning on stderr names the limit. mesi_free of a pointer that no mesi_malloc
 * returned ends the program with a message. */
void *mesi_malloc(size_t bytes);
void *mesi_calloc(size_t count, size_t bytes);
void *mesi_realloc(void *old, size_t bytes);
void mesi_free(void *memory);

/* The device address of `host`, a pointer into a VS object, valid until the object is freed. The
 * device copy is brought up to date for `access` (MESI_READ, MESI_WRITE bits); with MESI_WRITE the
 * host copy is stale from then on. A pointer outside every VS object is returned as it is. */
void *mesi_device_ptr(const void *host, unsigned access);

/* The bytes at `host` are used by the system, a library or a device without a call that names them:
 * a buffer of setvbuf, of aio_read, of io_uring. The object is up to date on the host outside of
 * launches from now on, and never protected; each launch that uses it copies it there and back. */
void mesi_keep_on_host(const void *host);

/* ---- for emitted code
 * ----------------------------------------------------------------------------- */

enum { /* bits of mesi_var.flags */
       /* host code may use it where nothing is announced: protect its pages while stale */
       MESI_VAR_GUARDED = 1,
       MESI_VAR_EXTERN = 2, /* defined in another file: `host` identifies it, size may be 0 */
       MESI_VAR_CONST = 4,  /* const-qualified: never written after initialisation */
       MESI_VAR_FLOAT = 8,  /* an array of float, for MESI_DUMP */
       MESI_VAR_DOUBLE = 16 /* an array of double */
};

/* where an object holds pointers: at offsets[i] + k * stride, k >= 0, within its size */
struct mesi_pointer_map {
  size_t stride;         /* bytes of one element */
  size_t count;          /* number of offsets */
  const size_t *offsets; /* bytes */
};

struct mesi_var {
  const char *name; /* as in the source, qualified */
  void *host;       /* address of the host copy */
  size_t size;      /* bytes */
  /* the constant-memory pointer that kernels of this file use; NULL where none does */
  const void *symbol;
  unsigned flags;
  const struct mesi_pointer_map *pointers; /* NULL where the type holds none */
  const char *place;                       /* file:line of the declaration */
};

/* index into mesi_file.vars; access bits */
struct mesi_site_use {
  unsigned var;
  unsigned access;
};

struct mesi_site {    /* one launch in the source */
  const char *kernel; /* name */
  const char *place;  /* file:line */
  /* VS variables that the kernel names itself, not through an argument */
  const struct mesi_site_use *uses;
  unsigned use_count;
  /* 0, or: the kernel is defined in another file and may use every VS variable like this */
  unsigned all_access;
};

struct mesi_file {
  unsigned abi;     /* MESI_ABI */
  const char *name; /* source file */
  const struct mesi_var *vars;
  unsigned var_count;
  const struct mesi_site *sites;
  unsigned site_count;
};

/* Called once per file before main, by a constructor. Only records; nothing is allocated on a
 * device yet. The tables must stay valid until the program ends.
 *
 * A MESI_VAR_EXTERN entry is bound by its host address to the entry of the defining file. Where no
 * file defines it (a plain C file does), nothing can announce what that file does to it: it is
 * copied to the device before and back after each launch that uses it. The same holds for a guarded
 * variable whose storage does not start on a page. */
void mesi_register(const struct mesi_file *file);

/* The program copies to and from VS memory by work in its own streams (cudaMemcpyAsync). Announcing
 * such a copy tells when it is submitted, not when it happens: from this call on the runtime waits
 * for all work before it moves anything. */
void mesi_async_copies(void);

/* A launch: begin, the ranges of variables where they are known, then, in any order, the stream and
 * one mesi_launch_arg or mesi_launch_arg_range for each pointer argument; then the launch itself;
 * then end. All by one thread, without another launch in between. Another thread that touches an
 * object which this launch writes waits until the launch has been made. */
#ifndef __cplusplus /* there it is a class, which ends the launch where its arguments are left: \
                       mesi_emitted.h */
void mesi_launch_begin(const struct mesi_file *file, unsigned site);
#endif
void mesi_launch_begins(const struct mesi_file *file, unsigned site); /* the same */

/* The thread makes no launch any more. One that has not ended is over, and was never made: the
 * objects are as they were. It is called where an exception leaves the arguments of a launch; where
 * longjmp does, or the thread ends, the runtime sees it. */
void mesi_launch_left(void);

/* The bytes of the variable of site.uses[use] that the kernel may read and may write (none: begin
 * >= end), in place of the whole variable; several calls for one use add up. Behind an argument or
 * the stream it has no effect. */
void mesi_launch_use_range(unsigned use, size_t read_begin, size_t read_end, size_t write_begin,
                           size_t write_end, unsigned access);

/* A launch may go out in parts, each over a run of its blocks along one axis of the grid.
 * mesi_launch_in_parts, directly behind begin, says so: what the launch uses is then noted only.
 * When its stream and arguments are there, mesi_launch_parts is told how many blocks the grid has
 * along the axis and in all. 0: the launch is made as it is. Otherwise mesi_launch_next_part gives
 * the first block and the number of blocks of each part, to be launched in the launch's stream
 * before it is called again; 0: that was all. Blocks [first, last] of the axis use bytes [begin +
 * step * first, end + step * last) of what the launch uses, relative to the pointer or the
 * variable; step 0: not known, all of it. */
struct mesi_part {
  ptrdiff_t step, begin, end;
};
void mesi_launch_in_parts(void);
/* The same for one whose parts may be on several devices: they write bytes of their own, and use
 * nothing but VS objects. Before each part the thread's current device is made that of the part.
 * Its stream and its pointers to VS objects are those that these calls give for the launch's. */
void mesi_launch_on_devices(void);
/* The same where there are several devices. Where there is one this does nothing: the launch goes
 * out as a whole. */
void mesi_launch_on_several(void);
void *mesi_launch_part_stream(void *stream);
void *mesi_launch_part_pointer(const void *pointer);
/* Does another process make the launch that is about to be made? */
int mesi_launch_elsewhere(const unsigned grid[3], const unsigned block[3]);
/* An argument of a part that is no pointer: the same in all processes that make the launch. */
void mesi_launch_value(const void *value, size_t bytes);
unsigned mesi_launch_parts(unsigned blocks, unsigned long long total);
/* Each part but the last has a multiple of `unit` blocks; 0: the launch is one that goes out as a
 * whole. */
unsigned mesi_launch_parts_by(unsigned blocks, unsigned long long total, unsigned unit);
int mesi_launch_next_part(unsigned *ret_first, unsigned *ret_blocks);
void mesi_launch_use_parts(unsigned use, size_t read_begin, size_t read_end, size_t write_begin,
                           size_t write_end, unsigned access, struct mesi_part read,
                           struct mesi_part write);

/* The stream of the launch, a cudaStream_t (NULL: the legacy default stream). Every launch that
 * uses VS objects needs it. */
void mesi_launch_stream(void *stream);

/* The device address for a pointer into a VS object, any other pointer as it is. In the second,
 * bytes relative to the pointer that the kernel may read and may write, clipped to the object. */
void *mesi_launch_arg(const void *pointer, unsigned access);
void *mesi_launch_arg_range(const void *pointer, ptrdiff_t read_begin, ptrdiff_t read_end,
                            ptrdiff_t write_begin, ptrdiff_t write_end, unsigned access);
void *mesi_launch_arg_parts(const void *pointer, ptrdiff_t read_begin, ptrdiff_t read_end,
                            ptrdiff_t write_begin, ptrdiff_t write_end, unsigned access,
                            struct mesi_part read, struct mesi_part write);
void mesi_launch_end(void);
/* An address that is as aligned (up to 256 bytes) as the one that mesi_launch_arg gives for the
 * pointer; nothing is moved. */
void *mesi_launch_place(const void *pointer);
/* A launch by its values, as cudaLaunchKernel takes it; on the default stream. */
struct mesi_kernel_launch {
  const void *function; /* the kernel */
  unsigned grid[3], block[3];
  size_t shared;       /* dynamic shared memory of a block, bytes */
  void *const *args;   /* addresses of the arguments */
  const size_t *sizes; /* bytes of each */
  unsigned count;      /* of arguments */
};

/* Between begin and end, which nest, the calling thread's launches may be held back and submitted
 * together (as a CUDA graph, where they repeat with a period); the runtime submits them before
 * anything that could notice. In between the program makes no CUDA call of its own. */
void mesi_batch_begin(void);
void mesi_batch_end(void);
/* Between mesi_launch_begin and _end: 1 when the batch has taken the launch, 0: make it. The
 * arguments are copied. */
int mesi_batch_add(const struct mesi_kernel_launch *launch);

/* ---- launches that are put together ---- */

/* A launch of a kernel that hands arrays on: what one parameter leads to, another one leads to in
 * the next launch. */
enum { MESI_STEPS_MOST = 99, MESI_STEPS_BUFFERS = 8 };
#define MESI_STEPS_NAMED \
  ~0u /* a variable that the kernel names, in the place of a parameter's number */

struct mesi_steps_buffer {
  unsigned param; /* of the kernel */
  /* buffer of the launch before whose pointer it has; of named variables, itself */
  unsigned before;
  size_t bytes;                /* of an element */
  unsigned long long elements; /* of a named variable */
};

/* a kernel that does several launches of another one, or of two that take turns */
struct mesi_steps {
  unsigned depth; /* at most so many; odd */
  /* of the kernel of the first launch, with which the parameters of the other begin */
  unsigned params;
  unsigned axes;       /* of the arrays; along the others the launch has one thread */
  unsigned threads[3]; /* of a block */
  /* threads of the launch that a block does; of them each launch that moves takes a halo: */
  int tile[3];
  int halo[3];
  unsigned tiles; /* of a block, along x */
  int moves[2];   /* does the first launch, and every other one; does the second one? */
  const struct mesi_steps_buffer *buffers;
  unsigned buffer_count;
  /* parameters that may differ between the launches, scalars of up to 8 bytes; all others are
   * the same */
  const unsigned *values;
  unsigned value_count;
  /* of the second launch: itself, or that of the kernel that takes turns with this one */
  const struct mesi_steps *next;
};

/* Behind the kernel's parameters it has those of the kernel that takes turns with it, but for the
 * buffers. */
struct mesi_steps_run {          /* its parameter behind these */
  int depth;                     /* launches; odd */
  int margin;                    /* those of them that move */
  int total[MESI_STEPS_BUFFERS]; /* threads of each, by axis */
  /* elements of a buffer's object, from where its parameter points */
  long long first[MESI_STEPS_BUFFERS], end[MESI_STEPS_BUFFERS];
};

/* then one of these for each of `values`, and of those of the kernel that takes turns with it */
struct mesi_steps_values {
  unsigned long long value[MESI_STEPS_MOST + 1]; /* by launch, in its first bytes */
};

typedef int mesi_start(const struct mesi_kernel_launch *launch);
/* Between mesi_launch_begin and _end, in a batch: 1 when the launch is held back, to be put
 * together with those that follow; 0: make it. `totals`: threads of the launch by axis. `start` and
 * `start_steps` make a launch of the kernel and of the other. */
int mesi_steps_add(const struct mesi_steps *steps, const struct mesi_kernel_launch *launch,
                   mesi_start *start, const void *function, mesi_start *start_steps,
                   const unsigned long long totals[3]);
/* Makes what is held back like that, in front of a launch that no batch is told of. */
void mesi_steps_end(void);

/* Host code is about to use the object at `pointer` (any address in it); returns `pointer`. */
void *mesi_touch_object(const void *pointer, unsigned access);
/* The same for the bytes [pointer, pointer + bytes) of one object, clipped to it; 0: none. */
void *mesi_touch_range(const void *pointer, size_t bytes, unsigned access);
/* Host code is about to use the bytes [pointer + begin, pointer + end) of the object that the
 * pointer leads to, clipped to it; nothing where it leads to none. */
void mesi_touch_pointed(const void *pointer, ptrdiff_t begin, ptrdiff_t end, unsigned access);
/* Announced already, and about to go to a system call, which fails where a part of a page is
 * protected: under MESI_VERIFY as mesi_touch_object, otherwise nothing. */
void *mesi_touch_opened(const void *pointer, unsigned access);
/* Host code is about to hand `count` vectors (struct iovec) to the system, or messages (struct
 * msghdr, of `stride` bytes each) with their vectors, names and control data. count SIZE_MAX: their
 * number is not known; then as mesi_touch_all. */
void mesi_touch_vectors(const void *vectors, size_t count, unsigned access);
void mesi_touch_messages(const void *messages, size_t count, size_t stride, unsigned access);
/* Host code may be about to use any VS object (a library call that could reach one through memory).
 */
void mesi_touch_all(unsigned access);

/* mesi_malloc and so on for memory that holds pointers to VS memory; `pointers` (NULL: none) must
 * stay valid for as long as the memory does. mesi_realloc keeps the map. */
void *mesi_malloc_typed(size_t bytes, const struct mesi_pointer_map *pointers);
void *mesi_calloc_typed(size_t count, size_t bytes, const struct mesi_pointer_map *pointers);
void *mesi_realloc_typed(void *old, size_t bytes, const struct mesi_pointer_map *pointers);

enum { MESI_PLAN_ARRAYS = 3, MESI_PLAN_DIMS = 4, MESI_PLAN_VALUES = 32 };

/* an array that a launch may stage in shared memory, as the launch's arguments say */
struct mesi_plan_array {
  int condition;    /* 0: not at this launch */
  unsigned element; /* bytes */
  unsigned dims;
  /* elements of the copy, by dimension; the plan needs at least 1 of each */
  long long size[MESI_PLAN_DIMS];
  double accesses; /* of a thread */
  int only_beside; /* staged only where an array without this is */
  int segments;    /* its size is that of segments that fit */
  /* uses of an element that it needs, where that is more than the launch asks for */
  double reuse;
};

struct mesi_plan {                   /* the choice, passed to the kernel by value */
  unsigned staged;                   /* bit i: array i is staged */
  unsigned bytes;                    /* of dynamic shared memory */
  unsigned offset[MESI_PLAN_ARRAYS]; /* of the copies in it, bytes, multiples of 16 */
  int size[MESI_PLAN_ARRAYS][MESI_PLAN_DIMS];
  unsigned known; /* bit i: value[2 * i] and value[2 * i + 1] are known */
  long long value[MESI_PLAN_VALUES];
};

/* What a launch stages: the greedy choice of the explicit-cache paper (figure 5), arrays by
 * accesses per byte as long as they fit `capacity` bytes. Sets all but the values. An array whose
 * elements are used less than `reuse` times by the block's `threads` is left out. */
void mesi_plan_choose(const struct mesi_plan_array *arrays, unsigned count,
                      unsigned long long capacity, unsigned long long threads, double reuse,
                      struct mesi_plan *ret);

/* For traces and statistics: the next launch stages this. */
void mesi_plan_note(const struct mesi_plan *plan);

/* The least and the greatest element of an integer table in VS memory, of `element` bytes, between
 * `begin` and `end` bytes behind the pointer (cut at its object's ends; the second bound is below
 * the first where there are none). 0: not known. */
int mesi_plan_table(const void *table, ptrdiff_t begin, ptrdiff_t end, unsigned element,
                    int is_signed, long long ret_bounds[2]);
/* The same of the elements first, first + step, ... last behind the pointer. 0: also where the
 * object does not have all of them. */
int mesi_plan_strided(const void *table, long long first, long long last, long long step,
                      unsigned element, int is_signed, long long ret_bounds[2]);
/* Is each of these elements greater by one number than the one before? ret[0]: the first of them,
 * ret[1]: that number. 0: not known, or numbers of more than 30 bits. */
int mesi_plan_even(const void *table, long long first, long long last, long long step,
                   unsigned element, int is_signed, int ret[2]);
/* Elements in groups of `outer` times `inner` neighbours, the last ones that are fewer left out.
 * Bit 0: neighbours differ somewhere, bit 1: the same place of two neighbourhoods of a group does.
 * Below 0: not known, or there is no group. */
int mesi_plan_groups(const void *table, long long first, long long last, long long step,
                     unsigned element, int is_signed, unsigned inner, unsigned outer);
/* A number that stays the same for as long as these elements of a table in VS memory do; 0: they
 * may change unnoticed. */
unsigned long long mesi_plan_stamp(const void *table, long long first, long long last,
                                   unsigned element);
/* The elements of the object behind a pointer, relative to it: the first, and the first that is not
 * one. 0: not known. */
int mesi_plan_extent(const void *pointer, unsigned long long element, long long ret_bounds[2]);
/* Do the pointers lead to two different VS objects, or to two allocations of CUDA's? 0: not known.
 */
int mesi_plan_no_alias(const void *p, const void *q);

/* For the CPU backend: the calling thread starts (1) or stops (0) running kernel code. While it
 * does, a fault on the protected host copy of an object is an error of the kernel and reported as
 * one. */
void mesi_kernel_thread(int running);
/* The calling thread begins (1) or has made (0) a launch of the backend's: handlers of signals wait
 * meanwhile. */
void mesi_launching_thread(int running);

/* For a SIGSEGV handler that was installed after the runtime's: what to do first with the siginfo_t
 * and ucontext_t that it was given. 1: the fault was the first touch of a stale object, which is up
 * to date now; return from the handler. 0: not one of the runtime's. */
int mesi_handle_fault(const void *info, const void *context);

#ifdef __cplusplus
}
#endif
#endif
