/* SPDX-License-Identifier: MIT */
/* mesi.h - the runtime of mesicc: virtual shared (VS) objects and their transfers.
 *
 * A VS object has a host copy and a copy on each device. The runtime knows which bytes of which
 * copy are valid. It moves bytes only when stale ones are about to be used; an object that holds
 * pointers moves as a whole. The calls in the first half are for users; mesicc inserts those in the
 * second half.
 *
 * Order: a transfer to a device is submitted with the launch that needs it. The host goes on, and
 * the launch waits for the transfer in its stream. A transfer to the host waits for the launches
 * that wrote the object, in whatever stream, and for no other work. Launches stay in the order of
 * the program's streams. As in CUDA, the program orders a launch in one stream that writes bytes
 * and a launch in another that uses them.
 *
 * Threads: any thread may call any function. One thread makes the calls of a launch, which belongs
 * to it until mesi_launch_end. Different threads may launch, touch and allocate at the same time.
 * One thread at a time moves bytes. A host use of an object waits while another thread makes a
 * launch that writes it. Two threads that use the same bytes at once, from the host or through a
 * kernel, race as on any array where one of them writes: the program orders them. Bytes beside
 * those are never disturbed where each use is announced with its range or has a page of its own.
 *
 * Errors end the program: a message `mesi: error: ...` on stderr, then exit status 70.
 *
 * Environment:
 *   MESI_TRACE=1        each transfer, fault and launch on stderr with time, variable, bytes and
 *                       cause; totals at exit
 *   MESI_TRACE=F.json   the same as a Chrome trace (chrome://tracing, Perfetto), written at exit
 *   MESI_VERIFY=1       an unannounced host access ends the program with a message that names the
 *                       variable, the place and the missing announcement
 *   MESI_VERIFY_DROP=N  for tests of MESI_VERIFY: the N-th announcement that matters is ignored
 *   MESI_STATS=FILE     counts and times as `key value` lines, written at exit
 *   MESI_DUMP=FILE      final contents of all VS objects, written at exit (format: dump.h)
 *   MESI_POISON=1       bytes that are announced as overwritten are filled with 0xA5 first, so that
 *                       a wrong announcement shows
 *   MESI_BATCH=0|1      launches of a loop are submitted one by one, or as CUDA graphs (default: 1,
 *                       but 0 with MESI_TRACE or MESI_STATS, which time each launch)
 *   MESI_STEPS=N        at most N launches of a loop become one; 0: none do
 *   MESI_PARTS=N        launches that can go out in parts do so in N parts, whatever they move;
 *                       0: never (default: where many bytes have to move)
 *   MESI_CPU_MEMORY     capacity of the CPU backend's device memory in bytes, suffix K, M or G
 *                       (default 4G)
 * docs/environment.md describes all variables. A variable MESI_... that this project does not know
 * ends the program, and so does a value that is not a number where one is required (settings.def).
 */
#ifndef MESI_H
#define MESI_H

#include <stddef.h>

/* A header with VS declarations may also be included by files that a C or C++ compiler translates
 * alone, after this header:
 *
 *     #include <mesi.h>
 *     extern __global__ float field[64];   // there: extern float field[64];
 *
 * Uses of the variable in such a file are not announced: its pages are guarded. A variable that
 * such a file defines is no VS variable in it, and slow (see mesi_register). */
#if !defined(__global__) && !defined(__CUDACC__)
#define __global__
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define MESI_ABI 2u /* version of every structure in this file */

/* The uses of an object: bits. Objects that its pointers lead to are used with the same access.
 * MESI_READ | MESI_REACH_WRITE is for an object that is only read while the objects that it points
 * to are written (`p[i] = x` for a VS pointer p); it saves copies of the pointer itself. */
/* MESI_OVERWRITE, with MESI_WRITE, promises that every byte of the announced (write) range is
 * overwritten before it is read, so that stale contents need not be made valid. */
