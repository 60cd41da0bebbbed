/* SPDX-License-Identifier: MIT */
/* rounding_pin.h - products that the kernel as written stores are rounded where they stay in
 * registers, too. */
#ifndef MESI_ANALYSIS_ROUNDING_PIN_H
#define MESI_ANALYSIS_ROUNDING_PIN_H

#include "analysis/code/code.h"

/* The body, with each product rounded that may reach one of the variables, or elements of them. */
struct ir_stmt *rounding_pin(const struct code *, struct ir_stmt *body,
                             const struct ir_var *const *vars, unsigned count);
/* Likewise a value of which nothing but arrays and parameters are parts. */
struct ir_expr *rounding_pin_value(const struct code *, struct ir_expr *value);

/* Of sums of two products, the one that nvcc rounds as written (rounding_pairs.c). */
struct ir_stmt *rounding_pin_pairs(struct code *, struct ir_stmt *body);
/* The product of two factors, which no sum is fused with. */
struct ir_expr *rounding_pin_product(struct arena *, const struct ir_expr *product,
                                     struct ir_expr *left, struct ir_expr *right);

/* May an element of the parameter get a product? Requires: a scan. */
bool rounding_stores_product(const struct code *, const struct ir_var *param);

/* Can nvcc tell by itself that no access to the one reaches the other's memory? */
bool rounding_apart(const struct ir_var *, const struct ir_var *);

#endif
