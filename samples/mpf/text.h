/* text.h - words of a file, for the readers of networks. */
#ifndef MPF_TEXT_H
#define MPF_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "network.h"

struct mpf_text {
  const char *path;
  char *bytes; /* zero-terminated; owned */
  const char *at;
  unsigned line;     /* of `at` */
  const char *signs; /* characters that are words by themselves; NULL: none */
  char word[128];    /* the latest; longer ones are cut */
  struct mpf_error *error;
};

/* Reads the file, gzipped or not. 0 or -1. */
int mpf_text_open(struct mpf_text *, const char *path, struct mpf_error *error);
void mpf_text_close(struct mpf_text *);

bool mpf_text_next(struct mpf_text *); /* false: the end */
bool mpf_text_at_end(struct mpf_text *);
/* -1 with the error, always. */
int mpf_text_fail(struct mpf_text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The next word as a number: an error where there is none or it is not within the bounds. */
int mpf_text_count(struct mpf_text *, const char *what, size_t least, size_t most, size_t *ret);
int mpf_text_value(struct mpf_text *, const char *what, double *ret); /* finite, not negative */
int mpf_text_expect(struct mpf_text *, const char *word);

#endif
