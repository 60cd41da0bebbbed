/* SPDX-License-Identifier: MIT */
/* prove.c - the verb prove.
 *
 *     mesicc prove a.mcu          a.mcu: equal: -O3 computes what -O0 computes (3 objects,
 *                                 4096 elements, random inputs)
 *     mesicc prove a.cu b.cu      b.cu: different: c[3] is 4.5 (element 9), was 4.25 (element 17)
 *
 * Both programs run on the CPU backend, with each floating-point number accompanied by an element
 * of a finite field (prove/field.h). The first runs have random inputs. Where those differ, both
 * run again with the programs' own numbers: minima, maxima and comparisons follow the real numbers,
 * and a level may choose another one among equal numbers with different elements. docs/prove.md
 * describes what each verdict shows. */
#include "translator/driver/prove.h"

#include <inttypes.h>
#include <string.h>

#include "prove/shadow.h"
#include "translator/base/file.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/process.h"
#include "translator/driver/prove_build.h"
#include "translator/driver/prove_records.h"
#include "translator/driver/types_file.h"

enum { SECONDS = 120, LIMIT_STATUS = 128 + 24 /* SIGXCPU */, EXIT_UNABLE = 75 };

struct side {         /* one of the two programs */
  const char *source; /* the file */
  const char *label;  /* "-O3", or the file */
  const char *program;
  enum plan_level level;
};

struct run {
  int status;    /* of the program */
  bool complete; /* the program ended by itself and wrote its records */
  struct prove_records records;
};

/* of blocks and threads; REVERSE: copies are also as late as waits allow */
enum order { FORWARD, REVERSE, ORDER_COUNT };

struct runs { /* runs with the same inputs */
  struct run of[2][ORDER_COUNT];
  bool has[2][ORDER_COUNT];
};

struct proof {
  struct arena *arena;
  struct build build;
  struct diag *diag;
  struct side side[2];
};

/* ---- verdicts ---- */

static int undecided(const struct proof *proof, const char *reason)
{
  printf("%s: not decided: %s\n", proof->side[1].source, reason);
  return STATUS_UNDECIDED;
}

static int different(const struct proof *proof, const char *what, const char *values)
{
  bool two = proof->side[0].source != proof->side[1].source;
  printf("%s: different: %s%s%s (%s)\n", proof->side[1].source, two ? "" : proof->side[1].label,
         two ? "" : ": ", what, values);
  return STATUS_DIFFERENT;
}

static int equal(const struct proof *proof, const struct run *run, const char *values)
{
  printf("%s: equal: %s computes what %s computes (%u objects, %" PRIu64
         " words of floating point, %s)\n",
         proof->side[1].source, proof->side[1].label, proof->side[0].label, run->records.dump.count,
         run->records.elements, values);
  if (run->status) printf("both end with status %d\n", run->status);
  return STATUS_FINE;
}

/* ---- runs ---- */

static struct run run_one(const struct proof *proof, unsigned which, enum order order,
                          unsigned seed)
{
  struct arena *arena = proof->arena;
  const char *stem = proof->side[which].program,
             *out = arena_format(arena, "%s.%u.%d.record", stem, seed, (int)order);
  struct command command = {.out = arena_format(arena, "%s.out", stem),
                            .err = arena_format(arena, "%s.err", stem)};
  const struct string_list *args = &proof->build.options->program_args;
  struct run run;
  command_add(arena, &command, stem);
  for (unsigned i = 0; i < args->count; i++) command_add(arena, &command, args->items[i]);
  const char *const environment[] = {order == FORWARD ? "MESI_SCHEDULE=forward"
                                                      : "MESI_SCHEDULE=reverse",
                                     order == FORWARD ? "MESI_CPU_COPIES=" : "MESI_CPU_COPIES=late",
                                     "MESI_DUMP=/dev/null",
                                     "MESI_STACK=1M",
                                     arena_format(arena, "PROVE_SECONDS=%d", SECONDS),
                                     arena_format(arena, "PROVE_SEED=%u", seed),
                                     arena_format(arena, "PROVE_OUT=%s", out)};
  for (unsigned i = 0; i < sizeof environment / sizeof *environment; i++)
    *ARENA_PUSH(arena, &command.environment) = environment[i];
  run.status = command_run(arena, &command, proof->build.options->verbose);
  run.complete = prove_records_read(arena, out, &run.records);
  if (run.complete) types_file_apply(arena, proof->build.types_file, &run.records.dump);
  return run;
}

