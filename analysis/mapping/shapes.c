/* SPDX-License-Identifier: MIT */
/* shapes.c - the shapes that tile_plan.c compares.
 *
 *     128 x 64 elements for 16 x 8 threads, 16 iterations a tile
 *         =>     8 x 8 elements a thread, 4 neighbours at a time
 *     64 x 64 elements for 8 x 16 threads, on tensor cores
 *         =>     four warps, 32 x 32 elements each
 *
 * The shapes on tensor cores take sums of products of doubles in another order (product.h). They
 * are for -O3, for targets with faster tensor cores, and for kernels with such sums.
 */
#include "analysis/mapping/mapping.h"

#include "analysis/mapping/tile/product.h"

static const struct shape shapes_2d[] = {
    {{{128, 64}, {16, 8}, {4, 4}, 0, false}, 16, false, false},
    {{{64, 64}, {16, 8}, {4, 4}, 0, false}, 16, false, true},
    {{{256, 64}, {32, 8}, {4, 4}, 0, false}, 16, false, false},
    {{{128, 128}, {16, 16}, {4, 4}, 0, false}, 16, false, false},
    {{{64, 64}, {8, 8}, {4, 4}, 0, false}, 16, false, false},
    {{{64, 64}, {16, 16}, {4, 4}, 0, false}, 16, false, false},
    {{{128, 32}, {16, 8}, {4, 4}, 0, false}, 16, false, false},
    {{{64, 32}, {8, 8}, {4, 4}, 0, false}, 16, false, false},
    {{{32, 32}, {8, 8}, {4, 4}, 0, false}, 32, false, false},
    {{{32, 32}, {16, 16}, {2, 2}, 0, false}, 32, false, false},
    {{{64, 16}, {32, 8}, {1, 1}, 0, false}, 16, false, false},
};

static const struct shape shapes_1d[] = {
    {{{128, 1}, {128, 1}, {1, 1}, 0, false}, 128, false, false},
    {{{256, 1}, {128, 1}, {1, 1}, 0, false}, 128, false, false},
    {{{512, 1}, {128, 1}, {1, 1}, 0, false}, 128, false, false},
    {{{32, 1}, {32, 1}, {1, 1}, 0, false}, 128, true, false},
    {{{32, 1}, {32, 1}, {1, 1}, 0, false}, 64, true, false},
    {{{64, 1}, {64, 1}, {1, 1}, 0, false}, 64, true, false},
    {{{64, 1}, {64, 1}, {1, 1}, 0, false}, 32, true, false},
    {{{128, 1}, {128, 1}, {1, 1}, 0, false}, 32, true, false},
};

/* more arrays find room, where a loop stores into some */
static const struct shape shapes_stores[] = {
    {{{32, 1}, {32, 1}, {1, 1}, 0, false}, 32, true, false},
    {{{32, 1}, {32, 1}, {1, 1}, 0, false}, 16, true, false},
};

static const struct shape shapes_products[] = {
    {{{64, 64}, {8, 16}, {2, 1}, 0, true}, 16, false, false},
    {{{64, 64}, {8, 16}, {2, 1}, 0, true}, 8, false, false},
    {{{128, 64}, {8, 16}, {2, 1}, 0, true}, 8, false, false},
    {{{128, 32}, {16, 8}, {2, 1}, 0, true}, 16, false, false},
    {{{64, 32}, {8, 16}, {2, 1}, 0, true}, 16, false, false},
    {{{32, 32}, {4, 16}, {2, 1}, 0, true}, 16, false, false},
};

struct geometry map_fitted(const struct mapping *m, const struct shape *shape)
{
  struct geometry geometry = shape->geometry;

  for (int axis = 0; axis < 2; axis++)
    while (geometry.vector[axis] > 1 && geometry.vector[axis] * m->element > 16 &&
           !geometry.fragments)
      geometry.vector[axis] /= 2;
  return geometry;
}

/* The bytes of the widest number in the kernel's arrays, which decide how many neighbours fit 16
 * bytes. */
static int64_t widest_element(const struct code *code)
{
  int64_t widest = 4;

  for (unsigned i = 0; i < code->access.arrays.count; i++) {
    int64_t size = code->access.arrays.items[i]->element->size;
    widest = size == 8 || size == 16 ? (size > widest ? size : widest) : widest;
  }
  return widest;
}

