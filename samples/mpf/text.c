/* text.c - words of a file, for the readers of networks. */
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LARGEST = 1 << 30 }; /* bytes of text */

static int fail_file(struct mpf_error *error, const char *path, const char *why)
{
  snprintf(error->text, sizeof error->text, "%s: %s", path, why);
  return -1;
}

/* The bytes of a file, gzipped or not, and a zero behind them; NULL: out of memory, too long, or
 * not to be read to the end. */
static char *read_all(gzFile file)
{
  size_t length = 0, capacity = 1 << 16;
  char *bytes = malloc(capacity);

  while (bytes) {
    int count = gzread(file, bytes + length, (unsigned)(capacity - length - 1));
    int status = Z_OK;
    gzerror(file, &status); /* Z_BUF_ERROR: the last block is cut */
    length += count > 0 ? (size_t)count : 0;
    if (!count && status == Z_OK) {
      bytes[length] = '\0';
      return bytes;
    }
    if (count > 0 && length + 1 < capacity) continue;
    char *larger = count > 0 && capacity < LARGEST ? realloc(bytes, capacity *= 2) : NULL;
    if (!larger) free(bytes);
    bytes = larger;
  }
  return NULL;
}

int mpf_text_open(struct mpf_text *text, const char *path, struct mpf_error *error)
{
  *text = (struct mpf_text){.path = path, .line = 1, .error = error};
  errno = 0;
  gzFile file = gzopen(path, "rb");
  if (!file) return fail_file(error, path, errno ? strerror(errno) : "out of memory");
  text->bytes = read_all(file);
  bool plain = gzdirect(file);
  gzclose(file);
  if (!text->bytes)
    return fail_file(error, path,
                     plain ? "cannot be read" : "the gzip data is damaged or too long");
  text->at = text->bytes;
  return 0;
}

void mpf_text_close(struct mpf_text *text)
{
  free(text->bytes);
  text->bytes = NULL;
}

static bool is_sign(const struct mpf_text *text, char c)
{
  return text->signs && c && strchr(text->signs, c);
}

static void skip_space(struct mpf_text *text)
{
  for (; *text->at && isspace((unsigned char)*text->at); text->at++)
    text->line += *text->at == '\n';
}

bool mpf_text_at_end(struct mpf_text *text)
{
  skip_space(text);
  return !*text->at;
}

bool mpf_text_next(struct mpf_text *text)
{
  size_t length = 0;

  skip_space(text);
  do {
    if (!*text->at || (length && is_sign(text, *text->at))) break;
    if (length + 1 < sizeof text->word) text->word[length] = *text->at;
    length++;
  } while (!is_sign(text, *text->at++) && *text->at && !isspace((unsigned char)*text->at));
  text->word[length < sizeof text->word ? length : sizeof text->word - 1] = '\0';
  return length > 0;
}

int mpf_text_fail(struct mpf_text *text, const char *format, ...)
{
  char what[160];
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  snprintf(text->error->text, sizeof text->error->text, "%.60s:%u: %s", text->path, text->line,
           what);
  return -1;
}

int mpf_text_count(struct mpf_text *text, const char *what, size_t least, size_t most, size_t *ret)
{
  char *end;

  if (!mpf_text_next(text)) return mpf_text_fail(text, "the file ends where %s is expected", what);
  errno = 0;
  unsigned long long value = strtoull(text->word, &end, 10);
  if (*end || !isdigit((unsigned char)text->word[0]))
    return mpf_text_fail(text, "'%.40s' is not %s", text->word, what);
  if (errno || value < least || value > most)
    return mpf_text_fail(text, "%s is %.40s, must be %zu to %zu", what, text->word, least, most);
  *ret = value;
  return 0;
}

int mpf_text_value(struct mpf_text *text, const char *what, double *ret)
{
  char *end;

  if (!mpf_text_next(text)) return mpf_text_fail(text, "the file ends where %s is expected", what);
  double value = strtod(text->word, &end);
  if (*end) return mpf_text_fail(text, "'%.40s' is not %s", text->word, what);
  if (!isfinite(value) || value < 0)
    return mpf_text_fail(text, "%s is %.40s, must be finite and not negative", what, text->word);
  *ret = value;
  return 0;
}

int mpf_text_expect(struct mpf_text *text, const char *word)
{
  if (!mpf_text_next(text))
    return mpf_text_fail(text, "the file ends where '%s' is expected", word);
  return strcmp(text->word, word) ? mpf_text_fail(text, "'%.40s' instead of '%s'", text->word, word)
                                  : 0;
}
