/* SPDX-License-Identifier: MIT */
/* explain_picture.c - an array of a kernel as SVG: the grid with one block marked, the elements of
 * the array that the block uses, with their halo, and the copy of them in shared memory.
 *
 *     grid             in                   tile 18 x 18
 *     . . . .          +------------+       +----+
 *     . # . .  - - ->  |  ==##==    | - ->  |    |
 *     . . . .          +------------+       +----+
 *     8 x 1024 blocks  rows 18 of 516
 *
 * Sizes are drawn in proportion as far as they stay visible. Each is also a number, in a tspan
 * whose attribute data-is has its name in --explain=json.
 */
#include <string.h>

#include "translator/driver/explain_page.h"
#include "translator/plot/markup.h"

enum {
  WIDTH = 480,
  TOP = 30,
  GRID_X = 4,
  CELL = 16,
  ARRAY_X = 160,
  ARRAY_WIDE = 150,
  ARRAY_HIGH = 104,
  COPY_X = 362,
  COPY_SIDE = 96,
  MOST_CELLS = 6
};

struct side { /* a side of the picture of the array, along one of its dimensions; in user units */
  double begin, own, front, behind; /* the marked block's elements; front, behind: halo */
  double step;                      /* distance to the next block's elements; 0: there is none */
};

struct picture {
  struct arena *arena;
  struct text *out;
  const struct kernel_facts *facts; /* NULL: unknown */
  const struct explained_array *array;
  const struct decision *copied; /* NULL: no copy */
  double floor;                  /* the lowest line of the drawing, above the words */
};

/* ---- numbers ---- */

static const char *number_of(struct arena *arena, int64_t number)
{
  return number > 0 ? arena_format(arena, "%lld", (long long)number) : "?";
}

/* "8" as <tspan data-is="grid-0">8</tspan> */
static const char *marked(struct picture *p, const char *is, unsigned i, int64_t number)
{
  return arena_format(p->arena, "<tspan data-is=\"%s-%u\">%s</tspan>", is, i,
                      number_of(p->arena, number));
}

/* Text that is markup. */
static void add_words(struct picture *p, const char *class, double x, double y, const char *words)
{
  text_format(p->out, "<text class=\"%s\" x=\"%.5g\" y=\"%.5g\">%s</text>\n", class, x, y, words);
}

/* "8 x 1024 blocks": three numbers where the third is not 1 */
static const char *shape(struct picture *p, const char *is, const int64_t of[3], const char *what)
{
  const char *text = marked(p, is, 0, of[0]);
  for (unsigned axis = 1; axis < (of[2] == 1 ? 2 : 3); axis++)
    text = arena_format(p->arena, "%s \xc3\x97 %s", text, marked(p, is, axis, of[axis]));
  return arena_format(p->arena, "%s %s", text, what);
}

/* ---- the grid ---- */

static unsigned cells(int64_t blocks)
{
  return blocks < 1 ? 4 : blocks < MOST_CELLS ? (unsigned)blocks : MOST_CELLS;
}

/* The marked block is the second along each axis, where there are two. */
static bool is_marked(unsigned cell, unsigned count) { return cell == (count > 1); }

static void add_grid(struct picture *p, double *ret_x, double *ret_y)
{
  static const int64_t unknown[3] = {-1, -1, -1};
  const int64_t *grid = p->facts ? p->facts->grid : unknown,
                *block = p->facts ? p->facts->block : unknown;
  unsigned wide = cells(grid[0]), high = cells(grid[1]);
  double side = CELL;
  markup_text(p->out, "t", ANCHOR_START, GRID_X, 16, "grid");
  for (unsigned y = 0; y < high; y++)
    for (unsigned x = 0; x < wide; x++)
      markup_rect(p->out, is_marked(x, wide) && is_marked(y, high) ? "own" : "cell",
                  GRID_X + x * side, TOP + y * side, side - 3, side - 3);
  if (grid[0] > MOST_CELLS)
    markup_text(p->out, "s", ANCHOR_START, GRID_X + wide * side, TOP + side - 5, "\xe2\x80\xa6");
  if (grid[1] > MOST_CELLS)
    markup_text(p->out, "s", ANCHOR_START, GRID_X + 3, TOP + high * side + 9, "\xe2\x8b\xae");
  *ret_x = GRID_X + (wide > 1) * side + side - 3;
  *ret_y = TOP + (high > 1) * side + (side - 3) / 2;
  add_words(p, "n", GRID_X, p->floor + 18, shape(p, "grid", grid, "blocks"));
  add_words(p, "n", GRID_X, p->floor + 34,
            arena_format(p->arena, "of %s", shape(p, "block", block, "threads")));
}

