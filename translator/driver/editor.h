/* SPDX-License-Identifier: MIT */
/* editor.h - the clang command that parses a source, for editors. */
#ifndef MESI_DRIVER_EDITOR_H
#define MESI_DRIVER_EDITOR_H

#include "translator/driver/options.h"
#include "translator/frontend/frontend.h"

/* The words of clang's command, without the compiler, the user's own words and the file. */
struct frontend_words editor_words(struct arena *, const struct options *, struct diag *);
/* The working directory, and a path in it as an absolute one. */
const char *editor_folder(struct arena *);
const char *editor_absolute(struct arena *, const char *folder, const char *path);

/* mesicc setup clangd. Returns an exit status. */
int editor_setup(struct arena *, const struct options *, struct diag *);

#endif
