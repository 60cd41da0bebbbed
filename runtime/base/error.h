/* SPDX-License-Identifier: MIT */
/* error.h - base: services that need neither a device nor a table of objects. Internal to the
 * runtime.
 *
 * Messages, and the end of the program with one (this header); the runtime's lock, and signals and
 * cancellation while a thread has it (lock.h, signals.h); sets of byte ranges (ranges.h) and copies
 * on their way (flight.h); threads that copy (jobs.h); pages and mappings (mapping.h); the
 * machine's limits (machine.h); files (file.h); sizes of blocks (size_class.h); periods of a
 * sequence (period.h). The room uses no state of the rooms above. */
#ifndef MESI_ERROR_H
#define MESI_ERROR_H

#include <stddef.h>

struct mesi_object;
struct mesi_site;

enum { MESI_EXIT_STATUS = 70 };

/* Prints `mesi: error: <what>: variable 'a' (in.mcu:3), launch of k (in.mcu:40): <cause>` and ends
 * the program with status 70. `object` may be NULL; the launch is the calling thread's current one,
 * if there is one. */
_Noreturn void mesi_fatal(const char *what, const struct mesi_object *object, const char *cause,
                          ...) __attribute__((format(printf, 3, 4)));

/* Prints a message, formatted or as it is, to stderr. Without the C library's files, whose locks
 * other threads may hold. */
void mesi_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void mesi_say(const char *text, size_t length);

/* Messages go to this file from now on, and name the rank (ranks.h). */
void mesi_error_to(int file);
void mesi_error_of_rank(int rank);
/* In a forked process: messages go to its own standard error. */
void mesi_error_in_child(void);

/* Appends to a text in `size` bytes as much as fits. */
void mesi_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Ends the program with the cause; does nothing where `cause` is NULL. */
void mesi_check(const char *cause, const struct mesi_object *object, const char *what);

/* Returns `memory`; ends the program where it is NULL. */
void *mesi_need(void *memory);

/* The launch that errors and traces of the calling thread name; NULL for none. */
void mesi_error_set_site(const struct mesi_site *site);
const struct mesi_site *mesi_error_site(void);

#endif