/* ---- the array ---- */

static double between(double least, double value, double most)
{
  return value < least ? least : value > most ? most : value;
}

/* The side of a dimension in a picture of `length`. A size of the whole extent fills it. */
static struct side side_of(const struct explained_dim *dim, double length)
{
  struct side side = {0, length, 0, 0, 0};
  if (!dim || dim->size <= 0 || dim->size == dim->extent) return side;
  int64_t halo = dim->halo[0] + dim->halo[1], own = dim->size - halo;
  double share = dim->extent > 0 ? (double)own / (double)dim->extent : 0.25;
  side.own = between(halo ? 18 : 12, share * length, dim->axis >= 0 ? 0.3 * length : 0.6 * length);
  double each = side.own / (double)own;
  if (dim->halo[0]) side.front = between(3.5, (double)dim->halo[0] * each, 0.1 * length);
  if (dim->halo[1]) side.behind = between(3.5, (double)dim->halo[1] * each, 0.1 * length);
  if (dim->axis >= 0)
    side.step = dim->step < own ? between(3, side.own * (double)dim->step / (double)own, side.own)
                                : side.own;
  side.begin = side.step;
  return side;
}

/* Draws the block before the marked one and the two after it, as far as they are within the
 * array. */
static void add_neighbours(struct picture *p, const struct side *x, const struct side *y,
                           double wide, double high)
{
  for (int i = -1; i <= 2; i++)
    for (int j = -1; j <= 2; j++) {
      double left = x->begin + i * x->step, top = y->begin + j * y->step;
      if ((!i && !j) || (i && x->step <= 0) || (j && y->step <= 0)) continue;
      if (left < 0 || top < 0 || left + x->own > wide || top + y->own > high) continue;
      markup_rect(p->out, "other", ARRAY_X + left, TOP + top, x->own, y->own);
    }
}

/* "18 of 516 (halo 1 + 1)" */
static const char *dimension_words(struct picture *p, unsigned d)
{
  const struct explained_dim *dim = &p->array->dims[d];
  const char *text = marked(p, "size", d, dim->size);
  if (dim->extent > 0)
    text = arena_format(p->arena, "%s of %s", text, marked(p, "extent", d, dim->extent));
  if (dim->halo[0] || dim->halo[1])
    text = arena_format(p->arena,
                        "%s, halo <tspan data-is=\"front-%u\">%lld</tspan> + "
                        "<tspan data-is=\"behind-%u\">%lld</tspan>",
                        text, d, (long long)dim->halo[0], d, (long long)dim->halo[1]);
  return text;
}

/* The numbers of up to three dimensions, the innermost in the lowest line. */
static void add_dimension_words(struct picture *p)
{
  unsigned count = p->array->dim_count, shown = count < 3 ? count : 3;
  for (unsigned i = 0; i < shown; i++) {
    unsigned d = count - 1 - i;
    const char *name = count == 1 ? "" : i == 0 ? "columns " : i == 1 ? "rows " : "layers ";
    add_words(p, "n", ARRAY_X, p->floor + 2 + 16.0 * (shown - i),
              arena_format(p->arena, "%s%s", name, dimension_words(p, d)));
  }
}

static double array_height(const struct picture *p)
{
  return p->array->dim_count > 1 ? ARRAY_HIGH : 26;
}

