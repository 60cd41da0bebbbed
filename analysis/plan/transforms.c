/* SPDX-License-Identifier: MIT */
/* transforms.c - all transformations, in the order in which they are tried. Read it as the second
 * page of the architecture, behind pipeline.c.
 *
 * A kernel's plan is a draft that goes through the slots from top to bottom (kernel.c). Each row
 * names the folder of its transformation, which finds it, proves it legal, builds its code and has
 * its share of the model. The rows require, produce and give up for:
 *
 *   untile          tiles in shared memory by hand, between barriers
 *                   -> the values that fill them in the place of their reads, in a copy of the
 *                      kernel that only a mapping takes; gives up: barriers order more than the
 *                      tiles, an element is filled by other indices than a thread's own
 *
 *   untiled_ids     global_ids (below), for such a copy
 *
 *   inline          a call of a device function that gets or names arrays, or computes an index
 *                   -> its body; gives up: recursion, names that the kernel hides, a call under a
 *                      condition that is no expression, or no row below takes the kernel
 *   powers          powers with a constant exponent, or of 2 and 10, at -O3
 *                   -> products, roots and exponentials, also where no row below takes the kernel;
 *                      most go in the text before any row is tried (power_text.c); gives up:
 *                      exponents that are no short product
 *   byte_rows       rows that lie a number of bytes apart, as cudaMallocPitch makes them
 *                   -> rows of elements, for launches in which they are; gives up: other bytes are
 *                      added, or no row below takes the kernel
 *   round_pairs     sums of two products, one of which nvcc fuses
 *                   -> the other one rounded, in whatever order their loads come; gives up: sums
 *                      may be rounded in another way, nvcc's choice is not known
 *   references      a local reference to an element of global memory
 *                   -> the element in its place; gives up: its index changes while the reference
 *                      lives, or no row below takes the kernel
 *   global_ids      indices and other sums of a block's part and a thread's
 *                   -> the same number, of global ids; gives up: another use of them is left
 *   specialize      arguments that are the same number in all launches, which divide or end a short
 *                   loop -> constants, also where no row below takes the kernel; gives up: the gain
 *                   is small, nvcc would round in another way
 *   product24       products by __mul24 and __umul24
 *                   -> plain ones, for launches in which they are the same; gives up: an operand
 *                      that is loaded, or may have more bits
 *   scalar_replace  a local that is a record, such as a sum in a float3
 *                   -> a local for each of its members; gives up: another use of it than by members
 *                      and as a whole, or no row below takes the kernel
 *   loop_forms      a loop that counts in another form, or steps pointers and numbers beside it
 *                   -> a loop in canonical form, expressions of its iterator; gives up: an
 *                      iteration may end early, or no row below takes the kernel
 *   loop_collapse   two loops over neighbouring rows, of which one is all of the other's body
 *                   -> one loop over the elements of all rows; gives up: another use of their
 *                      iterators, or no row below takes the kernel
 *   clamps          ifs that keep a local number within limits
 *                   -> one value of a second local; gives up: another assignment, a limit that
 *                      changes, or no row below takes the kernel
 *   if_convert      an if on data that stores to one element in both arms
 *                   -> one store of a selected value; gives up: an arm has another effect, or no
 *                      row below takes the kernel
 *
 *   promote         an array element that a loop reads and writes at one place
 *                   -> a register; gives up: another name may reach it
 *   hoist           a load that all iterations of a loop make again
 *                   -> a register in front of it; gives up: stores in between
 *
 *   tile            a loop that reads the same elements again for many threads, or through which
 *                   each thread reads or writes a row of its own
 *                   -> tiles in shared memory, several elements a thread, versions by size and
 *                      alignment; gives up: no shape fits, or the model sees less than a factor of
 *                      two
 *   split_k         such a loop in a launch with few elements
 *                   -> several blocks share its sums
 *   transpose       rows read, columns written
 *                   -> blocks whose warps are transposed through shared memory
 *   stream25d       stencils over layers, a thread an element
 *                   -> a thread goes through layers, rows in registers
 *   stream_layers   threads that go through layers in a loop of their own
 *                   -> each layer loaded once, 16 bytes at once
 *   coarsen         neighbours that read the same elements, or go through windows
 *                   -> several elements a thread, rows of 16 bytes where the launch has them; gives
 *                      up: nvcc would round in another way
 *   vectorize       neighbours that read neighbouring elements
 *                   -> 16 bytes at once; gives up: likewise
 *
 *   reshape         blocks of fewer threads than a warp has
 *                   -> blocks of whole warps, an element a thread as before
 *
 *   block_digits    a block in a row whose threads take their number apart: threadIdx.x / 32
 *                   -> a block with rows of threads, for the rows from tile to vectorize; gives up:
 *                      several divisors, or one of these rows does not take it
 *
 *   stride_loops    loops by which the threads of a launch or of a block share elements, by which a
 *                   block goes through a tile in steps, or a thread through neighbouring elements
 *                   -> an element a thread, for the rows from tile to reshape; a block's rows of
 *                   threads that all do the same -> one row; gives up:
 *                      iterations of a thread that hand something on, other code beside the loops,
 *                      or one of these rows does not take it
 *
 *   block_rows      a block's number as a row, a thread's as a column
 *                   -> an id along each axis, for the rows from tile to vectorize; gives up: the
 *                      sizes of blocks otherwise, or one of these rows does not take it
 *
 *   flat_ids        a flat id that is taken apart: id / n and id % n
 *                   -> an id along each axis, for the rows from tile to vectorize; gives up: its
 *                      parts are no digits of one number, or one of these rows does not take it
 *
 *   turn_axes       ids in an order in which the threads of a warp are rows or layers apart
 *                   -> the launch's axes in another order, for the rows from tile to reshape; gives
 *                      up: loops of another length for each thread, the model sees no gain, or one
 *                      of these rows does not take it
 *
 * All from tile to reshape need a kernel that is free of its shape (shape_free.h), and give up
 * with the first reason that is found.
 *
 *   team_reduce     a loop that sums up, in a launch with few elements
 *                   -> threads share the loop
 *   row_team        a thread that goes through a row of its own, once or several times, or in loops
 *                   -> a team of threads a row, which stays in registers between the passes; gives
 *                      up: an iteration needs an element that another one writes
 *   both_halves     a sum over a row and over a column of one triangle, as a[i][j] and a[j][i]
 *                   -> tiles of the triangle, each of which is read once for both; the last block
 *                      of a strip of rows goes on; gives up: sums of floats below -O3, other sums
 *                      beside them, pairs i, j that are not those of one triangle
 *   tree_reduce     a sum over the threads of a block, as a tree in shared memory by hand
 *                   -> the same tree, by one warp behind one barrier; where blocks are short,
 *                      several of them in one; gives up: steps that are no tree, another use of
 *                      what they leave behind
 *   privatize       elements that are only updated by atomic operations
 *                   -> copies a block, added up at its end
 *   ragged_stage    ranges of neighbouring threads that follow each other, as the rows of a matrix
 *                   -> chunks of them in shared memory, in blocks whose ranges are long enough;
 *                      gives up: threads that come to the loop by data, ranges that a table gives
 *                      in another way
 *   segment_stage   segments that all threads of a block go through together
 *                   -> strips of them in shared memory
 *   stage           arrays of which a block uses a box again and again
 *                   -> the box in shared memory, for the whole kernel
 *   unroll_jam      a loop whose iterations load elements in common
 *                   -> several iterations at once
 *   restrict        loads behind stores that may be to the same memory for all the compiler knows
 *                   -> parameters said to be apart, for launches that find that they are; loops
 *                      with several iterations on their way; gives up: pointers from memory
 *   invariant_division  divisions by numbers that only the launch knows
 *                   -> multiplications, in all codes of the kernel; gives up: the launch has
 *                      conditions and no mapping, arguments cannot be evaluated twice
 *   temporal        launches of a loop that hand arrays on
 *                   -> several launches in one
 *
 * The order is part of the result: the budget of isl is used up from top to bottom, and remarks
 * come in this order.
 */
