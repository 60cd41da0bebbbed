/* SPDX-License-Identifier: MIT */
/* settings.h - a check of the environment variables MESI_... Of translator and runtime.
 *
 *     MESI_TRCE=1        unknown: a misspelled setting would silently do nothing
 *     MESI_STEPS=many    no number
 */
#ifndef MESI_SETTINGS_H
#define MESI_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum mesi_setting_form {
  MESI_SETTING_TEXT,
  MESI_SETTING_NUMBER,
  MESI_SETTING_SIGNED,
  MESI_SETTING_SIZE
};

struct mesi_setting {
  const char *name;
  enum mesi_setting_form form;
};

static inline bool mesi_setting_fits(enum mesi_setting_form form, const char *text)
{
  if (form == MESI_SETTING_TEXT || !*text) return true;
  text += form == MESI_SETTING_SIGNED && (*text == '-' || *text == '+');
  size_t digits = strspn(text, "0123456789");
  text += digits;
  text += form == MESI_SETTING_SIZE && *text && strchr("kKmMgG", *text);
  return digits && digits < 19 && !*text;
}

static const struct mesi_setting mesi_settings[] = {
#define SETTING(name, form) {#name, MESI_SETTING_##form},
#include "settings.def"
#undef SETTING
};
enum { MESI_SETTING_COUNT = sizeof mesi_settings / sizeof *mesi_settings };

/* The number of letters to insert, remove or replace. */
static inline unsigned mesi_setting_distance(const char *a, size_t length, const char *b)
{
  enum { LONGEST = 40 };
  unsigned row[LONGEST + 1];
  size_t columns = strlen(b);
  if (columns > LONGEST) return LONGEST;
  for (size_t k = 0; k <= columns; k++) row[k] = (unsigned)k;
  for (size_t i = 0; i < length; i++) {
    unsigned corner = row[0]++;
    for (size_t k = 0; k < columns; k++) {
      unsigned least = corner + (a[i] != b[k]);
      corner = row[k + 1];
      if (corner + 1 < least) least = corner + 1;
      if (row[k] + 1 < least) least = row[k] + 1;
      row[k + 1] = least;
    }
  }
  return row[columns];
}

/* The setting from which the name of an environment's entry differs by at most two letters. NULL:
 * there is none, or the name is a setting. */
static inline const char *mesi_setting_near(const char *entry)
{
  const char *found = NULL;
  size_t length = strcspn(entry, "=");
  unsigned best = 3;
  for (size_t i = 0; i < MESI_SETTING_COUNT && length < 40; i++) {
    unsigned wrong = mesi_setting_distance(entry, length, mesi_settings[i].name);
    if (wrong < best) best = wrong, found = mesi_settings[i].name;
  }
  return best ? found : NULL;
}

/* The fault of an environment's entry NAME=VALUE; NULL: it has none. */
static inline const char *mesi_setting_problem(const char *entry)
{
  const struct mesi_setting *known = mesi_settings;
  size_t length = strcspn(entry, "=");
  if (strncmp(entry, "MESI_", 5) || !entry[length]) return NULL;
  for (size_t i = 0; i < MESI_SETTING_COUNT; i++) {
    if (strlen(known[i].name) != length || strncmp(known[i].name, entry, length)) continue;
    if (mesi_setting_fits(known[i].form, entry + length + 1)) return NULL;
    return known[i].form == MESI_SETTING_SIZE ? "is no number of bytes" : "is no number";
  }
  return "is no setting of mesicc";
}

#endif
