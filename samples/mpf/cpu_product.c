/* cpu_product.c - packed panels, tiles of registers.
 *
 * As matrix libraries do: columns in pieces of COLUMN_PIECE, summands in pieces of `depth`, rows in
 * pieces of ROW_PIECE; the functions of a group are multiplied while they are packed. In the log
 * domain a packed row or column is 2^(x - its largest x); the logarithm of the product and both
 * largest values make the output. Where magnitudes spread so widely that such a product is nearly 0
 * (or is 0), that output is summed again relative to its own largest term.
 */
#include "cpu_product.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 384, ROW_PIECE = 168, COLUMN_PIECE = 2048, LOG_DEPTH = 8192, MOST_ROWS = 16 };

struct memory {
  real *rows, *columns;         /* panels */
  real *row_most, *column_most; /* log domain: the largest value of each */
  /* log domain: bit k % 64 where a value of summand k is not minus infinity */
  uint64_t *row_some, *column_some;
  real *tile;                                         /* rows x columns of the instruction set */
  real *terms;                                        /* of one output */
  size_t *bases;                                      /* [function]: of this batch index */
  size_t packed_batch, packed_column, packed_summand; /* what `columns` holds */
  size_t output; /* where the outputs of this batch index start */
};

/* ---- tables of places ---- */

static size_t stride_of(const struct mpf_bucket *bucket, unsigned f, unsigned variable)
{
  return bucket->strides[(size_t)f * bucket->variable_count + variable];
}

/* Appends the values of a variable, as the more significant one, to a table of sums. */
static size_t expand(size_t *table, size_t length, size_t values, size_t stride)
{
  for (size_t k = 1; k < values; k++)
    for (size_t i = 0; i < length; i++) table[k * length + i] = table[i] + k * stride;
  return length * values;
}

static size_t output_stride(const struct mpf_bucket *bucket, unsigned variable)
{
  size_t stride = 1;

  for (unsigned v = variable + 1; v < bucket->output_count; v++) stride *= bucket->domains[v];
  return stride;
}

static int build_side(struct mpf_side *side, const struct mpf_bucket *bucket,
                      const struct mpf_split *split, unsigned kind, unsigned unit)
{
  side->unit = unit;
  side->length = split->sizes[kind];
  for (unsigned f = 0; f < bucket->function_count; f++)
    if ((split->columns >> f & 1) == (kind == MPF_COLUMN)) side->functions[side->count++] = f;
  side->places = calloc(side->count * side->length + 1, sizeof *side->places);
  side->outputs = calloc(side->length + 1, sizeof *side->outputs);
  if (!side->places || !side->outputs) return -1;
  size_t length = 1;
  for (unsigned v = bucket->output_count; v-- > 0;) {
    if (split->kinds[v] != kind) continue;
    for (unsigned i = 0; i < side->count; i++)
      expand(side->places + i * side->length, length, bucket->domains[v],
             stride_of(bucket, side->functions[i], v));
    length = expand(side->outputs, length, bucket->domains[v], output_stride(bucket, v));
  }
  return 0;
}

static int build_sums(struct mpf_product *product)
{
  const struct mpf_bucket *bucket = product->bucket;

  product->sums = calloc(bucket->function_count * bucket->summands + 1, sizeof *product->sums);
  if (!product->sums) return -1;
  for (unsigned f = 0; f < bucket->function_count; f++) {
    size_t length = 1;
    for (unsigned v = bucket->variable_count; v-- > bucket->output_count;)
      length = expand(product->sums + f * bucket->summands, length, bucket->domains[v],
                      stride_of(bucket, f, v));
  }
  return 0;
}

