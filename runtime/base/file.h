/* SPDX-License-Identifier: MIT */
/* file.h - files that the runtime writes: traces, statistics, dumps. Internal to the runtime. */
#ifndef MESI_FILE_H
#define MESI_FILE_H

#include <stdio.h>

/* A new file, or an old one emptied; NULL with errno. Where it may not grow (ulimit -f) a write
 * fails, and no SIGXFSZ ends the program that is being watched. */
FILE *mesi_file_create(const char *path);

#endif