static const struct run *get_run(const struct proof *proof, struct runs *runs, unsigned which,
                                 enum order order, unsigned seed)
{
  if (!runs->has[which][order]) runs->of[which][order] = run_one(proof, which, order, seed);
  runs->has[which][order] = true;
  return &runs->of[which][order];
}

/* The reason in words why a run decides nothing; NULL: it decides. */
static const char *unusable(const struct proof *proof, const struct run *run, const char *label)
{
  if (run->status == LIMIT_STATUS)
    return arena_format(proof->arena, "%s needs more than %d s of processor time", label, SECONDS);
  return run->status == EXIT_UNABLE ? "the memory for cells cannot be had" : NULL;
}

static const char *difference_of(const struct proof *proof, const struct run *first,
                                 const struct run *second)
{
  const char *difference =
      second->complete ? prove_records_difference(proof->arena, &first->records, &second->records)
                       : NULL;
  if (difference) return difference;
  if (first->status != second->status)
    return arena_format(proof->arena, "the program ends with status %d, was %d", second->status,
                        first->status);
  return second->complete ? NULL : "the program ends without its results";
}

struct comparison {
  const char *unusable;   /* the reason why the runs decide nothing; NULL: they decide */
  const char *difference; /* NULL: none */
  bool same_inputs;       /* in both, the same number of host stores became random elements */
};

/* Compares the second program in both orders with the first. Where only the order makes a
 * difference, checks whether it makes one for the first program, too. */
static struct comparison compare(const struct proof *proof, struct runs *runs, unsigned seed)
{
  struct comparison result = {.same_inputs = true};
  const struct run *first = get_run(proof, runs, 0, FORWARD, seed);
  result.unusable = unusable(proof, first, proof->side[0].label);
  if (!first->complete && !result.unusable)
    result.unusable = arena_format(proof->arena, "%s ends with status %d and without results",
                                   proof->side[0].label, first->status);
  for (int order = 0; order < ORDER_COUNT && !result.unusable && !result.difference; order++) {
    const struct run *second = get_run(proof, runs, 1, (enum order)order, seed);
    result.unusable = unusable(proof, second, proof->side[1].label);
    result.difference = difference_of(proof, first, second);
    result.same_inputs &= first->records.trailer.inputs == second->records.trailer.inputs;
    if (!result.difference || order == FORWARD) continue;
    const char *own = difference_of(proof, first, get_run(proof, runs, 0, REVERSE, seed));
    if (own)
      result.unusable = arena_format(proof->arena, "%s depends on the order of threads: %s",
                                     proof->side[0].label, own);
  }
  return result;
}

/* ---- decisions that may depend on rounding ---- */

static uint64_t seen(const struct runs *runs, enum prove_event event, bool in_kernels)
{
  uint64_t sum = 0;
  for (unsigned i = 0; i < 2; i++)
    for (int order = 0; order < ORDER_COUNT; order++) {
      const struct prove_trailer *trailer = &runs->of[i][order].records.trailer;
      if (runs->has[i][order])
        sum += in_kernels ? trailer->in_kernels[event] : trailer->on_host[event];
    }
  return sum;
}

/* The comparisons that rounding may have decided. Comparisons of the host with equal operands do
 * not count: programs compare their results with the expected ones. */
static const char *rounding_reason(struct arena *arena, const struct runs *runs)
{
  static const char *const what[EVENT_COUNT] = {
      [EVENT_NARROW] = "a comparison of numbers that are equal up to rounding",
      [EVENT_TIE] = "a comparison of numbers that are equal as real numbers only",
      [EVENT_BOUNDARY] = "a conversion to an integer where the number is one up to rounding",
      [EVENT_BITS] = "a use of the bits of a rounded number"};
  for (int event = 0; event < EVENT_COUNT; event++) {
    bool host = event == EVENT_NARROW || event == EVENT_BOUNDARY;
    if (seen(runs, (enum prove_event)event, true))
      return arena_format(arena, "%s in a kernel may have decided", what[event]);
    if (host && seen(runs, (enum prove_event)event, false))
      return arena_format(arena, "%s on the host may have decided", what[event]);
  }
  return NULL;
}