enum {
  MESI_READ = 1,
  MESI_WRITE = 2,
  MESI_READ_WRITE = 3,
  MESI_REACH_WRITE = 4,
  MESI_OVERWRITE = 8
};
/* Beside MESI_READ_WRITE, of a launch's argument or variable: the kernel only adds to it, numbers
 * of this type. Each of several devices may have a sum of its own. */
enum {
  MESI_SUM_INT = 16, /* of 4 bytes */
  MESI_SUM_LONG = 32,
  MESI_SUM_FLOAT = 64,
  MESI_SUM_DOUBLE = 128,
  MESI_SUM_ANY = 240
};
/* The type that a launch's pointer argument points to: bits beside the access. MESI_DUMP names the
 * elements of dynamic memory by it. */
enum { MESI_OF_FLOAT = 256, MESI_OF_DOUBLE = 512, MESI_OF_OTHER = 1024, MESI_OF_ANY = 1792 };

/* ---- for users ---- */

/* Dynamic VS memory, with the semantics of malloc, calloc, realloc and free. Host code may use the
 * memory, and so may kernels through their arguments or VS pointers. The caller owns it until
 * mesi_free. NULL with ENOMEM: host memory is exhausted, and a warning on stderr names the limit.
 * mesi_free of a pointer that no mesi_malloc returned ends the program with a message. */
void *mesi_malloc(size_t bytes);
void *mesi_calloc(size_t count, size_t bytes);
void *mesi_realloc(void *old, size_t bytes);
void mesi_free(void *memory);

/* The device address of `host`, a pointer into a VS object, valid until the object is freed. Makes
 * the device copy valid for `access` (MESI_READ, MESI_WRITE bits); with MESI_WRITE the host copy is
 * stale from then on. A pointer outside every VS object is returned unchanged. */
void *mesi_device_ptr(const void *host, unsigned access);

/* The system, a library or a device uses the bytes at `host` without a call that names them: a
 * buffer of setvbuf, of aio_read, of io_uring. From now on the host's copy of the object is valid
 * outside of launches and never protected; each launch that uses the object copies it to the device
 * and back. */
void mesi_keep_on_host(const void *host);

/* ---- for emitted code ---- */

enum { /* bits of mesi_var.flags */
       /* host code may use it without an announcement: protect its pages while they are stale */
       MESI_VAR_GUARDED = 1,
       MESI_VAR_EXTERN = 2, /* defined in another file: `host` identifies it, size may be 0 */
       MESI_VAR_CONST = 4,  /* const-qualified: never written after initialisation */
       MESI_VAR_FLOAT = 8,  /* an array of float, for MESI_DUMP */
       MESI_VAR_DOUBLE = 16 /* an array of double */
};

/* the places of an object's pointers: offsets[i] + k * stride, k >= 0, within its size */
struct mesi_pointer_map {
  size_t stride;         /* bytes of one element */
  size_t count;          /* number of offsets */
  const size_t *offsets; /* bytes */
};

struct mesi_var {
  const char *name; /* as in the source, qualified */
  void *host;       /* address of the host copy */
  size_t size;      /* bytes */
  /* the constant-memory pointer of this file's kernels; NULL: none uses the variable */
  const void *symbol;
  unsigned flags;
  const struct mesi_pointer_map *pointers; /* NULL: the type holds none */
  const char *place;                       /* file:line of the declaration */
};

/* a use of a variable: its index in mesi_file.vars, and access bits */
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
  /* not 0: the kernel is defined in another file and may use every VS variable with this access */
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

/* A constructor calls this once per file before main. The call only records the tables, and
 * allocates nothing on a device. The tables must stay valid until the program ends.
 *
 * A MESI_VAR_EXTERN entry is bound by its host address to the entry of the defining file. Where
 * only a plain C file defines the variable, nothing can announce that file's uses: the variable is
 * copied to the device before each launch that uses it, and back after it. The same holds for a
 * guarded variable whose storage does not start on a page. */
void mesi_register(const struct mesi_file *file);