int mpf_product_begin(struct mpf_product *product, const struct mpf_bucket *bucket,
                      const struct mpf_cpu_isa *isa, enum mpf_domain domain,
                      const real *const *tables, const struct mpf_split *split, unsigned threads,
                      real *output)
{
  *product = (struct mpf_product){
      .bucket = bucket, .isa = isa, .domain = domain, .tables = tables, .output = output};
  product->batch = split->sizes[MPF_BATCH];
  product->depth = domain == MPF_LOG || bucket->summands < 2 * DEPTH ? bucket->summands : DEPTH;
  product->batch_variables = calloc(bucket->output_count + 1, sizeof *product->batch_variables);
  if (domain == MPF_LOG && bucket->summands > LOG_DEPTH) return -1;
  if (!product->batch_variables || build_side(&product->rows, bucket, split, MPF_ROW, isa->rows) ||
      build_side(&product->columns, bucket, split, MPF_COLUMN, isa->columns) || build_sums(product))
    return -1;
  for (unsigned v = 0; v < bucket->output_count; v++)
    if (split->kinds[v] == MPF_BATCH) product->batch_variables[product->batch_count++] = v;
  size_t parts = threads > 1 ? (4 * threads + product->batch - 1) / product->batch : 1,
         rows = product->rows.length;
  product->row_chunk = ((rows + parts - 1) / parts + isa->rows - 1) / isa->rows * isa->rows;
  product->chunks = (rows + product->row_chunk - 1) / product->row_chunk;
  product->units = product->batch * product->chunks;
  return 0;
}

static void side_free(struct mpf_side *side)
{
  free(side->places);
  free(side->outputs);
}

void mpf_product_end(struct mpf_product *product)
{
  side_free(&product->rows);
  side_free(&product->columns);
  free(product->batch_variables);
  free(product->sums);
}

/* ---- a thread's memory ---- */

