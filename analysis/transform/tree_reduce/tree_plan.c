/* SPDX-License-Identifier: MIT */
/* tree_plan.c - the row of trees over a block's threads.
 *
 * A warp that goes through a tree takes the time of one step as written, and the other warps of the
 * block have ended by then, so this is done to each tree. Where blocks are short, one block does
 * the work of several (tree_merge.c). Times as written, of 2^25 floats in blocks of 256 on an H200:
 * neighbours first by a remainder 485 us, by a product 251 us, the farthest first 189 us. One warp:
 * 105 to 114 us; four blocks in one 39.5 us, which is the time of memory. Requires: a block of
 * constant shape.
 */
#include "analysis/transform/tree_reduce/tree_reduce.h"

#include <math.h>

/* cycles of a multiprocessor, of each block */
#define BLOCK 190.0  /* its start, a load, a barrier, and a tree by one warp */
#define HALVED 18.0  /* a step as written */
#define DOUBLED 32.0 /* ... of neighbours first, with idle lanes in each warp */
#define STREAM 20.0  /* bytes a cycle of a multiprocessor from device memory */
#define MERGED_GAIN 1.2

struct planning {
  struct draft *draft;
  struct trees trees;
  const struct target *target;
};

static double bytes_of(struct code *code)
{
  double bytes = 0;

  code_scan(code);
  for (unsigned i = 0; i < code->access.arrays.count; i++) {
    const struct array *array = code->access.arrays.items[i];
    for (unsigned j = 0; j < array->accesses.count; j++)
      if (array->accesses.items[j].read)
        bytes += array->accesses.items[j].count * (double)array->element->size;
  }
  return bytes;
}

/* The time as written over the time with so many blocks in one. */
static double gain_of(struct planning *p, int64_t blocks)
{
  const struct tree *tree = &p->trees.items[0];
  double memory = bytes_of(&p->draft->code) * (double)p->trees.threads / STREAM;
  double written = BLOCK + tree->steps * (tree->doubled ? DOUBLED : HALVED);

  return fmax(written, memory) / fmax(BLOCK / (double)blocks, memory);
}

static const char *names(struct planning *p)
{
  struct arena *arena = p->draft->code.arena;
  const struct tree *tree = &p->trees.items[0];
  const char *text = tree->sums[0].var->name;

  for (unsigned i = 1; i < tree->sum_count; i++)
    text = arena_format(arena, "%s, %s", text, tree->sums[i].var->name);
  return text;
}

static bool merge(struct planning *p, struct ir_function *plain)
{
  struct draft *draft = p->draft;
  const struct kernel_facts *facts = &draft->code.facts;
  struct merging m = {.trees = &p->trees};
  bool always = draft->options->mapping == MAPPING_ALWAYS;

  if (draft->options->mapping != MAPPING_AUTO && !always) return false;
  for (unsigned i = 0; i < draft->code.kernel->param_count; i++)
    if (draft->code.kernel->params[i]->type->is_unnamed || !draft->code.kernel->params[i]->name)
      return false;
  int64_t least = always ? 0 : (int64_t)p->target->multiprocessors * p->target->threads_per_sm,
          known = facts->grid[0] > 0 ? facts->grid[0] * p->trees.threads : 0;
  if ((known && known < least) || !tree_merge(&m)) return false;
  double gain = gain_of(p, m.blocks);
  if (!always && gain < MERGED_GAIN) return false;
  struct kernel_mapping *out = ARENA_NEW(draft->code.arena, struct kernel_mapping);
  out->version_count = 1;
  out->gain = gain;
  out->versions[0] = (struct mapped_version){
      .code = m.code,
      .block = {m.blocks * p->trees.threads, 1},
      .threads = {p->trees.threads, 1},
      .shared_bytes = (uint64_t)m.shared_bytes,
      .suffix = "trees",
      .note = arena_format(draft->code.arena,
                           "with %lld blocks of the launch in one, and a warp for the tree of each",
                           (long long)m.blocks)};
  out->has_total[0] = m.total != NULL;
  out->totals[0] = m.total;
  out->grid[0] = facts->grid[0] > 0 ? (facts->grid[0] + m.blocks - 1) / m.blocks : -1;
  out->grid[1] = out->grid[0] > 0 ? 1 : -1;
  out->grid[2] = 1;
  if (!known && least) {
    out->least = out->versions[0].least = least;
    out->plain = plain;
  }
  draft->mapping = out;
  draft->changed = m.code;
  return true;
}

static bool decline(struct draft *draft, const struct trees *t)
{
  struct code *code = &draft->code;

  code_decide(code, (struct decision){.kind = DECISION_TEAMS, .place = t->place, .why = t->reason});
  code_remark(code, DIAG_TREES_KEPT, &t->place,
              "the trees over threads of '%s' stay as they are: %s", code->kernel->name, t->reason);
  return false;
}

static void report(struct planning *p)
{
  struct draft *draft = p->draft;
  struct code *code = &draft->code;
  const struct kernel_mapping *mapping = draft->mapping;
  const char *how = mapping ? mapping->versions[0].note : "a warp goes through each tree";

  code_decide(code, (struct decision){.kind = DECISION_TEAMS,
                                      .taken = true,
                                      .place = p->trees.items[0].loop->place,
                                      .array = names(p),
                                      .what = how,
                                      .gain = mapping ? mapping->gain : 0});
  code_remark(code, DIAG_TREES, &p->trees.items[0].loop->place,
              "'%s' sums up %s over its threads behind one barrier: %s", code->kernel->name,
              names(p), how);
  text_format(draft->dump, "  plan trees %s leaves %lld blocks %lld\n", names(p),
              (long long)p->trees.items[0].leaves,
              (long long)(mapping ? mapping->versions[0].block[0] / p->trees.threads : 1));
}

bool plan_tree_reduce(struct draft *draft)
{
  struct code *code = &draft->code;
  struct planning p = {.draft = draft, .target = target_of(draft->options->tuned_for)};

  if (!facts_block_is_constant(&code->facts)) return false;
  p.trees = (struct trees){.code = code};
  for (int a = 0; a < 3; a++) p.trees.block[a] = code->facts.block[a];
  if (!tree_find(&p.trees)) return p.trees.reason ? decline(draft, &p.trees) : false;
  struct ir_function *plain = ir_copy_function(code->arena, code->facts.kernel);
  plain->body = tree_build(&p.trees);
  if (!merge(&p, plain)) {
    draft->changed = plain;
    draft->suffix = "trees";
    draft->note = "with a warp that goes through each tree";
  }
  ir_own_body(code->arena, plain);
  if (draft->changed != plain) ir_own_body(code->arena, draft->changed);
  report(&p);
  return true;
}