/* The program copies to and from VS memory by work in its own streams (cudaMemcpyAsync). The
 * announcement of such a copy gives the time of its submission, not of the copy: from this call on
 * the runtime waits for all work before it moves any bytes. */
void mesi_async_copies(void);

/* A launch: begin, the ranges of variables where they are known, then, in any order, the stream and
 * one mesi_launch_arg or mesi_launch_arg_range for each pointer argument; then the launch itself;
 * then end. One thread makes all these calls, without another launch in between. Another thread
 * that touches an object which this launch writes waits until the launch has been made. Without a
 * launch under way these calls do nothing, and mesi_launch_arg is mesi_device_ptr. */
#ifndef __cplusplus /* there it is a class, which ends the launch where its arguments are left: \
                       mesi_emitted.h */
void mesi_launch_begin(const struct mesi_file *file, unsigned site);
#endif
void mesi_launch_begins(const struct mesi_file *file, unsigned site); /* the same */

/* The thread makes no launch any more. A launch that has not ended is over, and was never made: its
 * objects are unchanged. Called where an exception leaves the arguments of a launch. The runtime
 * itself notices a longjmp out of them, and the end of the thread. */
void mesi_launch_left(void);

/* The bytes of the variable of site.uses[use] that the kernel may read and may write (none: begin
 * >= end), in place of the whole variable. Several calls for one use add up. A call after an
 * argument or the stream has no effect. */
void mesi_launch_use_range(unsigned use, size_t read_begin, size_t read_end, size_t write_begin,
                           size_t write_end, unsigned access);

/* A launch may go out in parts, each over a run of its blocks along one axis of the grid.
 * mesi_launch_in_parts, directly after begin, says so: the launch's uses are then only noted. After
 * its stream and arguments mesi_launch_parts gets the number of blocks of the grid along the axis
 * and in all. It returns 0 where the launch is made as it is. Otherwise each mesi_launch_next_part
 * gives the first block and the number of blocks of a part, which the caller launches in the
 * launch's stream before the next call; it returns 0 after the last part. Blocks [first, last] of
 * the axis use the bytes [begin + step * first, end + step * last) of the launch's range, relative
 * to the pointer or the variable. step 0: the part's bytes are not known, and it uses the whole
 * range. */
struct mesi_part {
  ptrdiff_t step, begin, end;
};
void mesi_launch_in_parts(void);
/* As mesi_launch_in_parts, for a launch whose parts may be on several devices: each writes bytes of
 * its own, and they use only VS objects. Before each part its device becomes the thread's current
 * device. The part uses the stream and the pointers to VS objects that the next two calls return
 * for the launch's. */
void mesi_launch_on_devices(void);
/* As mesi_launch_on_devices where there are several devices. Does nothing where there is one: the
 * launch goes out as a whole. */
void mesi_launch_on_several(void);
void *mesi_launch_part_stream(void *stream);
void *mesi_launch_part_pointer(const void *pointer);
/* Does another process make the launch that is about to be made? */
int mesi_launch_elsewhere(const unsigned grid[3], const unsigned block[3]);
/* An argument of a part that is no pointer. It is the same in all processes that make the
 * launch. */
void mesi_launch_value(const void *value, size_t bytes);
unsigned mesi_launch_parts(unsigned blocks, unsigned long long total);
/* As mesi_launch_parts, where each part but the last has a multiple of `unit` blocks. unit 0: the
 * launch goes out as a whole. */
unsigned mesi_launch_parts_by(unsigned blocks, unsigned long long total, unsigned unit);
int mesi_launch_next_part(unsigned *ret_first, unsigned *ret_blocks);
void mesi_launch_use_parts(unsigned use, size_t read_begin, size_t read_end, size_t write_begin,
                           size_t write_end, unsigned access, struct mesi_part read,
                           struct mesi_part write);

/* The stream of the launch, a cudaStream_t (NULL: the legacy default stream). Every launch that
 * uses VS objects needs this call. */
void mesi_launch_stream(void *stream);

