/* plan.h - what the analysis decides and codegen carries out. The only header of analysis that codegen includes. */
#ifndef MESI_ANALYSIS_PLAN_H
#define MESI_ANALYSIS_PLAN_H

#include "translator/base/diag.h"
#include "translator/ir/unit.h"

enum plan_level { PLAN_O0, PLAN_O1, PLAN_O2, PLAN_O3 };

enum { TUNED_FOR = 90 };     /* where no architecture is given */

enum plan_mapping { MAPPING_AUTO, MAPPING_NEVER, MAPPING_ALWAYS, MAPPING_UNTILED, MAPPING_BLOCK, MAPPING_TEAM };

struct mapping_shape {       /* along x and y */
  unsigned block[2];         /* elements of a block */
  unsigned threads[2];       /* 0: the table's shape with these elements */
  unsigned tile;             /* iterations; 0: 16 */
  unsigned arrival;          /* of tiles: tile_next_buffering() of one less; 0: as the model has it */
  bool products;             /* on tensor cores */
};

struct team_shape {          /* of threads that share a loop */
  unsigned elements, threads; /* of a block; of each element */
};

bool mapping_shape_parse(const char *text, struct mapping_shape *ret); /* WxH, WxH/UxV, WxH/UxV/K or WxH/UxV/K/N, /mma behind K or N */

enum plan_staging { STAGING_AUTO, STAGING_NEVER, STAGING_ALWAYS }; /* for whole kernels: ALWAYS is what fits, as at -O1 */

struct tuned_plan {          /* what was measured to be the best plan, for launches of one shape (tuned.h) */
  const char *kernel;        /* qualified name */
  const char *shape;         /* as explain_shape has it */
  const char *code;          /* as tuned_code_of has it; its plan is for no other */
  enum plan_level level;     /* that it was planned at: lower ones do not take it */
  unsigned arch;             /* of the GPU that it was measured on; 0: the CPU backend */
  bool tried;                /* to see whether it comes out: no warning where it does not */
  const char *key;           /* of the plan */
};

enum plan_products { PRODUCTS_AUTO, PRODUCTS_NEVER, PRODUCTS_ALWAYS };

enum plan_split { SPLIT_AUTO, SPLIT_NEVER, SPLIT_ALWAYS };

enum plan_parts { PARTS_AUTO, PARTS_NEVER, PARTS_ALWAYS };

enum plan_temporal { TEMPORAL_AUTO, TEMPORAL_NEVER, TEMPORAL_ALWAYS };

struct temporal_wish {
  unsigned depth;            /* at most so many launches become one; 0: as the model says */
  unsigned tile[3], threads[3]; /* elements and threads of a block; 0: likewise */
  bool warps;                /* elements are in registers, a warp is as wide as a tile */
  unsigned resident;         /* blocks of a multiprocessor that the registers have to suffice for; 0: no wish */
};

struct plan_options {
  enum plan_level level;
  bool associative;         /* sums of floats may be taken in another order */
  enum plan_products products; /* on tensor cores, where sums may; ALWAYS: also where those of the target are no faster */
  bool fast_math;           /* the emitted text is for a compiler that takes approximate functions: divisions and square roots of float are short */
  enum plan_parts parts;    /* of launches that may move much; ALWAYS: also where they are small */
  enum plan_temporal temporal; /* launches of a loop become one; ALWAYS: also where that is not predicted to gain */
  struct temporal_wish temporal_wish; /* ALWAYS */
  uint64_t shared_memory;   /* bytes of shared memory a block may use: C of the paper; default 48 KB */
  enum plan_mapping mapping; /* of shape-free kernels to threads: ALWAYS, UNTILED and BLOCK without the gate */
  struct mapping_shape mapping_shape; /* MAPPING_BLOCK */
  enum plan_split split;    /* of sums over blocks: ALWAYS wherever that is right */
  unsigned split_count;     /* ALWAYS: so many blocks; 0: as the launch predicts */
  struct team_shape team;   /* MAPPING_TEAM */
  enum plan_staging staging;
  const struct tuned_plan *tuned; /* for some kernels */
  unsigned tuned_count;
  unsigned arch;            /* 70 ... 121: its limit of shared memory a block holds too */
  unsigned tuned_for;       /* the architecture whose time is predicted */
  bool target_cpu;
  bool whole_program;       /* no other file uses the variables that this one defines */
  bool hook_launches;       /* announce every launch to the runtime, also where no VS variable is involved */
  struct text *dump_access, *dump_range, *dump_plan; /* NULL: not wanted */
  bool checked;             /* accesses are checked: what threads compute for others must have an address all the same */
  bool explain;             /* plan->explanation is wanted */
  bool verify_emitted;       /* the code that plans have made is checked (emitted.h): plan->emitted */
};

