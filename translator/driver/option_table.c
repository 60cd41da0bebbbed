/* SPDX-License-Identifier: MIT */
/* option_table.c - the tables of options, and the search for a word in them. */
#include "translator/driver/option_table.h"

#include <stdlib.h>
#include <string.h>

#define ROW(id, fate, longer, shorter, form, argument, text) \
  {id, fate, {longer, shorter}, form, argument, text},

const struct option_row option_rows[] = {
#define OPTION(id, spelling, form, argument, help) \
  ROW(OPTION_##id, FATE_OWN, spelling, spelling, form, argument, help)
#include "translator/driver/options.def"
#undef OPTION
#define TAKEN(id, longer, shorter, form, argument, text) \
  ROW(OPTION_##id, FATE_OWN, longer, shorter, form, argument, text)
#define FORWARDED(longer, shorter, form, argument, text) \
  ROW(OPTION_OF_NVCC, FATE_FORWARDED, longer, shorter, form, argument, text)
#define NOTHING(longer, shorter, form, argument, text) \
  ROW(OPTION_OF_NVCC, FATE_NOTHING, longer, shorter, form, argument, text)
#define REFUSED(longer, shorter, form, argument, text) \
  ROW(OPTION_OF_NVCC, FATE_REFUSED, longer, shorter, form, argument, text)
#define HOST(spelling, form, argument, text) \
  ROW(OPTION_OF_NVCC, FATE_HOST, spelling, spelling, form, argument, text)
#include "translator/driver/nvcc.def"
};
const unsigned option_row_count = sizeof option_rows / sizeof *option_rows;

const struct verb_row verb_rows[] = {
#define VERB(id, name, usage, text) {name, usage, text},
#include "translator/driver/verbs.def"
#undef VERB
};
const unsigned verb_row_count = sizeof verb_rows / sizeof *verb_rows;

bool option_has_value(const struct option_row *row)
{
  return row->form != FLAG && row->form != PHASE && row->form != PREFIX;
}

/* How well `word` matches: twice the number of characters of the spelling in it, and one more where
 * it is the spelling. 0: not at all. */
static size_t fit(const struct option_row *row, const char *spelling, const char *word,
                  const char **ret_value)
{
  size_t length = strlen(spelling);
  bool begins = !strncmp(word, spelling, length);
  *ret_value = NULL;
  if (begins && !word[length] && row->form != JOINED) return 2 * length + 1;
  if (row->form == JOINED) {
    bool bare = spelling[length - 1] == '=' && strlen(word) == length - 1 &&
                !strncmp(word, spelling, length - 1);
    if (begins) *ret_value = word + length;
    return begins || bare ? 2 * length - bare * 2 : 0;
  }
  if (row->form == PREFIX) return begins ? 2 * length : 0;
  if (!begins || !option_has_value(row)) return 0;
  bool letter = length == 2 && spelling[1] != '-' && row->form != WORD && row->form != SEPARATE;
  if (word[length] == '=') *ret_value = word + length + 1;
  if (letter && !*ret_value) *ret_value = word + length;
  return *ret_value ? 2 * length : 0;
}

const struct option_row *option_find(const char *word, const char **ret_value)
{
  const struct option_row *found = NULL;
  size_t best = 0;
  *ret_value = NULL;
  for (unsigned i = 0; i < option_row_count; i++)
    for (unsigned k = 0; k < 2; k++) {
      const char *value;
      size_t fits = fit(&option_rows[i], option_rows[i].spellings[k], word, &value);
      if (fits <= best) continue;
      best = fits;
      found = &option_rows[i];
      *ret_value = value;
    }
  return found;
}

/* ---- suggestions ---- */

enum { LONGEST = 64 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* The number of letters to insert, remove, replace or exchange with the next. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
  unsigned rows[3][LONGEST + 1];
  if (a_length > LONGEST || b_length > LONGEST) return LONGEST;
  for (size_t k = 0; k <= b_length; k++) rows[0][k] = (unsigned)k;
  for (size_t i = 1; i <= a_length; i++) {
    unsigned *row = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
    row[0] = (unsigned)i;
    for (size_t k = 1; k <= b_length; k++) {
      bool same = a[i - 1] == b[k - 1];
      row[k] = least(least(before[k] + 1, row[k - 1] + 1), before[k - 1] + !same);
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        row[k] = least(row[k], earlier[k - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}

/* The number of wrong letters allowed: a third, and at most two in a short word. */
static unsigned allowed(size_t length) { return length < 4 ? 1 : length < 9 ? 2 : 3; }

const char *option_near(struct arena *arena, const char *word)
{
  size_t length = strcspn(word, "=");
  const char *found = NULL;
  unsigned best = allowed(length) + 1;
  for (unsigned i = 0; i < option_row_count; i++)
    for (unsigned k = 0; k < 2; k++) {
      const char *spelling = option_rows[i].spellings[k];
      size_t own = strcspn(spelling, "=");
      /* one letter is near everything */
      if (own < 4) continue;
      unsigned wrong = distance(word, length, spelling, own);
      if (wrong < best) best = wrong, found = arena_copy(arena, spelling, own);
    }
  return found;
}

const char *verb_near(const char *word)
{
  const char *found = NULL;
  unsigned best = 3;
  for (unsigned i = 1; i < verb_row_count; i++) {
    unsigned wrong = distance(word, strlen(word), verb_rows[i].name, strlen(verb_rows[i].name));
    if (wrong < best && wrong < strlen(word)) best = wrong, found = verb_rows[i].name;
  }
  return found;
}