/* The device address for a pointer into a VS object; any other pointer unchanged.
 * mesi_launch_arg_range has the bytes, relative to the pointer, that the kernel may read and may
 * write, clipped to the object. */
void *mesi_launch_arg(const void *pointer, unsigned access);
void *mesi_launch_arg_range(const void *pointer, ptrdiff_t read_begin, ptrdiff_t read_end,
                            ptrdiff_t write_begin, ptrdiff_t write_end, unsigned access);
void *mesi_launch_arg_parts(const void *pointer, ptrdiff_t read_begin, ptrdiff_t read_end,
                            ptrdiff_t write_begin, ptrdiff_t write_end, unsigned access,
                            struct mesi_part read, struct mesi_part write);
void mesi_launch_end(void);
/* An address with the same alignment (up to 256 bytes) as the result of mesi_launch_arg for the
 * pointer. Moves no bytes. */
void *mesi_launch_place(const void *pointer);
/* The values of a launch, as cudaLaunchKernel takes them; on the default stream. */
struct mesi_kernel_launch {
  const void *function; /* the kernel */
  unsigned grid[3], block[3];
  size_t shared;       /* dynamic shared memory of a block, bytes */
  void *const *args;   /* addresses of the arguments */
  const size_t *sizes; /* bytes of each */
  unsigned count;      /* number of arguments */
};

/* Between begin and end, which nest, the calling thread's launches may be held back and submitted
 * together (as a CUDA graph, where they repeat with a period). The runtime submits them before
 * anything that could notice. In between the program makes no CUDA call of its own. */
void mesi_batch_begin(void);
void mesi_batch_end(void);
/* Between mesi_launch_begin and _end: 1: the batch has taken the launch; 0: the caller makes it.
 * The arguments are copied. */
int mesi_batch_add(const struct mesi_kernel_launch *launch);

/* ---- launches that become one ---- */

/* A launch of a kernel that hands arrays on: in the next launch another parameter has the pointer
 * of this one's. */
enum { MESI_STEPS_MOST = 99, MESI_STEPS_BUFFERS = 8 };
#define MESI_STEPS_NAMED \
  ~0u /* a variable that the kernel names, in the place of a parameter's number */

struct mesi_steps_buffer {
  unsigned param; /* of the kernel */
  /* the buffer of the launch before that has the same pointer; of a named variable, itself */
  unsigned before;
  size_t bytes;                /* of an element */
  unsigned long long elements; /* of a named variable */
};

/* a kernel that does several launches of another one, or of two that take turns */
struct mesi_steps {
  unsigned depth; /* at most so many; odd */
  /* parameters of the first launch's kernel; those of the other kernel follow them */
  unsigned params;
  unsigned axes; /* dimensions of the arrays; along the other axes the launch has one thread */
  unsigned threads[3]; /* of a block */
  /* threads of a launch that a block does; each launch that moves takes a halo of them: */
  int tile[3];
  int halo[3];
  unsigned tiles; /* of a block, along x */
  int moves[2];   /* does the first launch (and every other one) move; does the second? */
  const struct mesi_steps_buffer *buffers;
  unsigned buffer_count;
  /* parameters that may differ between the launches, scalars of up to 8 bytes; the others are
   * equal */
  const unsigned *values;
  unsigned value_count;
  /* the steps of the second launch: these, or those of the kernel that takes turns with this one */
  const struct mesi_steps *next;
};

/* The kernel of the steps has the parameters of the kernel, then those of the kernel that takes
 * turns with it except for the buffers, then this one. */
struct mesi_steps_run {
  int depth;                     /* launches; odd */
  int margin;                    /* the launches among them that move */
  int total[MESI_STEPS_BUFFERS]; /* threads of each, by axis */
  /* elements of a buffer's object, relative to its parameter */
  long long first[MESI_STEPS_BUFFERS], end[MESI_STEPS_BUFFERS];
};

/* the parameters after that: one of these for each of `values`, of both kernels */
struct mesi_steps_values {
  unsigned long long value[MESI_STEPS_MOST + 1]; /* by launch, in its first bytes */
};