struct stage_dim {
  int64_t size;            /* elements staged in this dimension; -1: `length` of them */
  struct ir_expr *offset;  /* first element: of block indices, kernel scalars and constants only */
  int64_t extent;          /* declared elements of the array in this dimension; -1 unknown */
  struct ir_expr *length;  /* size -1: over kernel parameters, blockDim and gridDim; host arithmetic, may be negative */
};

struct stage_access {      /* one occurrence of the array in the kernel */
  const struct ir_expr *expr; /* the INDEX (or DEREF, or LOAD call) expression that is replaced */
  struct ir_expr **index;  /* per dimension: position in the staged copy, 0 <= index < size */
};

struct byte_range {        /* over kernel parameters, blockDim and gridDim as the launch gives them; host arithmetic */
  struct ir_expr *begin, *end; /* bytes relative to the pointer or the variable's start; NULL: empty */
};

struct apart {             /* bytes behind two pointer parameters that must not overlap for a stage */
  unsigned param, other;
  bool objects;            /* they have to lead to different objects */
  struct byte_range bytes, other_bytes; /* otherwise; neither is empty */
};

/* Values of IR_VAR_LAUNCH variables that are no position: of the segments of a copy, and bounds of table i in one of them. */
enum launch_name { SEGMENT_SHIFT = -1, SEGMENT_ELEMENTS = -2, SEGMENT_SHARE = -3, TABLE_LOW = -16 /* - 2 * i */, TABLE_HIGH = -17 /* - 2 * i */ };

struct table_part {        /* elements of a table that belong to one segment */
  unsigned param;
  const struct ir_type *element;
  struct ir_expr *first, *last, *step; /* host arithmetic, over `segment` too */
  bool wraps;              /* it holds only where first ... last are numbers of 32 bits */
  struct ir_var *low, *high; /* stand for the least and the greatest of them */
  struct ir_var *counts;   /* iterator of the loop that goes through them: iteration i, counted from 0, reads first + i * step. NULL: none */
  const struct ir_stmt *loop; /* that loop */
  struct ir_expr *kept;    /* device arithmetic over `segment`: which of them a thread reads, all the time; NULL: several */
  bool of_segment;         /* they differ between segments */
  const struct ir_expr **reads; /* where the kernel reads them, each of type int when its value is used */
  unsigned read_count;
};

struct refresh {           /* the copy has segments, each with a base; what a loop changes is fetched anew in it */
  const struct ir_stmt *loop; /* at the head of its body; NULL: at the head of the kernel, once */
  struct ir_var *iterator; /* of the loop */
  struct ir_expr *from;    /* its first value */
  int64_t step;
  struct ir_var *segment;  /* stands for a segment's number; NULL: there is one segment */
  struct ir_expr *segments; /* how many; host arithmetic */
  struct ir_var *count;    /* the parameter that is their number; NULL: it is none */
  struct ir_expr *base;    /* element that a segment's positions count from; device arithmetic, over `segment` */
  struct ir_expr *changing; /* the part of it that the loop changes; NULL: none */
  struct ir_expr *low, *high; /* of the positions of a segment: host arithmetic, over `segment` and the tables' bounds */
  struct table_part *tables;
  unsigned table_count;
  const struct table_part *even; /* of them: where its elements are even, the kernel need not read it, and those that a thread reads all the
                                    time it reads once; NULL: none */
  const struct table_part *grouped; /* a table that the part of the base which the loop changes is made of, element by element with its
                                       iterator: launches find iterations with equal bases by it; NULL: none */
  struct ir_expr *elements; /* of all segments */
  struct ir_expr *begin, *end; /* elements of the object; device arithmetic */
  struct ir_expr *accesses; /* of a thread between two refreshes; double, host arithmetic */
};