static bool stores_in_loop(const struct code *code)
{
  for (unsigned i = 0; i < code->access.arrays.count; i++) {
    const struct array *array = code->access.arrays.items[i];
    for (unsigned k = 0; k < array->accesses.count; k++)
      if (array->accesses.items[k].write && array->accesses.items[k].nest) return true;
  }
  return false;
}

static bool has_doubles(const struct ir_function *kernel)
{
  for (unsigned i = 0; i < kernel->var_count; i++) {
    const struct ir_var *var = kernel->vars[i];
    if (var->kind == IR_VAR_LOCAL && var->type->kind == IR_TYPE_FLOAT && var->type->size == 8)
      return true;
  }
  return false;
}

static bool is_wanted(const struct mapping *m, const struct shape *shape)
{
  const struct mapping_shape *wanted = &m->options->mapping_shape;

  for (int axis = 0; axis < 2; axis++)
    if (shape->geometry.block[axis] != wanted->block[axis]) return false;
  return true;
}

static bool may_take_products(const struct mapping *m, const struct shape *shape)
{
  const struct plan_options *options = m->options;
  bool by_user = options->mapping == MAPPING_BLOCK && options->mapping_shape.products,
       faster = m->target->products > 1;

  return !m->no_products && options->associative && options->products != PRODUCTS_NEVER &&
         (by_user || faster || options->products == PRODUCTS_ALWAYS) &&
         has_doubles(m->from->facts.kernel) && products_fit(&shape->geometry);
}

bool map_tries(const struct mapping *m, const struct shape *shape)
{
  if (m->options->mapping == MAPPING_BLOCK && !is_wanted(m, shape)) return false;
  return shape->geometry.fragments ? may_take_products(m, shape) : !shape->wide || m->element == 8;
}

/* The shape that the user gives, for measurements. */
static struct shape shape_given(const struct mapping_shape *given)
{
  struct shape shape = {.tile = given->tile ? given->tile : 16};

  for (int axis = 0; axis < 2; axis++) {
    int64_t factor = given->block[axis] / given->threads[axis];
    shape.geometry.block[axis] = given->block[axis];
    shape.geometry.threads[axis] = given->threads[axis];
    shape.geometry.vector[axis] = given->products   ? 2 - axis
                                  : factor % 4 == 0 ? 4
                                  : factor % 2 == 0 ? 2
                                                    : 1;
  }
  shape.geometry.fragments = given->products;
  return shape;
}

static void add_shapes(struct mapping *m, struct shape *all, const struct shape *shapes,
                       size_t count)
{
  for (size_t i = 0; i < count && m->shape_count < MOST_SHAPES; i++)
    all[m->shape_count++] = shapes[i];
}

void map_shapes(struct mapping *m)
{
  struct shape *all = arena_alloc(m->from->arena, MOST_SHAPES * sizeof *all);

  m->element = widest_element(m->from);
  m->shapes = all;
  if (m->options->mapping == MAPPING_BLOCK && m->options->mapping_shape.threads[0]) {
    struct shape given = shape_given(&m->options->mapping_shape);
    add_shapes(m, all, &given, 1);
  } else if (m->flat) {
    add_shapes(m, all, shapes_1d, sizeof shapes_1d / sizeof *shapes_1d);
    if (stores_in_loop(m->from))
      add_shapes(m, all, shapes_stores, sizeof shapes_stores / sizeof *shapes_stores);
  } else {
    add_shapes(m, all, shapes_2d, sizeof shapes_2d / sizeof *shapes_2d);
    add_shapes(m, all, shapes_products, sizeof shapes_products / sizeof *shapes_products);
  }
}

void map_prefer_products(struct mapping *m)
{
  bool found = false;

  for (unsigned i = 0; i < m->shape_count && m->options->products == PRODUCTS_ALWAYS; i++)
    found |= m->shapes[i].geometry.fragments && m->loads[i].count;
  for (unsigned i = 0; i < m->shape_count && found; i++)
    if (!m->shapes[i].geometry.fragments) m->loads[i].count = 0;
}
