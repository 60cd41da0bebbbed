/* SPDX-License-Identifier: MIT */
/* settings.h - finds environment variables that are not what they were meant to be. Of translator
 * and runtime.
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

/* What is wrong with the entry of an environment, NAME=VALUE; NULL: nothing. */
static inline const char *mesi_setting_problem(const char *entry)
{
  static const struct mesi_setting known[] = {
#define SETTING(name, form) {#name, MESI_SETTING_##form},
#include "settings.def"
#undef SETTING
  };
  size_t length = strcspn(entry, "=");
  if (strncmp(entry, "MESI_", 5) || !entry[length]) return NULL;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strlen(known[i].name) != length || strncmp(known[i].name, entry, length)) continue;
    if (mesi_setting_fits(known[i].form, entry + length + 1)) return NULL;
    return known[i].form == MESI_SETTING_SIZE ? "is no number of bytes" : "is no number";
  }
  return "is no setting of mesicc";
}

#endif