static real *panels(size_t length, unsigned unit, size_t depth)
{
  return aligned_alloc(64, ((length + unit) * depth * sizeof(real) + 63) / 64 * 64);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static struct memory *memory_create(const struct mpf_product *product)
{
  struct memory *memory = calloc(1, sizeof *memory);
  size_t depth = least(product->depth + 1, product->bucket->summands + 1);

  if (!memory) return NULL;
  memory->rows = panels(least(product->row_chunk, ROW_PIECE), product->isa->rows, depth);
  memory->columns =
      panels(least(product->columns.length, COLUMN_PIECE), product->isa->columns, depth);
  memory->row_most = calloc(ROW_PIECE + product->isa->rows, sizeof(real));
  memory->column_most = calloc(COLUMN_PIECE + product->isa->columns, sizeof(real));
  memory->row_some = calloc(ROW_PIECE + product->isa->rows, sizeof(uint64_t));
  memory->column_some = calloc(COLUMN_PIECE + product->isa->columns, sizeof(uint64_t));
  memory->tile = panels(product->isa->rows, product->isa->rows, product->isa->columns);
  memory->terms = calloc(product->bucket->summands + 1, sizeof(real));
  memory->bases = calloc(product->bucket->function_count + 1, sizeof *memory->bases);
  memory->packed_batch = (size_t)-1;
  if (memory->rows && memory->columns && memory->row_most && memory->column_most &&
      memory->row_some && memory->column_some && memory->tile && memory->terms && memory->bases)
    return memory;
  mpf_product_forget(memory);
  return NULL;
}

void mpf_product_forget(void *pointer)
{
  struct memory *memory = pointer;

  if (!memory) return;
  free(memory->rows);
  free(memory->columns);
  free(memory->row_most);
  free(memory->column_most);
  free(memory->row_some);
  free(memory->column_some);
  free(memory->tile);
  free(memory->terms);
  free(memory->bases);
  free(memory);
}

/* ---- packing ---- */

/* One function's values for `count` rows, of `depth` summands from `from` on, into
 * panel[summand][row]. */
static void pack_function(const real *table, const size_t *places, size_t count, const size_t *sums,
                          size_t depth, unsigned unit, int operation, real *panel)
{
  for (size_t r = 0; r < count; r++) {
    const real *values = table + places[r];
    real *to = panel + r;
    switch (operation) {
    case 0:
      for (size_t k = 0; k < depth; k++, to += unit) *to = values[sums[k]];
      break;
    case 1:
      for (size_t k = 0; k < depth; k++, to += unit) *to *= values[sums[k]];
      break;
    default:
      for (size_t k = 0; k < depth; k++, to += unit) *to += values[sums[k]];
      break;
    }
  }
}

static void to_exponentials(const struct mpf_product *product, real *panel, unsigned unit,
                            size_t depth, real *most, uint64_t *some)
{
  for (unsigned r = 0; r < unit; r++) most[r] = -INFINITY, some[r] = 0;
  for (size_t k = 0; k < depth; k++)
    for (unsigned r = 0; r < unit; r++) {
      most[r] = panel[k * unit + r] > most[r] ? panel[k * unit + r] : most[r];
      some[r] |= (uint64_t)(panel[k * unit + r] > -INFINITY) << k % 64;
    }
  for (size_t k = 0; k < depth; k++)
    for (unsigned r = 0; r < unit; r++)
      panel[k * unit + r] = most[r] == -INFINITY ? -INFINITY : panel[k * unit + r] - most[r];
  product->isa->exp2_all(panel, depth * unit);
}

/* Rows (or columns) [first, first + count) as panels; `most` and `some` are theirs too. */
static void pack(const struct mpf_product *product, const struct mpf_side *side,
                 const struct memory *memory, size_t first, size_t count, size_t summand,
                 size_t depth, real *panel, real *most, uint64_t *some)
{
  for (size_t r = 0; r < count;
       r += side->unit, panel += side->unit * depth, most += side->unit, some += side->unit) {
    size_t here = least(side->unit, count - r);
    if (here < side->unit) memset(panel, 0, side->unit * depth * sizeof *panel);
    for (unsigned i = 0; i < side->count; i++) {
      unsigned f = side->functions[i];
      pack_function(product->tables[f] + memory->bases[f],
                    side->places + i * side->length + first + r, here,
                    product->sums + f * product->bucket->summands + summand, depth, side->unit,
                    i == 0                          ? 0
                    : product->domain == MPF_LINEAR ? 1
                                                    : 2,
                    panel);
    }
    if (product->domain == MPF_LOG) to_exponentials(product, panel, side->unit, depth, most, some);
  }
}

/* ---- outputs ---- */

/* One output of the log domain by its definition. */
static real sum_again(const struct mpf_product *product, const struct memory *memory, size_t row,
                      size_t column)
{
  size_t summands = product->bucket->summands;
  real most = -INFINITY, sum = 0, *terms = memory->terms;
  const struct mpf_side *sides[] = {&product->rows, &product->columns};
  size_t at[] = {row, column};

  memset(terms, 0, summands * sizeof *terms);
  for (int s = 0; s < 2; s++)
    for (unsigned i = 0; i < sides[s]->count; i++) {
      unsigned f = sides[s]->functions[i];
      const real *values =
          product->tables[f] + memory->bases[f] + sides[s]->places[i * sides[s]->length + at[s]];
      const size_t *sums = product->sums + f * summands;
      for (size_t k = 0; k < summands; k++) terms[k] += values[sums[k]];
    }
  for (size_t k = 0; k < summands; k++) most = terms[k] > most ? terms[k] : most;
  if (most == -INFINITY) return most;
  for (size_t k = 0; k < summands; k++) terms[k] -= most;
  product->isa->exp2_all(terms, summands);
  for (size_t k = 0; k < summands; k++) sum += terms[k];
  product->isa->log2_all(&sum, 1);
  return most + sum;
}

/* The tile in the log domain, in place; it starts at a row and a column of what is packed. */
static void to_logarithms(const struct mpf_product *product, const struct memory *memory,
                          real *const *tile, size_t first_row, size_t piece_row, size_t rows,
                          size_t first_column, size_t piece_column, size_t columns)
{
  const real *row_most = memory->row_most + piece_row,
             *column_most = memory->column_most + piece_column;
  const real least_log = sizeof(real) == sizeof(float) ? -80 : -900;

  for (size_t r = 0; r < rows; r++) {
    product->isa->log2_all(tile[r], columns);
    for (size_t c = 0; c < columns; c++) {
      real *value = &tile[r][c];
      /* no summand has both */
      if (!(memory->row_some[piece_row + r] & memory->column_some[piece_column + c]))
        *value = -INFINITY;
      else if (*value < least_log)
        *value =
            sum_again(product, memory, first_row + piece_row + r, first_column + piece_column + c);
      else
        *value += row_most[r] + column_most[c];
    }
  }
}

static void store(const struct mpf_product *product, const struct memory *memory, size_t row,
                  size_t rows, size_t column, size_t columns, bool add)
{
  const size_t *places = product->columns.outputs + column;

  for (size_t r = 0; r < rows; r++) {
    real *to = product->output + memory->output + product->rows.outputs[row + r];
    const real *tile = memory->tile + r * product->isa->columns;
    for (size_t c = 0; c < columns; c++) to[places[c]] = add ? to[places[c]] + tile[c] : tile[c];
  }
}

/* Rows of the tile: in the output itself where it is a full tile of neighbouring columns; whether
 * it is. */
static bool find_rows(const struct mpf_product *product, const struct memory *memory, size_t row,
                      size_t rows, size_t column, size_t columns, real **ret)
{
  const size_t *places = product->columns.outputs + column;
  unsigned height = product->isa->rows, width = product->isa->columns;
  bool direct = rows == height && columns == width && places[width - 1] - places[0] == width - 1;

  for (unsigned r = 0; r < height; r++)
    ret[r] = direct ? product->output + memory->output + product->rows.outputs[row + r] + places[0]
                    : memory->tile + r * width;
  return direct;
}

/* ---- the loops ---- */

static void multiply_pieces(const struct mpf_product *product, const struct memory *memory,
                            size_t row, size_t rows, size_t column, size_t columns, size_t depth,
                            bool add)
{
  unsigned height = product->isa->rows, width = product->isa->columns;

  for (size_t c = 0; c < columns; c += width)
    for (size_t r = 0; r < rows; r += height) {
      size_t here = least(height, rows - r), wide = least(width, columns - c);
      real *tile[MOST_ROWS];
      bool direct = find_rows(product, memory, row + r, here, column + c, wide, tile);
      product->isa->multiply(depth, memory->rows + r * depth, memory->columns + c * depth, tile,
                             direct && add);
      if (product->domain == MPF_LOG)
        to_logarithms(product, memory, tile, row, r, here, column, c, wide);
      if (!direct) store(product, memory, row + r, here, column + c, wide, add);
    }
}

static void seek(const struct mpf_product *product, struct memory *memory, size_t batch)
{
  const struct mpf_bucket *bucket = product->bucket;

  memset(memory->bases, 0, bucket->function_count * sizeof *memory->bases);
  memory->output = 0;
  for (unsigned i = product->batch_count; i-- > 0;) {
    unsigned v = product->batch_variables[i];
    size_t value = batch % bucket->domains[v];
    batch /= bucket->domains[v];
    memory->output += value * output_stride(bucket, v);
    for (unsigned f = 0; f < bucket->function_count; f++)
      memory->bases[f] += value * stride_of(bucket, f, v);
  }
}

int mpf_product_unit(void *context, size_t unit, void **pointer)
{
  const struct mpf_product *product = context;
  struct memory *memory = *pointer ? *pointer : (*pointer = memory_create(product));
  size_t batch = unit / product->chunks, first = unit % product->chunks * product->row_chunk;
  size_t end = least(first + product->row_chunk, product->rows.length),
         summands = product->bucket->summands;
  size_t row_piece = ROW_PIECE / product->isa->rows * product->isa->rows;

  if (!memory) return -1;
  seek(product, memory, batch);
  for (size_t c = 0; c < product->columns.length; c += COLUMN_PIECE)
    for (size_t k = 0; k < summands; k += product->depth) {
      size_t columns = least(COLUMN_PIECE, product->columns.length - c),
             depth = least(product->depth, summands - k);
      if (memory->packed_batch != batch || memory->packed_column != c ||
          memory->packed_summand != k)
        pack(product, &product->columns, memory, c, columns, k, depth, memory->columns,
             memory->column_most, memory->column_some);
      memory->packed_batch = batch, memory->packed_column = c, memory->packed_summand = k;
      for (size_t r = first; r < end; r += row_piece) {
        size_t rows = least(row_piece, end - r);
        pack(product, &product->rows, memory, r, rows, k, depth, memory->rows, memory->row_most,
             memory->row_some);
        multiply_pieces(product, memory, r, rows, c, columns, depth, k > 0);
      }
    }
  return 0;
}
