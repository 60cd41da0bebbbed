/* SPDX-License-Identifier: MIT */
/* file.h - files that the runtime writes: traces, statistics, dumps. Internal to the runtime. */
#ifndef MESI_FILE_H
#define MESI_FILE_H

#include <stdio.h>

/* Creates a file, or empties an old one; NULL with errno. Where a limit keeps it from growing
 * (ulimit -f) a write fails, and no SIGXFSZ ends the program. */
FILE *mesi_file_create(const char *path);

#endif