typedef int mesi_start(const struct mesi_kernel_launch *launch);
/* Between mesi_launch_begin and _end, in a batch. 1: the launch is held back, and becomes one with
 * those that follow. 0: the caller makes it. `totals`: threads of the launch by axis. `start` and
 * `start_steps` make a launch of the kernel and of the kernel of the steps. The arguments are
 * copied; `steps` and its tables must stay valid until the program ends. */
int mesi_steps_add(const struct mesi_steps *steps, const struct mesi_kernel_launch *launch,
                   mesi_start *start, const void *function, mesi_start *start_steps,
                   const unsigned long long totals[3]);
/* Makes the launches held back like that, before a launch outside of any batch. */
void mesi_steps_end(void);

/* Host code is about to use the object at `pointer` (any address in it); returns `pointer`. */
void *mesi_touch_object(const void *pointer, unsigned access);
/* The same for the bytes [pointer, pointer + bytes) of one object, clipped to it; none for 0
 * bytes. */
void *mesi_touch_range(const void *pointer, size_t bytes, unsigned access);
/* Host code is about to use the bytes [pointer + begin, pointer + end) of the object that the
 * pointer leads to, clipped to it. Does nothing where there is no object. */
void mesi_touch_pointed(const void *pointer, ptrdiff_t begin, ptrdiff_t end, unsigned access);
/* The use is announced already, and the object goes to a system call, which fails where a page is
 * protected. Under MESI_VERIFY as mesi_touch_object; otherwise does nothing. */
void *mesi_touch_opened(const void *pointer, unsigned access);
/* Host code is about to hand `count` vectors (struct iovec) to the system, or messages (struct
 * msghdr, of `stride` bytes each) with their vectors, names and control data. count SIZE_MAX: the
 * number is not known, and the call is mesi_touch_all. */
void mesi_touch_vectors(const void *vectors, size_t count, unsigned access);
void mesi_touch_messages(const void *messages, size_t count, size_t stride, unsigned access);
/* Host code may be about to use any VS object (a library call that could reach one through memory).
 */
void mesi_touch_all(unsigned access);

/* mesi_malloc and so on for memory that holds pointers to VS memory. `pointers` (NULL: none) stays
 * the caller's, and must stay valid as long as the memory. mesi_realloc keeps the map. */
void *mesi_malloc_typed(size_t bytes, const struct mesi_pointer_map *pointers);
void *mesi_calloc_typed(size_t count, size_t bytes, const struct mesi_pointer_map *pointers);
void *mesi_realloc_typed(void *old, size_t bytes, const struct mesi_pointer_map *pointers);

enum { MESI_PLAN_ARRAYS = 3, MESI_PLAN_DIMS = 4, MESI_PLAN_VALUES = 32 };

/* an array that a launch may stage in shared memory, with values from the launch's arguments */
struct mesi_plan_array {
  int condition;    /* 0: this launch does not stage it */
  unsigned element; /* bytes */
  unsigned dims;
  /* elements of the copy, by dimension; the plan needs at least 1 of each */
  long long size[MESI_PLAN_DIMS];
  double accesses; /* of a thread */
  int only_beside; /* staged only beside an array without this flag */
  int segments;    /* the size is that of the segments that fit */
  /* uses of an element that make staging pay, where more than the launch's `reuse` */
  double reuse;
  int odd_rows; /* rows of the last dimension begin an odd number of elements apart */
};

struct mesi_plan {                   /* the choice, passed to the kernel by value */
  unsigned staged;                   /* bit i: array i is staged */
  unsigned bytes;                    /* of dynamic shared memory */
  unsigned offset[MESI_PLAN_ARRAYS]; /* of the copies, bytes, multiples of 16 */
  int size[MESI_PLAN_ARRAYS][MESI_PLAN_DIMS];
  unsigned known; /* bit i: value[2 * i] and value[2 * i + 1] are known */
  long long value[MESI_PLAN_VALUES];
};

