/* SPDX-License-Identifier: MIT */
/* options.h - the wishes for a plan: the command line as the analysis takes it.
 *
 * The room has the data that rooms pass to each other, and hardly any code: options, facts of
 * launches (facts.h), numbers that launches find (launch_value.h), the use of an object by a launch
 * (use_range.h), staged arrays (staged.h), versions of a mapping (version.h), launches put together
 * (steps.h), edits of host code (host_edit.h). Everything is in the unit's arena; nobody frees
 * it. */
#ifndef MESI_ANALYSIS_OPTIONS_H
#define MESI_ANALYSIS_OPTIONS_H

#include "translator/base/text.h"
#include "translator/ir/unit.h"

enum { PLAN_MOST_EFFORT = 100 };

enum plan_level { PLAN_O0, PLAN_O1, PLAN_O2, PLAN_O3 };

enum { TUNED_FOR = 90 }; /* used if no architecture is given */

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
  /* For tiles: one more than the number for tile_next_buffering(); 0: the model's choice. */
  unsigned pipelining;
  bool products; /* on tensor cores */
};

struct team_shape {           /* for threads that share a loop */
  unsigned elements, threads; /* per block; per element */
};

/* WxH, WxH/UxV, WxH/UxV/K or WxH/UxV/K/N, /mma behind K or N */
bool mapping_shape_parse(const char *text, struct mapping_shape *ret);

/* For whole kernels: ALWAYS stages everything that fits, as at -O1. */
enum plan_staging { STAGING_AUTO, STAGING_NEVER, STAGING_ALWAYS };

/* The plan that was measured to be the best, for launches of one shape (tuned.h). */
struct tuned_plan {
  const char *kernel;    /* qualified name */
  const char *shape;     /* as from explain_shape */
  const char *code;      /* as from tuned_code_of; the plan is for this code only */
  enum plan_level level; /* of its planning: lower levels do not take it */
  unsigned arch;         /* of the GPU of the measurement; 0: the CPU backend */
  bool tried;            /* as a trial: there is no warning if it does not come out */
  const char *key;       /* of the plan */
};

enum plan_products { PRODUCTS_AUTO, PRODUCTS_NEVER, PRODUCTS_ALWAYS };

enum block_sharing { SHARE_AUTO, SHARE_NEVER, SHARE_ALWAYS };

enum plan_parts { PARTS_AUTO, PARTS_NEVER, PARTS_ALWAYS };

enum plan_temporal { TEMPORAL_AUTO, TEMPORAL_NEVER, TEMPORAL_ALWAYS };

struct temporal_wish {
  unsigned depth;               /* the most launches that become one; 0: the model's choice */
  unsigned tile[3], threads[3]; /* elements and threads of a block; 0: likewise */
  bool warps;                   /* elements are in registers, and a warp is as wide as a tile */
  /* Blocks of a multiprocessor for which the registers must suffice. 0: no wish. */
  unsigned resident;
};

struct plan_options {
  enum plan_level level;
  bool associative; /* floats may be summed in another order */
  /* On tensor cores, where sums may be reordered. ALWAYS: also where the target's tensor cores are
   * no faster. */
  enum plan_products products;
  /* The emitted text is for a compiler that uses approximate functions: divisions and square roots
   * of float are short. */
  bool fast_math;
  enum plan_parts parts; /* for launches that may move much; ALWAYS: also for small ones */
  /* Launches of a loop become one. ALWAYS: also without a predicted gain. */
  enum plan_temporal temporal;
  struct temporal_wish temporal_wish; /* ALWAYS */
  /* Bytes of shared memory that a block may use: C of the paper; default 48 KB. */
  uint64_t shared_memory;
  /* For shape-free kernels: ALWAYS, UNTILED and BLOCK need no predicted gain. */
  enum plan_mapping mapping;
  struct mapping_shape mapping_shape; /* MAPPING_BLOCK */
  enum block_sharing share;           /* sums shared by blocks; ALWAYS: wherever that is legal */
  unsigned share_count;               /* ALWAYS: the number of blocks; 0: the launch's prediction */
  unsigned effort;                    /* times the usual steps of the analysis; 0: once */
  struct team_shape team;             /* MAPPING_TEAM */
  enum plan_staging staging;
  const struct tuned_plan *tuned; /* for some kernels */
  unsigned tuned_count;
  unsigned arch;        /* 70 ... 121; a block's limit of shared memory holds, too */
  unsigned newest_arch; /* 0: any newer one, too */
  unsigned tuned_for;   /* the architecture whose time is predicted */
  bool target_cpu;
  bool whole_program; /* no other file uses the variables that this one defines */
  /* Announces every launch to the runtime, also without VS variables. */
  bool hook_launches;
  struct text *dump_access, *dump_range, *dump_plan; /* NULL: not wanted */
  /* Accesses are checked: values that threads compute for others still need an address. */
  bool checked;
  bool explain; /* plan->explanation is wanted */
  /* Checks the code of the plans (emitted.h): plan->emitted. */
  bool verify_emitted;
};

#endif
