/* SPDX-License-Identifier: MIT */
/* host_internal.h - the insides of host_index, shared by host_index.c and host_text.c only. */
#ifndef MESI_ANALYSIS_HOST_INTERNAL_H
#define MESI_ANALYSIS_HOST_INTERNAL_H

#include "analysis/host/host_index.h"
#include "analysis/host/host_map.h"

struct host_word {  /* an identifier in the text of a file */
  const char *text; /* not terminated */
  unsigned length;
  unsigned file, begin;
  bool in_directive; /* stands in a # line */
  bool is_member;    /* . or -> in front */
  bool is_used;      /* a use in lowered code; known once its name was asked for */
};

struct host_index {
  struct arena *arena;
  struct unit *unit;
  bool truncated;
  bool launches_known; /* host_launches_analyze has run: answers about statements are kept */
  struct host_map nodes, stmts, vars;
  struct host_function *functions; /* by function id */
  struct host_node **launches;     /* by launch id */
  LIST_OF(struct host_node *) node_list;
  LIST_OF(struct host_var *) var_list;
  /* those of var_list that have a name, by it; made when first asked for */
  LIST_OF(struct host_var *) by_name;
  /* in order of file and offset until sorted by text, then that */
  LIST_OF(struct host_word) words;
};

void host_text_scan(struct host_index *);
bool host_text_has_word(const struct host_index *, const struct ir_place *, const char *word);

#endif