/* Chooses the arrays that a launch stages: the greedy choice of the explicit-cache paper (figure
 * 5), by accesses per byte as long as they fit `capacity` bytes. Sets all but the values. Leaves
 * out an array whose elements the block's `threads` use less than `reuse` times. */
void mesi_plan_choose(const struct mesi_plan_array *arrays, unsigned count,
                      unsigned long long capacity, unsigned long long threads, double reuse,
                      struct mesi_plan *ret);

/* For traces and statistics: the next launch stages by this plan. */
void mesi_plan_note(const struct mesi_plan *plan);

/* The least and the greatest element of an integer table in VS memory, of `element` bytes, between
 * `begin` and `end` bytes behind the pointer, clipped to its object. The second bound is below the
 * first where there are no elements. 0: not known. */
int mesi_plan_table(const void *table, ptrdiff_t begin, ptrdiff_t end, unsigned element,
                    int is_signed, long long ret_bounds[2]);
/* The same for the elements first, first + step, ... last behind the pointer. 0: also where the
 * object lacks some of them. */
int mesi_plan_strided(const void *table, long long first, long long last, long long step,
                      unsigned element, int is_signed, long long ret_bounds[2]);
/* Is the difference between neighbours of these elements constant? ret[0]: the first element,
 * ret[1]: the difference. 0: not known, or numbers of more than 30 bits. */
int mesi_plan_even(const void *table, long long first, long long last, long long step,
                   unsigned element, int is_signed, int ret[2]);
/* Compares elements in groups of `outer` times `inner` neighbours; an incomplete group at the end
 * is left out. Bit 0: neighbours differ somewhere; bit 1: equal places of two neighbourhoods of a
 * group do. Below 0: not known, or there is no group. */
int mesi_plan_groups(const void *table, long long first, long long last, long long step,
                     unsigned element, int is_signed, unsigned inner, unsigned outer);
/* How many of these elements differ from the one before; the first one counts. Below 0: not known.
 */
long long mesi_plan_changes(const void *table, long long first, long long last, long long step,
                            unsigned element);
struct mesi_plan_row { /* rows of a copy that lanes of a warp are apart */
  long long low, high; /* of the elements */
  unsigned elements;   /* of a row; 0: there are none */
  /* of the banks by an access of a warp, where rows follow each other and where each begins an
   * element later: means */
  double requests, padded;
};
/* The rows of a copy of elements of `size` bytes at places that differ by these elements between
 * threads, in order. 0: not known, or there are no rows. */
int mesi_plan_rows_of(const void *table, long long first, long long last, long long step,
                      unsigned element, int is_signed, unsigned size, struct mesi_plan_row *ret);
/* A number that stays the same as long as these elements of a table in VS memory do. 0: they may
 * change unnoticed. */
unsigned long long mesi_plan_stamp(const void *table, long long first, long long last,
                                   unsigned element);
/* The range of the elements of the object behind a pointer, relative to it: the first, and the end.
 * 0: not known. */
int mesi_plan_extent(const void *pointer, unsigned long long element, long long ret_bounds[2]);
/* Do the pointers lead to two different VS objects, or to two allocations of CUDA's? 0: not
 * known. */
int mesi_plan_no_alias(const void *p, const void *q);

/* For the CPU backend: the calling thread starts (1) or stops (0) running kernel code. In between,
 * a fault on the protected host copy of an object is an error of the kernel and reported as one. */
void mesi_kernel_thread(int running);
/* For the CPU backend: the calling thread begins a launch (1) or has made it (0). Signal handlers
 * wait meanwhile. */
void mesi_launching_thread(int running);

/* For a SIGSEGV handler that was installed after the runtime's: it first calls this with its
 * siginfo_t and ucontext_t. 1: the fault was the first touch of a stale object, which is valid now;
 * return from the handler. 0: the fault is none of the runtime's. */
int mesi_handle_fault(const void *info, const void *context);

#ifdef __cplusplus
}
#endif
#endif
