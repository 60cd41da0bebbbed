/* SPDX-License-Identifier: MIT */
/* host_span.h - the bytes of a VS variable that a host use touches, as known in front of a
 * statement. */
#ifndef MESI_ANALYSIS_HOST_SPAN_H
#define MESI_ANALYSIS_HOST_SPAN_H

#include "analysis/host/host_form.h"
#include "analysis/host/host_use.h"

struct host_span {
  struct form begin, end; /* bytes from the start of the variable; end excluded */
  unsigned access;        /* MESI bits, MESI_OVERWRITE included */
  bool in_loop;           /* it covers all iterations of a loop */
};

/* False: the whole variable. `uses` are all known uses of the variable. */
bool host_span_of(struct host_index *, const struct host_uses *uses, const struct host_use *use,
                  const struct ir_stmt *front, struct host_span *ret);
/* Joins both if they differ only by constants. */
bool host_span_merge(struct host_span *into, const struct host_span *);

#endif