/* ---- the proof ---- */

static int judge_again(const struct proof *proof, const struct runs *random,
                       const struct comparison *with_random)
{
  static const char *const values = "the program's own values";
  struct runs plain = {0};
  struct comparison own = compare(proof, &plain, 0);
  if (own.unusable) return undecided(proof, own.unusable);
  const char *reason = rounding_reason(proof->arena, &plain);
  if (own.difference && reason)
    return undecided(proof, arena_format(proof->arena, "%s; %s", own.difference, reason));
  if (own.difference) return different(proof, own.difference, values);
  bool chosen = seen(random, EVENT_TIE, true) || seen(random, EVENT_BITS, true);
  if (!with_random->same_inputs || chosen || !with_random->difference)
    return equal(proof, &plain.of[1][FORWARD], values);
  return different(proof, with_random->difference, "random inputs");
}

static int judge(const struct proof *proof)
{
  struct runs random = {0};
  struct comparison result = compare(proof, &random, 1);
  const struct run *second = &random.of[1][FORWARD];
  if (result.unusable) return undecided(proof, result.unusable);
  if (result.difference || !result.same_inputs) return judge_again(proof, &random, &result);
  return equal(proof, second,
               second->records.trailer.inputs ? "random inputs" : "the program's own values");
}

static int translate(struct proof *proof, unsigned which)
{
  const char *emitted = arena_format(proof->arena, "%s/side%u.cpp", proof->build.directory, which);
  bool again = which && proof->side[0].source == proof->side[1].source;
  struct options wanted =
      again ? build_again(proof->arena, proof->build.options) : *proof->build.options;
  wanted.level = proof->side[which].level;
  wanted.input = proof->side[which].source;
  wanted.explain = EXPLAIN_NONE;
  wanted.no_line = true;
  return build_translate(proof->arena, &proof->build, &wanted, emitted, proof->diag);
}

static bool same_text(const struct proof *proof)
{
  const char *text[2] = {"", ""};
  size_t length[2] = {0, 1};
  for (unsigned i = 0; i < 2; i++)
    file_read(proof->arena, arena_format(proof->arena, "%s/side%u.cpp", proof->build.directory, i),
              &text[i], &length[i]);
  return length[0] == length[1] && !memcmp(text[0], text[1], length[0]);
}

static int prove(struct proof *proof)
{
  const char *reason = prove_missing(proof->arena, &proof->build);
  if (reason) return undecided(proof, reason);
  for (unsigned i = 0; i < 2; i++) {
    int status = translate(proof, i);
    if (status) return status;
  }
  if (same_text(proof)) {
    printf("%s: equal: %s is the text of %s\n", proof->side[1].source, proof->side[1].label,
           proof->side[0].label);
    return STATUS_FINE;
  }
  for (unsigned i = 0; i < 2; i++)
    if (prove_compile(proof->arena, &proof->build, proof->side[i].source, i ? "side1" : "side0",
                      &proof->side[i].program, &reason))
      return i ? different(proof, reason, "and that of the other one compiles")
               : undecided(proof, reason);
  return judge(proof);
}

int prove_run(struct arena *arena, const struct options *options, struct diag *diag)
{
  struct options wanted = *options;
  bool two = options->inputs.count == 2;
  enum plan_level level = options->level_given ? options->level : two ? PLAN_O0 : PLAN_O3;
  struct proof proof = {.arena = arena, .diag = diag};
  wanted.target = TARGET_CPU;
  proof.side[0] = (struct side){options->inputs.items[0], two ? options->inputs.items[0] : "-O0",
                                NULL, PLAN_O0};
  proof.side[1] = (struct side){
      options->inputs.items[two],
      two ? options->inputs.items[1] : arena_format(arena, "-O%d", (int)level), NULL, level};
  int status = build_begin(arena, &wanted, diag, &proof.build);
  if (!status) status = prove(&proof);
  build_end(arena, &proof.build);
  return status;
}