#include "analysis/plan/transforms.h"

#include "analysis/plan/staging/plan_kernel.h"
#include "analysis/transform/block_digits/block_digits.h"
#include "analysis/transform/block_rows/block_rows.h"
#include "analysis/transform/both_halves/both_halves.h"
#include "analysis/transform/byte_rows/byte_rows.h"
#include "analysis/transform/coarsen/register_tile.h"
#include "analysis/transform/flat_ids/flat_ids.h"
#include "analysis/transform/global_ids/global_ids.h"
#include "analysis/transform/hoist/hoist.h"
#include "analysis/transform/clamps/clamps.h"
#include "analysis/transform/if_convert/if_convert.h"
#include "analysis/transform/inline/inline.h"
#include "analysis/transform/invariant_division/invariant_division.h"
#include "analysis/transform/loop_collapse/loop_collapse.h"
#include "analysis/transform/loop_forms/loop_forms.h"
#include "analysis/transform/powers/powers.h"
#include "analysis/transform/privatize/privatize.h"
#include "analysis/transform/product24/product24.h"
#include "analysis/transform/promote/promote.h"
#include "analysis/transform/ragged_stage/ragged.h"
#include "analysis/transform/references/references.h"
#include "analysis/transform/reshape/reshape.h"
#include "analysis/transform/restrict/restrict.h"
#include "analysis/transform/round_pairs/round_pairs.h"
#include "analysis/transform/row_team/row_team.h"
#include "analysis/transform/scalar_replace/scalar_replace.h"
#include "analysis/transform/segment_stage/strip.h"
#include "analysis/transform/specialize/specialize.h"
#include "analysis/transform/split_k/split.h"
#include "analysis/transform/stream25d/stream25d.h"
#include "analysis/transform/stride_loops/stride_loops.h"
#include "analysis/transform/stream_layers/layer_stream.h"
#include "analysis/transform/team_reduce/team_reduce.h"
#include "analysis/transform/temporal/temporal.h"
#include "analysis/transform/tile/tile_plan.h"
#include "analysis/transform/transpose/transpose.h"
#include "analysis/transform/tree_reduce/tree_reduce.h"
#include "analysis/transform/turn_axes/turn_axes.h"
#include "analysis/transform/unroll_jam/plan_jam.h"
#include "analysis/transform/untile/untile.h"
#include "analysis/transform/vectorize/vectorize.h"

