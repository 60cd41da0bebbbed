/* SPDX-License-Identifier: MIT */
/* alignment.h - multiples, and arrays that begin or end at multiples of 16 bytes. */
#ifndef MESI_ANALYSIS_ALIGNMENT_H
#define MESI_ANALYSIS_ALIGNMENT_H

#include "analysis/code/code.h"

/* Is the form, or the symbol, a multiple of `of`? Or may that be assumed? */
bool form_is_multiple(struct code *scan, __isl_keep isl_pw_aff *form, int64_t of);
bool symbol_is_multiple(struct code *scan, const struct symbol *, int64_t of);
bool stride_is_multiple(struct code *scan, struct symbol *const stride[STRIDE_FACTORS], int64_t of);
/* Is the array's first element at a multiple of 16 bytes? Objects of the runtime and of cudaMalloc
 * are. */
bool array_is_aligned(struct code *scan, const struct array *);
/* False: the array's last elements certainly lie in 16 aligned bytes that continue behind its
 * end. */
bool array_ends_aligned(const struct code *scan, const struct array *);

#endif