struct stage {             /* one array staged in shared memory for the whole kernel */
  struct ir_var *array;    /* kernel parameter or VS variable */
  const struct ir_type *element;
  struct stage_dim *dims;  /* outermost first */
  unsigned dim_count;
  /* Element (g0, g1, ...) in global coordinates is array[g0][g1]..., or array[sum of g_d * strides[d]] when flat. */
  bool is_flat;
  struct ir_expr **strides; /* is_flat: per dimension, elements */
  bool wide;               /* is_flat: the kernel computes the index in more than int, and so must copies */
  struct ir_var **element_vars; /* per dimension: stands for the global coordinate in the guards below */
  bool load, store;        /* copied in at the head, written back at the tail */
  struct ir_expr *load_guard;  /* condition under which an element may be read; NULL: always */
  struct ir_expr *store_guard; /* condition under which this block wrote the element; NULL: always */
  struct stage_access *accesses;
  unsigned access_count;
  uint64_t bytes;          /* of the staged copy; 0: a dimension has no constant size */
  double count;            /* accesses a thread, by the published rule */
  struct apart *apart;     /* of a kernel_choice: conditions of the stage */
  unsigned apart_count;
  unsigned values;         /* of a kernel_choice: bits of the launch's values that it needs */
  struct refresh *refresh; /* of a kernel_choice: the one dimension holds segments; NULL: it is the box */
  unsigned slot;           /* of a kernel_choice: its number in the launch's plan */
  bool only_beside;        /* of a kernel_choice: staged only beside another that is staged for itself */
  struct ir_expr *accesses_at_launch; /* of a kernel_choice: `count`, with the trips that the launch's arguments give; double, host arithmetic */
};

struct launch_value {      /* a pair of numbers that a launch finds out */
  bool is_extent;          /* of the object behind the parameter: its first element, and the first that is not one; else the least
                              and the greatest element of the table there */
  unsigned param;
  struct ir_var *array;    /* the parameter */
  const struct ir_type *element;
  struct byte_range bytes; /* of the table, that the kernel reads; begin NULL: all of the object */
};

struct kernel_choice {     /* what is staged is decided at the launch: any of the variant's stages */
  uint64_t capacity;       /* bytes of dynamic shared memory */
  double reuse;            /* uses of an element in a block that a stage needs */
  double segment_reuse;    /* the same for segments, between two refreshes */
  struct launch_value *values;
  unsigned value_count;
  bool has_segments;       /* of one of the stages */
  const struct jammed *jammed; /* a code more, for launches that stage nothing; NULL: none */
};

struct jammed {            /* a loop of the kernel goes by `count` iterations, which load segments' elements in common where their bases are equal */
  struct ir_function *code;
  struct ir_var *iterator; /* of the loop */
  unsigned count, inner;   /* groups of `inner` neighbours */
  unsigned cache;          /* bytes of segments that a block may use at once, for each of its threads */
  struct ir_var *differs[2]; /* numbers with a bit for each segment: its base differs between neighbours (0), between groups (1) */
  struct apart *apart;     /* conditions of a launch */
  unsigned apart_count;
};

enum { MOST_VERSIONS = 12 };

struct block_time {        /* of blocks of a version, for the launch's prediction (mesi_split.h) */
  int64_t block[2];        /* elements */
  unsigned resident;       /* blocks of a multiprocessor */
  double alone, busy;      /* cycles of an iteration: of a block that is alone on its multiprocessor, of each of many */
};

enum { MOST_OTHERS = 4 };

struct split {             /* blocks of a version that are along z share the sums of their elements; the launch says how many they are */
  struct ir_expr *iterations; /* of the loop; host arithmetic over the kernel's parameters, long long */
  struct ir_expr *elements; /* of a launch of one dimension that do anything, likewise; NULL: all */
  int64_t unit;            /* iterations of a block are a multiple of it */
  uint64_t bytes;          /* of a block's parts */
  bool tree;               /* some meet at a time; else all at once */
  struct block_time own, others[MOST_OTHERS]; /* `others`: of kernels without, which the launch could take */
  unsigned other_count;
  unsigned fixed;          /* how many; 0: as the launch predicts */
};

struct mapped_version {    /* one code of a shape-free kernel in a new shape; axis 0 x, 1 y */
  struct ir_function *code;
  int64_t block[2];        /* elements (threads of the kernel as written) of a block */
  int64_t threads[2];      /* of a block */
  bool exact;              /* for launches whose blocks are whole and that fulfil the mapping's condition */
  bool products;           /* products of doubles on tensor cores */
  int64_t least;           /* elements of a launch from which it is preferred to those before it; 0: any number */
  uint64_t shared_bytes;
  unsigned registers;      /* estimate */
  unsigned held;           /* ... of them for the next tile */
  unsigned resident;       /* blocks of a multiprocessor that the registers have to suffice for; 0: no wish */
  bool team;               /* threads share a loop: it comes behind the others */
  struct ir_expr *when;    /* over the kernel's parameters: the launches that it is for; NULL: all */
  int64_t most;            /* elements of a launch, below which it is; 0: any number */
  const char *suffix;      /* of its name; NULL: as its place says */
  const char *note;        /* what it does, for a comment; NULL: its shape */
  const struct split *split; /* NULL: no blocks share sums */
  int64_t most_blocks;     /* of a launch: they take turns at its elements; 0: as many as it takes */
  int64_t slabs;           /* blocks along z for one of the launch; 0: one */
};

