/* SPDX-License-Identifier: MIT */
/* watch.h - for `mesicc prove`: somebody who looks at memory before it goes. The functions are
 * there only in programs that are linked with prove's part (prove/watch.c), and NULL otherwise.
 * Internal to the runtime. */
#ifndef MESI_WATCH_H
#define MESI_WATCH_H

#include <stddef.h>

/* Memory is freed, or the program ends: `bytes` of contents. `shown` is a copy in which pointers
 * are replaced by what does not depend on addresses; NULL: there are none. `element` is an enum
 * mesi_dump_element. The host is up to date. */
void mesi_watch_object(const char *name, unsigned element, const void *contents, const void *shown,
                       size_t bytes) __attribute__((weak));

#endif
