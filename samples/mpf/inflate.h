/* inflate.h - gzip files, so that the sample needs no library. */
#ifndef MPF_INFLATE_H
#define MPF_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

bool mpf_is_gzip(const unsigned char *bytes, size_t length);

/* What the gzip members hold, at most `limit` bytes and a zero behind them; the caller frees it.
 * NULL: damaged, too long, or out of memory. */
char *mpf_inflate(const unsigned char *bytes, size_t length, size_t limit, size_t *ret_length);

#endif