struct kernel_mapping {    /* of a shape-free kernel's work to threads */
  struct mapped_version versions[MOST_VERSIONS]; /* the first is right for every launch that is not too small, or for all there are */
  unsigned version_count;
  int64_t grid[3];         /* blocks of the only version; -1: not constant */
  bool has_total[2];       /* the code has a parameter for the axis's number of elements */
  struct ir_var *totals[2];
  const struct ir_var *split; /* parameter behind these: where the parts of sums are that blocks share; NULL: no version has such */
  struct ir_function *plain; /* the code for fewer elements than `least`, in the launch's own shape; NULL: every launch is mapped */
  int64_t least;
  int64_t most;            /* elements of a launch from which `plain` is better than all but teams; 0: none */
  struct ir_expr *condition; /* of the exact versions, over the kernel's parameters and totals; NULL: always */
  double gain;             /* predicted, of the first version */
};

struct kernel_variant {    /* a kernel with staged arrays, promoted elements, or both */
  struct ir_function *kernel;
  struct ir_function *code; /* whose body is printed: the kernel, or a changed copy of it with the same parameters */
  unsigned number;         /* from 1, within its kernel */
  struct kernel_mapping *mapping; /* NULL: as the launch says */
  struct kernel_choice *choice;   /* NULL: every launch stages all of `stages` */
  unsigned promoted;       /* array elements that `code` keeps in registers */
  struct apart *apart;     /* conditions of a launch without which the kernel as written goes out */
  unsigned apart_count;
  const char *chunk_note;  /* ranges whose elements go through shared memory chunk by chunk, for a comment; NULL: none */
  const char *jam_note;    /* iterations of a loop that run at once, for a comment; NULL: none, or some launches only */
  const char *private_note; /* counters that each block keeps for itself, for a comment; NULL: none, or `mapping` has it */
  int64_t block[3];        /* threads: constant at every launch that uses this variant; -1 where nothing is staged */
  struct stage *stages;
  unsigned stage_count;
  uint64_t bytes;          /* shared memory added by the stages, each at a multiple of 16 bytes */
  bool dynamic;            /* more than 48 KB with the user's own: staged in dynamic shared memory, opted into */
};

struct part_range {        /* of the blocks first ... last along an axis: rest.begin + step * first ... rest.end + step * last */
  struct ir_expr *step;    /* bytes; NULL: not known, any block may use all of it */
  struct byte_range rest;
};

struct use_range {         /* what one launch does to the object of an argument or to a VS variable */
  struct byte_range read, write;
  struct part_range read_part, write_part; /* along the axis of the launch's parts */
  bool whole;              /* the call for the whole object says the same, but for the parts */
  struct ir_expr *overwrites; /* condition under which all of `write` is written and none of it read; NULL: never */
  unsigned *apart;         /* parameters whose read ranges `write` must not overlap for that */
  unsigned apart_count;
};

struct arg_plan {
  bool is_pointer;         /* mesi_arg */
  const struct use_range *range; /* is_pointer; NULL: the whole object */
  bool is_record;          /* a struct by value with pointers in it: mesi_arg_record */
  bool is_unknown;         /* of a type that is not known here (in a template): mesi_arg_any */
  unsigned access;         /* 1 read, 2 write, as mesi.h */
};

struct kernel_parts {      /* a kernel that is launched for runs of its blocks */
  struct ir_function *kernel;
  struct ir_function *code; /* whose body is printed */
  unsigned axis;           /* of blockIdx: 0 x */
  unsigned number;         /* from 1, within its kernel */
};

struct steps_slot {        /* an array that launches hand on to one another */
  unsigned param;          /* of the kernel; UINT32_MAX: a VS variable */
  unsigned before;         /* slot of the launch before whose pointer this parameter has */
  uint64_t bytes;          /* of an element */
  uint64_t elements;       /* of a VS variable */
};

struct steps_value {       /* a scalar that may differ between launches */
  unsigned param;
  const struct ir_var *list; /* parameter of the code with its values */
};