static void add_array(struct picture *p, double from_x, double from_y, double *ret_x, double *ret_y)
{
  unsigned count = p->array->dim_count;
  double wide = ARRAY_WIDE, high = array_height(p);
  struct side x = side_of(&p->array->dims[count - 1], wide),
              y = side_of(count > 1 ? &p->array->dims[count - 2] : NULL, high);
  markup_text(p->out, "t", ANCHOR_START, ARRAY_X, 16, p->array->var->name);
  markup_rect(p->out, "array", ARRAY_X, TOP, wide, high);
  add_neighbours(p, &x, &y, wide, high);
  if (x.front + x.behind + y.front + y.behind > 0)
    markup_rect(p->out, "halo", ARRAY_X + x.begin - x.front, TOP + y.begin - y.front,
                x.front + x.own + x.behind, y.front + y.own + y.behind);
  markup_rect(p->out, "own", ARRAY_X + x.begin, TOP + y.begin, x.own, y.own);
  markup_line(p->out, "lead", from_x, from_y, ARRAY_X + x.begin - x.front,
              TOP + y.begin + y.own / 2);
  *ret_x = ARRAY_X + x.begin + x.own + x.behind;
  *ret_y = TOP + y.begin + y.own / 2;
  add_dimension_words(p);
}

/* ---- the copy ---- */

static double proportion(int64_t size, int64_t other)
{
  if (size <= 0 || other <= 0) return 0.5;
  return size >= other ? 1 : between(0.16, (double)size / (double)other, 1);
}

static void copy_shape(const struct decision *d, double *ret_wide, double *ret_high)
{
  const int64_t *inner = &d->copy[d->copy_dims - 1];
  int64_t rows = d->copy_dims > 1 ? inner[-1] : 1;
  *ret_wide = COPY_SIDE * proportion(*inner, rows);
  *ret_high = COPY_SIDE * proportion(rows, *inner);
}

static void add_copy(struct picture *p, double from_x, double from_y)
{
  const struct decision *d = p->copied;
  const char *words = d && d->kind == DECISION_TILES ? "tile " : "copy ";
  double wide, high;
  if (!d) {
    markup_text(p->out, "s", ANCHOR_START, COPY_X, TOP + 10, "not copied to");
    markup_text(p->out, "s", ANCHOR_START, COPY_X, TOP + 26, "shared memory");
    return;
  }
  for (unsigned i = 0; i < d->copy_dims; i++)
    words = arena_format(p->arena, "%s%s%s", words, i ? " \xc3\x97 " : "",
                         marked(p, "copy", i, d->copy[i]));
  copy_shape(d, &wide, &high);
  add_words(p, "t", COPY_X, 16, words);
  markup_rect(p->out, "own", COPY_X, TOP, wide, high);
  markup_line(p->out, "lead", from_x, from_y, COPY_X, TOP + high / 2);
}

/* ---- the picture ---- */

static const struct decision *copy_of(const struct explained_kernel *kernel, const char *array)
{
  for (unsigned i = 0; i < kernel->found.decisions.count; i++) {
    const struct decision *d = &kernel->found.decisions.items[i];
    if (d->taken && d->copy_dims && d->array && !strcmp(d->array, array)) return d;
  }
  return NULL;
}

/* Under the grid, the array and the copy. */
static double floor_of(const struct picture *p)
{
  unsigned rows = cells(p->facts ? p->facts->grid[1] : -1);
  bool more = p->facts && p->facts->grid[1] > MOST_CELLS;
  double high = rows * CELL + (more ? 12 : 0), wide, copy = 26;
  if (high < array_height(p)) high = array_height(p);
  if (p->copied) copy_shape(p->copied, &wide, &copy);
  return TOP + (high < copy ? copy : high);
}

void page_add_picture(const struct page_kernel *k, unsigned number, struct text *out)
{
  const struct explained_array *array = &k->kernel->arrays[number];
  struct picture p = {k->program->arena,
                      out,
                      k->kernel->has_facts ? &k->kernel->facts : NULL,
                      array,
                      copy_of(k->kernel, array->var->name),
                      0};
  double x, y, height;
  if (!array->dim_count) return;
  p.floor = floor_of(&p);
  height = p.floor + (array->dim_count > 2 ? 58 : 42);
  text_format(out,
              "<svg class=\"picture\" viewBox=\"0 0 %d %g\" role=\"img\" "
              "aria-label=\"grid, block, tile and halo\" data-array=\"%u-%u\">\n",
              WIDTH, height, k->number, number);
  add_grid(&p, &x, &y);
  add_array(&p, x, y, &x, &y);
  add_copy(&p, x, y);
  text_add(out, "</svg>\n");
}
