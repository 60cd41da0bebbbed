/* SPDX-License-Identifier: MIT */
/* mutate.c - changes of whole tokens, since a change of bytes seldom gives a program that parses.
 *
 * The input is split into tokens (words, numbers, strings, blanks, other characters). A mutation
 * does a few of: delete a range, repeat it, move it, replace a number by a notable one, replace a
 * word by another word of the input or of a table, put in a fragment. One mutation in four is
 * libFuzzer's own. Crossover takes a range of lines of the other input. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/text.h"

#define TOKENS 65536u

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

static const char *const numbers[] = {"0",
                                      "1",
                                      "2",
                                      "3",
                                      "4",
                                      "7",
                                      "8",
                                      "16",
                                      "31",
                                      "32",
                                      "33",
                                      "64",
                                      "255",
                                      "1024",
                                      "65536",
                                      "2147483647",
                                      "2147483648u",
                                      "4294967295u",
                                      "4294967296",
                                      "9223372036854775807",
                                      "18446744073709551615u",
                                      "-1",
                                      "(-2147483647-1)",
                                      "1e308",
                                      "0x7fffffffffffffff"};
static const char *const words[] = {
    "int",         "unsigned",    "long long",  "char",       "float",
    "double",      "bool",        "short",      "size_t",     "auto",
    "const",       "volatile",    "static",     "extern",     "__restrict__",
    "__shared__",  "__global__",  "__device__", "__host__",   "__constant__",
    "threadIdx.x", "threadIdx.y", "blockIdx.x", "blockIdx.y", "blockDim.x",
    "gridDim.x",   "a",           "i",          "n",          "p"};
static const char *const fragments[] = {"__syncthreads();",
                                        "if (threadIdx.x > 3) return;",
                                        "for (int q = 0; q < 4; q++) ",
                                        "for (int q = 9; q > 0; q -= 2) ",
                                        "while (1) ",
                                        "do ",
                                        "switch (n) { case 0: break; default: ; }",
                                        "goto out; out:;",
                                        "{",
                                        "}",
                                        ";",
                                        "+ 1",
                                        "- 1",
                                        "* 2",
                                        "/ 3",
                                        "% 5",
                                        "<< 31",
                                        ">> 1",
                                        "& 7",
                                        "? 1 : 0",
                                        "[0]",
                                        "&",
                                        "*",
                                        "++",
                                        "+=",
                                        "==",
                                        "!",
                                        "(int)",
                                        "(float *)",
                                        "continue;",
                                        "break;",
                                        "return;",
                                        "asm(\"\");",
                                        "<<<1, 1>>>()",
                                        "template <typename T> ",
                                        "namespace q {",
                                        "struct q { int x; };",
                                        "#define Q ",
                                        "#if 1\n",
                                        "#endif\n",
                                        "\\\n",
                                        "[&] { return 0; }()",
                                        "atomicAdd(&a[0], 1);",
                                        "static_assert(1);",
                                        "cudaMalloc((void **)&p, 16);",
                                        "mesi_malloc(16)",
                                        "__launch_bounds__(64)"};

struct tokens {
  const char *text;
  unsigned starts[TOKENS + 1], count;
};

static unsigned pick(unsigned *seed, unsigned below)
{
  *seed = *seed * 1103515245u + 12345u;
  return below ? (*seed >> 8) % below : 0;
}

static int class_of(char c)
{
  if (isalnum((unsigned char)c) || c == '_') return 1;
  return isspace((unsigned char)c) ? 2 : 3;
}

static void split(struct tokens *tokens, const char *text, size_t size)
{
  tokens->text = text;
  tokens->count = 0;
  for (size_t at = 0; at < size && tokens->count < TOKENS; tokens->count++) {
    tokens->starts[tokens->count] = (unsigned)at;
    int class = class_of(text[at++]);
    while (class != 3 && at < size && class_of(text[at]) == class) at++;
  }
  tokens->starts[tokens->count] = (unsigned)size;
}

static void add_range(struct text *out, const struct tokens *t, unsigned from, unsigned to)
{
  text_add_bytes(out, t->text + t->starts[from], t->starts[to] - t->starts[from]);
}

/* The next token from `at` on that begins with a digit or with a letter; `at` where there is none.
 */