struct kernel_steps {      /* does in one launch what several launches do that follow one another, of one kernel or of two that take turns */
  struct ir_function *kernel, *other; /* of the first launch and the second one */
  const struct kernel_steps *next; /* for runs that begin with the second one */
  struct ir_function *code; /* whose body is printed */
  unsigned number;         /* from 1, within its kernel */
  const struct ir_var **others; /* its parameters behind the kernel's, for those of the other that are no slots; none where both are one */
  unsigned other_count;
  const struct ir_var *run; /* its parameter behind that: mesi_steps_run */
  struct steps_value *values[2]; /* of each kernel; each with a parameter behind that: mesi_steps_values */
  unsigned value_count[2];
  struct steps_slot *slots;
  unsigned slot_count;
  unsigned depth;          /* most launches in one; odd */
  unsigned axes;           /* of the arrays */
  int64_t tile[3], threads[3]; /* points of a block, with those that other blocks compute as well, and its threads */
  unsigned tiles;          /* of a block, along x */
  unsigned resident;       /* blocks of a multiprocessor that the registers have to suffice for; 0: no wish */
  int64_t lost[3];         /* points by which those of a launch that moves are fewer than those that it reads */
  bool moves[2];           /* does a launch of each read more than its own points? */
  uint64_t bytes;          /* of shared memory */
  double gain;             /* predicted */
};

struct launch_plan {       /* by launch id */
  bool hooked;             /* mesi_launch_begin and _end around it */
  bool batched;            /* a batch of the host may hold it back */
  struct kernel_variant *variant; /* NULL: the original kernel */
  const struct kernel_parts *parts; /* the launch may go out in parts; NULL: it may not, and part ranges mean nothing */
  const struct kernel_steps *steps; /* a batch may put it together with those before and behind it; NULL: it may not */
  struct arg_plan *args;   /* by argument */
  struct vs_var **uses;    /* VS variables that the kernel, or a function it calls, names itself */
  unsigned *use_access;
  const struct use_range **use_ranges; /* NULL: the whole variable */
  unsigned use_count;
  bool repeatable;         /* its arguments may be evaluated twice */
  bool uses_all;           /* the kernel is defined elsewhere: it may use any VS variable of the program */
};

struct vs_plan {           /* by VS variable id */
  bool guarded;
  const char *guard_reason; /* NULL when not guarded */
};

enum host_edit_kind { /* the first ones wrap an argument */
  HOST_TOUCH_ARG, HOST_OPEN_ARG,
  HOST_KEEP_ARG,            /* the library remembers the memory, or that of the control block, and uses it when it likes */
  HOST_KEEP_CONTROL_ARG,
  HOST_TOUCH_VECTORS_ARG,   /* the memory that the vectors, or the messages, lead to */
  HOST_TOUCH_MESSAGES_ARG,
  HOST_TOUCH_ALL_ARG,       /* all memory */
  HOST_ARG_COUNT,
  HOST_USE_BEFORE = HOST_ARG_COUNT, HOST_USE_POINTED, HOST_TOUCH_ALL_BEFORE, HOST_BATCH /* around the statement */ };

struct host_edit {         /* an announcement in host code, or a batch */
  enum host_edit_kind kind;
  struct ir_place place;   /* TOUCH_ARG: the argument; others: the statement it goes in front of */
  bool needs_braces;       /* others: the statement is the whole body of an if, else or loop */
  struct vs_var *vs;       /* USE_BEFORE */
  struct ir_var *pointer;  /* USE_POINTED: into the object */
  struct ir_expr *begin, *end; /* USE_BEFORE: bytes of it; NULL: all. USE_POINTED: bytes from where the pointer points */
  unsigned access;         /* 8: overwritten, as mesi.h */
  const char *count;       /* TOUCH_VECTORS, TOUCH_MESSAGES: an expression for their number; NULL: unknown */
  unsigned order;          /* of decision */
  bool steps;              /* BATCH: some of its launches may be put together */
};

struct plan {
  struct arena *arena;     /* the unit's */
  LIST_OF(struct kernel_variant *) variants;
  LIST_OF(struct kernel_parts *) parts;
  LIST_OF(struct kernel_steps *) steps;
  struct launch_plan *launches; /* by launch id */
  struct vs_plan *vs;           /* by VS variable id */
  bool hooked;             /* the runtime is told of launches */
  LIST_OF(struct host_edit) host_edits;
  struct explanation *explanation; /* explain.h; NULL: not wanted */
  struct emitted_report *emitted; /* emitted.h; NULL: not wanted */
};

/* Decides everything for `unit`. Remarks go to `diag`. Returns NULL after reporting an error. */
struct plan *plan_unit(struct unit *unit, const struct plan_options *options, struct diag *diag);

#endif
