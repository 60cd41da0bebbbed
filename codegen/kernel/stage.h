/* SPDX-License-Identifier: MIT */
/* stage.h - one staged kernel while it is printed. Shared by the files of this room; others include
 * kernel.h. */
#ifndef MESI_CODEGEN_STAGE_H
#define MESI_CODEGEN_STAGE_H

#include "codegen/check/check.h"
#include "codegen/cpu/cpu.h"
#include "codegen/kernel/kernel.h"
#include "codegen/print/print.h"
#include "codegen/print/range.h"
#include "codegen/text/source.h"
#include "codegen/variable/variable.h"

struct staged_array {
  const struct stage *stage;
  const char *name;     /* _s_a */
  const char **offsets; /* by dimension: _o_a_0; NULL where the offset is 0 */
  const char **lengths; /* by dimension: elements of the copy, "16" or _n_a_0 */
  const char *access;   /* the kernel's own name for the array: a */
};

struct staged {
  struct codegen *cg;
  const struct kernel_variant *variant;
  struct ir_function *kernel;
  struct ir_function *code;      /* the code whose body is printed */
  const char *name;              /* of the staged kernel */
  struct staged_array *arrays;   /* by stage */
  const char *thread;            /* name of the thread's linear index in the block */
  const char *element;           /* name of the element counter of flattened loops */
  const char *buffer;            /* name of the dynamic shared memory; NULL: static arrays */
  const char *tail;              /* label before the write-back */
  int64_t threads;               /* in a block; below 0: not constant */
  const char *thread_count;      /* as text */
  const char *segments;          /* name of the launch's segments */
  bool partly;                   /* some segments stay in device memory */
  bool rows;                     /* a segment's rows may begin an element later each */
  const struct several *several; /* the code for several iterations that is printed; NULL: none */
  /* its even table is not read, its elements are computed; NULL: none */
  const struct segmentation *even;
  unsigned number;            /* of segments, in a kernel for one number; 0: for any */
  const struct ir_var *count; /* the parameter with this number; NULL: for any */
  const struct ir_expr *kept; /* an access that is printed unchanged */
  /* while a restaging is printed: replaced by the texts below; NULL: not replaced */
  const struct ir_var *segment, *iterator;
  const char *segment_text, *iterator_text;
  const char *plan; /* name of the launch's choice; NULL: the variant has none */
  const char *run;  /* name of the parameter for a run of blocks; NULL: for the whole grid */
  bool stores;      /* an array is written back */
  struct printer printer;
  struct staged_array *guarded;    /* the array whose guard is being printed; NULL outside guards */
  struct checked_function checked; /* with --check */
  const char **coordinates; /* by dimension: the global coordinate as text, while `guarded` */
};

/* emit_head.c: the text before and after the kernel's name, up to the body; false: it is no text of
 * a function head. */
bool written_head(struct codegen *, const struct ir_function *kernel, struct ir_place *ret_before,
                  struct ir_place *ret_behind);
/* The kernel's head as written, with another name and one more parameter. */
/* The parameters that the launch computes, separated by commas; "": there are none. */
const char *added_params(struct codegen *, const struct kernel_variant *);
const char *kernel_head_with(struct codegen *, const struct ir_function *kernel, const char *name,
                             const char *parameter);
/* The staged kernel's own head, up to the {. */
const char *kernel_head(const struct staged *, const char *name);
/* The linkage: several units may have the same instance of a template in a header. */
const char *head_linkage(const struct ir_function *kernel);
/* emit_stage.c: puts text after the kernel, and restores the line of the following text. Changes
 * `text`, which the caller owns. The variant is that of options->printed. */
void insert_behind(struct codegen *, const struct ir_function *kernel,
                   const struct kernel_variant *, struct text *);

/* Print a kernel of the variant from its head on, and another code of it. */
void print_kernel_with(struct staged *, const char *head);
void print_code(struct staged *, struct ir_function *code, const char *head);
const char *fresh_name(struct staged *, const char *suffix); /* of a kernel beside it */

/* emit_runs.c: prints the variant's kernels for runs of blocks, after the others */
void print_runs(struct staged *, struct kernel_names *);
/* Prints an index of the run; false: the expression is none. */
bool print_run_index(struct staged *, const struct ir_expr *);

/* emit_map.c */
const char *mapped_head(struct codegen *, const struct kernel_variant *, unsigned version,
                        const char *name);
const char *plain_head(struct codegen *, const struct kernel_variant *, const struct ir_function *,
                       const char *name);
const char *fits_head(struct codegen *, const struct kernel_variant *, struct ir_expr *condition,
                      const char *name);
const char *version_suffix(const struct kernel_mapping *, unsigned version); /* of its name */
void mapped_comment(struct staged *, unsigned version, const char *name);
/* prints a function that checks a condition */
void print_fits(struct staged *, struct ir_expr *condition, const char *what, const char *name);
/* prints a function that gives the number of blocks that share a sum */
const char *parts_head(struct codegen *, const struct kernel_variant *,
                       const struct mapped_version *, const char *name);
void print_parts(struct staged *s, unsigned version, const char *kernel, const char *name);

/* emit_choice.c: kernels for each choice that a launch may make */
const char *choice_head(struct codegen *, const struct kernel_variant *, const char *name);
/* NULL: cannot be written */
const char *choice_prototypes(struct codegen *, const struct kernel_variant *);
void choice_comment(struct staged *);
void declare_choice(struct staged *); /* the copies in dynamic shared memory, and their sizes */
void print_choice_index(struct staged *, const struct stage_access *, unsigned index);
const char *choice_element(struct staged *, const struct staged_array *, const char **local);

/* emit_segments.c: segments whose bases change in a loop */
void prepare_segments(struct staged *); /* the printer prints them at their places */
/* all of them, at the head of the kernel */
void emit_segments(struct staged *, struct staged_array *);
/* Prints the place of a segment's positions with what its rows add; false: it is none. */
bool print_rows(struct staged *, const struct ir_expr *);
void declare_bases(struct staged *); /* of segments of a known number, at the head of the kernel */
/* Prints an access whose segment may be in device memory. */
void print_partly_staged(struct staged *, const struct ir_expr *, const char *position);
void several_comment(struct staged *);
const char *several_head(struct codegen *, const struct kernel_variant *, const char *name);
void keep_elements(struct staged *); /* reads them at the head of the kernel */
/* Prints an element of an even table, or one in registers; false: it is neither. */
bool print_even(struct staged *, const struct ir_expr *);
/* The text before the launch; NULL: cannot be written. */
const char *segments_prefix(struct codegen *, const struct launch *, const struct kernel_variant *,
                            const struct stage *);

/* emit_copy.c: declarations of the copies, offsets, and the loops between device and shared memory
 */
void emit_stage_head(struct staged *);
void emit_stage_tail(struct staged *);
void print_stage_barrier(struct staged *);
/* One element, with --check */
void print_checked_copy(struct staged *, const struct staged_array *, const char *in_device,
                        const char *in_shared, bool store);
bool is_wide(const struct ir_expr *); /* of a 64-bit type */

/* emit_body.c: the kernel's own statements */
void emit_stage_body(struct staged *);
/* unused.c: the body of the code, without locals that no printed text reads */
struct ir_stmt *needed_body(struct staged *);
/* Would threads that leave early miss barriers of the body? The write-back cannot be added then. */

#endif