static unsigned find_token(const struct tokens *t, unsigned at, int (*wanted)(int))
{
  for (unsigned i = at; i < t->count; i++)
    if (wanted((unsigned char)t->text[t->starts[i]])) return i;
  return at;
}

static void replace(struct text *out, const struct tokens *t, unsigned at, const char *with)
{
  add_range(out, t, 0, at);
  text_add(out, with);
  add_range(out, t, at + 1, t->count);
}

static void change_once(struct text *out, const struct tokens *t, unsigned *seed)
{
  unsigned from = pick(seed, t->count), length = 1 + pick(seed, pick(seed, 4) ? 4 : 40);
  unsigned to = from + length < t->count ? from + length : t->count, target = pick(seed, t->count),
           other;
  switch (pick(seed, 8)) {
  case 0: /* delete */
    add_range(out, t, 0, from);
    add_range(out, t, to, t->count);
    return;
  case 1: /* repeat */
    add_range(out, t, 0, to);
    add_range(out, t, from, t->count);
    return;
  case 2: /* copy elsewhere */
    add_range(out, t, 0, target);
    add_range(out, t, from, to);
    add_range(out, t, target, t->count);
    return;
  case 3:
  case 4:
    replace(out, t, find_token(t, from, isdigit),
            numbers[pick(seed, sizeof numbers / sizeof *numbers)]);
    return;
  case 5:
    replace(out, t, find_token(t, from, isalpha), words[pick(seed, sizeof words / sizeof *words)]);
    return;
  case 6: /* a word of the input instead of another */
    from = find_token(t, from, isalpha), other = find_token(t, target, isalpha);
    add_range(out, t, 0, from);
    add_range(out, t, other, other + 1);
    add_range(out, t, from + 1, t->count);
    return;
  default:
    add_range(out, t, 0, from);
    text_add(out, fragments[pick(seed, sizeof fragments / sizeof *fragments)]);
    add_range(out, t, from, t->count);
    return;
  }
}

static size_t take(struct text *text, uint8_t *data, size_t max_size)
{
  size_t size = text->length < max_size ? text->length : max_size;
  memcpy(data, text_string(text), size);
  text_finish(text);
  return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
  static struct tokens tokens;
  if (!size || !pick(&seed, 4)) return LLVMFuzzerMutate(data, size, max_size);
  struct text text = {0};
  text_add_bytes(&text, (const char *)data, size);
  for (unsigned rounds = 1 + pick(&seed, 3); rounds && text.length; rounds--) {
    struct text changed = {0};
    split(&tokens, text_string(&text), text.length);
    change_once(&changed, &tokens, &seed);
    text_finish(&text);
    text = changed;
  }
  return take(&text, data, max_size);
}

/* A range of whole lines. */
static void pick_lines(const uint8_t *data, size_t size, unsigned *seed, size_t *ret_from,
                       size_t *ret_to)
{
  size_t from = pick(seed, (unsigned)size), to = from + pick(seed, 400);
  while (from && data[from - 1] != '\n') from--;
  if (to > size) to = size;
  while (to < size && data[to - 1] != '\n') to++;
  *ret_from = from;
  *ret_to = to;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned seed)
{
  struct text text = {0};
  size_t from, to, begin, end;
  if (!a_size || !b_size) return 0;
  pick_lines(a, a_size, &seed, &begin, &end);
  pick_lines(b, b_size, &seed, &from, &to);
  text_add_bytes(&text, (const char *)a, begin);
  text_add_bytes(&text, (const char *)b + from, to - from);
  text_add_bytes(&text, (const char *)a + (pick(&seed, 2) ? begin : end), a_size - end);
  return take(&text, out, max_size);
}
