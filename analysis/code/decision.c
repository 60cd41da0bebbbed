/* SPDX-License-Identifier: MIT */
/* decision.c - names of decisions and bounds. */
#include "analysis/code/decision.h"

static const struct {
  const char *name, *title;
} kinds[DECISION_COUNT] = {
#define DECISION(id, name, title) {name, title},
#include "analysis/code/decision.def"
#undef DECISION
};

static const char *const bounds[BOUND_COUNT] = {"unknown",
                                                "instruction issue",
                                                "a block between its barriers",
                                                "the load/store unit",
                                                "latency of device memory",
                                                "bandwidth of device memory"};

const char *decision_name(enum decision_kind kind) { return kinds[kind].name; }

const char *decision_title(enum decision_kind kind) { return kinds[kind].title; }

const char *bound_name(enum bound bound) { return bounds[bound]; }
