/* SPDX-License-Identifier: MIT */
/* options.h - what is wanted of a plan: the command line, as the analysis takes it.
 *
 * The room has what rooms hand on to each other, and hardly any code: options, facts of launches
 * (facts.h), numbers that launches find out (launch_value.h), what a launch uses of an object
 * (use_range.h), staged arrays (staged.h), versions of a mapping (version.h), launches put together
 * (steps.h), edits of host code (host_edit.h). Everything is in the unit's arena; nobody frees it.
 */
#ifndef MESI_ANALYSIS_OPTIONS_H
#define MESI_ANALYSIS_OPTIONS_H

#include "translator/base/text.h"
#include "translator/ir/unit.h"

enum plan_level { PLAN_O0, PLAN_O1, PLAN_O2, PLAN_O3 };

enum { TUNED_FOR = 90 }; /* where no architecture is given */

enum plan_mapping {
  MAPPING_AUTO,
  MAPPING_NEVER,
  MAPPING_ALWAYS,
  MAPPING_UNTILED,
  MAPPING_BLOCK,
  MAPPING_TEAM
};

struct mapping_shape { /* along x and y */
  unsigned block[2];   /* elements of a block */
  unsigned threads[2]; /* 0: the table's shape with these elements */
  unsigned tile;       /* iterations; 0: 16 */
  /* of tiles: tile_next_buffering() of one less; 0: as the model has it */
  unsigned pipelining;
  bool products; /* on tensor cores */
};

struct team_shape {           /* of threads that share a loop */
  unsigned elements, threads; /* of a block; of each element */
};

/* WxH, WxH/UxV, WxH/UxV/K or WxH/UxV/K/N, /mma behind K or N */
bool mapping_shape_parse(const char *text, struct mapping_shape *ret);

/* for whole kernels: ALWAYS is what fits, as at -O1 */
enum plan_staging { STAGING_AUTO, STAGING_NEVER, STAGING_ALWAYS };

/* what was measured to be the best plan, for launches of one shape (tuned.h) */
struct tuned_plan {
  const char *kernel;    /* qualified name */
  const char *shape;     /* as explain_shape has it */
  const char *code;      /* as tuned_code_of has it; its plan is for no other */
  enum plan_level level; /* that it was planned at: lower ones do not take it */
  unsigned arch;         /* of the GPU that it was measured on; 0: the CPU backend */
  bool tried;            /* to see whether it comes out: no warning where it does not */
  const char *key;       /* of the plan */
};

enum plan_products { PRODUCTS_AUTO, PRODUCTS_NEVER, PRODUCTS_ALWAYS };

enum plan_split { SPLIT_AUTO, SPLIT_NEVER, SPLIT_ALWAYS };

enum plan_parts { PARTS_AUTO, PARTS_NEVER, PARTS_ALWAYS };

enum plan_temporal { TEMPORAL_AUTO, TEMPORAL_NEVER, TEMPORAL_ALWAYS };

struct temporal_wish {
  unsigned depth;               /* at most so many launches become one; 0: as the model says */
  unsigned tile[3], threads[3]; /* elements and threads of a block; 0: likewise */
  bool warps;                   /* elements are in registers, a warp is as wide as a tile */
  /* blocks of a multiprocessor that the registers have to suffice for; 0: no wish */
  unsigned resident;
};

struct plan_options {
  enum plan_level level;
  bool associative; /* sums of floats may be taken in another order */
  /* on tensor cores, where sums may; ALWAYS: also where those of the target are no faster */
  enum plan_products products;
  /* the emitted text is for a compiler that takes approximate functions: divisions and square
   * roots of float are short */
  bool fast_math;
  enum plan_parts parts; /* of launches that may move much; ALWAYS: also where they are small */
  /* launches of a loop become one; ALWAYS: also where that is not predicted to gain */
  enum plan_temporal temporal;
  struct temporal_wish temporal_wish; /* ALWAYS */
  /* bytes of shared memory a block may use: C of the paper; default 48 KB */
  uint64_t shared_memory;
  /* of shape-free kernels to threads: ALWAYS, UNTILED and BLOCK without the gate */
  enum plan_mapping mapping;
  struct mapping_shape mapping_shape; /* MAPPING_BLOCK */
  enum plan_split split;              /* of sums over blocks: ALWAYS wherever that is right */
  unsigned split_count;               /* ALWAYS: so many blocks; 0: as the launch predicts */
  struct team_shape team;             /* MAPPING_TEAM */
  enum plan_staging staging;
  const struct tuned_plan *tuned; /* for some kernels */
  unsigned tuned_count;
  unsigned arch;      /* 70 ... 121: its limit of shared memory a block holds too */
  unsigned tuned_for; /* the architecture whose time is predicted */
  bool target_cpu;
  bool whole_program; /* no other file uses the variables that this one defines */
  /* announce every launch to the runtime, also where no VS variable is involved */
  bool hook_launches;
  struct text *dump_access, *dump_range, *dump_plan; /* NULL: not wanted */
  /* accesses are checked: what threads compute for others must have an address all the same */
  bool checked;
  bool explain; /* plan->explanation is wanted */
  /* the code that plans have made is checked (emitted.h): plan->emitted */
  bool verify_emitted;
};

#endif
