/* SPDX-License-Identifier: MIT */
/* host_internal.h - the members of host_index, shared by host_index.c and host_text.c only. */
#ifndef MESI_ANALYSIS_HOST_INTERNAL_H
#define MESI_ANALYSIS_HOST_INTERNAL_H

#include "analysis/host/host_index.h"
#include "analysis/host/host_map.h"

struct host_word {  /* an identifier in the text of a file */
  const char *text; /* not terminated */
  unsigned length;
  unsigned file, begin;
  bool in_directive; /* it is in a # line */
  bool is_member;    /* . or -> in front */
  bool is_used;      /* it is a use in lowered code; known once its name was asked for */
};

struct host_index {
  struct arena *arena;
  struct unit *unit;
  bool truncated;
  bool launches_known; /* host_launches_analyze has run: results about statements are kept */
  struct host_map nodes, stmts, vars;
  struct host_function *functions; /* by function id */
  struct host_node **launches;     /* by launch id */
  LIST_OF(struct host_node *) node_list;
  LIST_OF(struct host_var *) var_list;
  /* The variables of var_list with a name, sorted by it; made at the first request. */
  LIST_OF(struct host_var *) by_name;
  /* First in order of file and offset; later sorted by text, then in that order. */
  LIST_OF(struct host_word) words;
};

void host_text_scan(struct host_index *);
bool host_text_has_word(const struct host_index *, const struct ir_place *, const char *word);

#endif