#define PLAN(function) .plan = function
#define MAP(...) .map = __VA_ARGS__

const struct transform transforms[] = {
    {"untile", SLOT_REWRITE, PLAN_O2, DECISION_FORM, DIAG_UNTILED, DIAG_TILES_KEPT,
     PLAN(plan_untile), .ask = untile_ask},
    {"untiled_ids", SLOT_REWRITE, PLAN_O2, DECISION_FORM, DIAG_IDS_JOINED, DIAG_IDS_APART,
     PLAN(plan_untiled_ids)},

    {"inline", SLOT_FORM, PLAN_O1, DECISION_FORM, DIAG_CALL_INLINED, DIAG_CALL_KEPT,
     PLAN(plan_inline)},
    {"powers", SLOT_FORM, PLAN_O3, DECISION_FORM, DIAG_POWERS_MADE, DIAG_POWERS_KEPT,
     PLAN(plan_powers)},
    {"byte_rows", SLOT_FORM, PLAN_O2, DECISION_FORM, DIAG_BYTE_ROWS_FORMED, DIAG_BYTE_ROWS_FORMED,
     PLAN(plan_byte_rows), .ask = byte_rows_ask, .asks_formed = true},
    {"round_pairs", SLOT_FORM, PLAN_O2, DECISION_FORM, DIAG_PAIRS_ROUNDED, DIAG_PAIRS_ROUNDED,
     PLAN(plan_round_pairs)},
    {"references", SLOT_FORM, PLAN_O2, DECISION_FORM, DIAG_REFERENCE_FORMED, DIAG_REFERENCE_FORMED,
     PLAN(plan_references)},
    {"global_ids", SLOT_FORM, PLAN_O2, DECISION_FORM, DIAG_IDS_JOINED, DIAG_IDS_APART,
     PLAN(plan_global_ids)},
    {"specialize", SLOT_FORM, PLAN_O2, DECISION_FORM, DIAG_SPECIALIZED, DIAG_ARGUMENTS_KEPT,
     PLAN(plan_specialize)},
    {"product24", SLOT_FORM, PLAN_O2, DECISION_FORM, DIAG_PRODUCT_FORMED, DIAG_PRODUCT_FORMED,
     PLAN(plan_product24), .ask = product24_ask},
    {"scalar_replace", SLOT_FORM, PLAN_O2, DECISION_FORM, DIAG_MEMBERS_APART, DIAG_MEMBERS_APART,
     PLAN(plan_scalar_replace)},
    {"loop_forms", SLOT_FORM, PLAN_O2, DECISION_FORM, DIAG_LOOP_FORMED, DIAG_LOOP_FORMED,
     PLAN(plan_loop_forms), .ask = loop_forms_ask},
    {"loop_collapse", SLOT_FORM, PLAN_O2, DECISION_FORM, DIAG_LOOPS_COLLAPSED, DIAG_LOOPS_COLLAPSED,
     PLAN(plan_loop_collapse), .ask = loop_collapse_ask},
    {"clamps", SLOT_FORM, PLAN_O2, DECISION_FORM, DIAG_CLAMPS_JOINED, DIAG_CLAMPS_JOINED,
     PLAN(plan_clamps)},
    {"if_convert", SLOT_FORM, PLAN_O2, DECISION_FORM, DIAG_IF_CONVERTED, DIAG_IF_KEPT,
     PLAN(plan_if_convert)},

    {"promote", SLOT_REGISTERS, PLAN_O2, DECISION_REGISTERS, DIAG_PROMOTED, DIAG_NOT_PROMOTED,
     PLAN(plan_promote)},
    {"hoist", SLOT_REGISTERS, PLAN_O2, DECISION_REGISTERS, DIAG_PROMOTED, DIAG_NOT_PROMOTED,
     PLAN(plan_hoist)},

    {"tile", SLOT_MAPPING, PLAN_O2, DECISION_TILES, DIAG_MAPPED, DIAG_NOT_MAPPED,
     MAP(plan_tile, .finish = finish_tile)},
    {"split_k", SLOT_MAPPING, PLAN_O2, DECISION_TEAMS, DIAG_COOPERATIVE, DIAG_NOT_COOPERATIVE,
     MAP(plan_split_k, .also = also_split)},
    {"transpose", SLOT_MAPPING, PLAN_O2, DECISION_TRANSPOSE, DIAG_MAPPED, DIAG_NOT_MAPPED,
     MAP(plan_transpose)},
    {"stream25d", SLOT_MAPPING, PLAN_O2, DECISION_MAPPING, DIAG_MAPPED, DIAG_NOT_MAPPED,
     MAP(plan_stream25d)},
    {"stream_layers", SLOT_MAPPING, PLAN_O2, DECISION_MAPPING, DIAG_MAPPED, DIAG_NOT_MAPPED,
     MAP(plan_stream_layers, .also = also_stream_layers)},
    {"coarsen", SLOT_MAPPING, PLAN_O2, DECISION_MAPPING, DIAG_MAPPED, DIAG_NOT_MAPPED,
     MAP(plan_coarsen)},
    {"vectorize", SLOT_MAPPING, PLAN_O2, DECISION_MAPPING, DIAG_MAPPED, DIAG_NOT_MAPPED,
     MAP(plan_vectorize)},
    {"reshape", SLOT_MAPPING, PLAN_O2, DECISION_MAPPING, DIAG_MAPPED, DIAG_NOT_MAPPED,
     MAP(plan_reshape, .also = also_reshape)},

    {"block_digits", SLOT_EXTENTS, PLAN_O2, DECISION_FORM, DIAG_BLOCK_DIGITS, DIAG_BLOCK_DIGITS,
     PLAN(plan_block_digits)},
    {"stride_loops", SLOT_EXTENTS, PLAN_O2, DECISION_FORM, DIAG_STRIDE_LOOPS, DIAG_STRIDE_LOOPS,
     PLAN(plan_stride_loops)},
    {"block_rows", SLOT_EXTENTS, PLAN_O2, DECISION_FORM, DIAG_BLOCK_ROWS, DIAG_BLOCK_ROWS,
     PLAN(plan_block_rows)},
    {"flat_ids", SLOT_EXTENTS, PLAN_O2, DECISION_FORM, DIAG_FLAT_IDS, DIAG_FLAT_IDS,
     PLAN(plan_flat_ids)},
    {"turn_axes", SLOT_ORDER, PLAN_O2, DECISION_FORM, DIAG_AXES_TURNED, DIAG_AXES_KEPT,
     PLAN(plan_turn_axes)},

    {"team_reduce", SLOT_VERSIONS, PLAN_O2, DECISION_TEAMS, DIAG_COOPERATIVE, DIAG_NOT_COOPERATIVE,
     PLAN(plan_team_reduce)},

    {"row_team", SLOT_VERSIONS, PLAN_O2, DECISION_TEAMS, DIAG_COOPERATIVE, DIAG_NOT_COOPERATIVE,
     PLAN(plan_row_team)},

    {"both_halves", SLOT_VERSIONS, PLAN_O2, DECISION_TEAMS, DIAG_HALVES_JOINED, DIAG_HALVES_APART,
     PLAN(plan_both_halves)},

    {"tree_reduce", SLOT_BODY, PLAN_O2, DECISION_TEAMS, DIAG_TREES, DIAG_TREES_KEPT,
     PLAN(plan_tree_reduce)},
    {"privatize", SLOT_BODY, PLAN_O2, DECISION_PRIVATE, DIAG_PRIVATE, DIAG_NOT_PRIVATE,
     PLAN(plan_privatize)},
    {"ragged_stage", SLOT_BODY, PLAN_O2, DECISION_TILES, DIAG_RANGES_STAGED, DIAG_RANGES_KEPT,
     PLAN(plan_ragged_stage)},
    {"segment_stage", SLOT_BODY, PLAN_O2, DECISION_TILES, DIAG_STAGED, DIAG_NOT_STAGED,
     PLAN(plan_segment_stage)},
    {"stage", SLOT_STAGES, PLAN_O1, DECISION_STAGING, DIAG_STAGED, DIAG_NOT_STAGED,
     PLAN(plan_stages)},
    {"unroll_jam", SLOT_LAST, PLAN_O2, DECISION_REGISTERS, DIAG_JAMMED, DIAG_NOT_JAMMED,
     PLAN(plan_unroll_jam), .beside = plan_jam},
    {"restrict", SLOT_LAST, PLAN_O2, DECISION_REGISTERS, DIAG_RESTRICTED, DIAG_NOT_RESTRICTED,
     PLAN(plan_restrict)},
    {"invariant_division", SLOT_FINISH, PLAN_O2, DECISION_FORM, DIAG_DIVIDED, DIAG_DIVIDED,
     PLAN(plan_invariant_division)},
    {"temporal", SLOT_LAUNCHES, PLAN_O2, DECISION_LAUNCH, DIAG_STEPPED, DIAG_NOT_STEPPED,
     .launches = temporal_loops},
};

const unsigned transform_count = sizeof transforms / sizeof *transforms;
