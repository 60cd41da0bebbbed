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

/* Can nvcc tell by itself that no access to the one reaches the other's memory? */
bool rounding_apart(const struct ir_var *, const struct ir_var *);

#endif
