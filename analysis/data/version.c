/* SPDX-License-Identifier: MIT */
/* version.c - the name that host code has for a launch's elements along z. */
#include "analysis/data/version.h"

static const struct ir_type wide = {
    .kind = IR_TYPE_INT, .spelling = "long long", .size = 8, .align = 8, .is_signed = true};

struct ir_var version_total_z = {.kind = IR_VAR_HOST, .name = "_total_z", .type = &wide};
