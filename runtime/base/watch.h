/* SPDX-License-Identifier: MIT */
/* watch.h - for `mesicc prove`: a watcher that sees memory before it is freed. The functions exist
 * only in programs that are linked with prove's part (prove/watch.c), and are NULL otherwise.
 * Internal to the runtime. */
#ifndef MESI_WATCH_H
#define MESI_WATCH_H

#include <stddef.h>

/* Memory with `bytes` of contents is about to be freed, or the program ends. `shown` is a copy
 * whose pointers are replaced by values that do not depend on addresses; NULL: there are no
 * pointers. `element` is an enum mesi_dump_element. The host copy is valid. */
void mesi_watch_object(const char *name, unsigned element, const void *contents, const void *shown,
                       size_t bytes) __attribute__((weak));

#endif
