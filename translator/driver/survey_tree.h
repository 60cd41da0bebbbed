/* SPDX-License-Identifier: MIT */
/* survey_tree.h - the files in the folders of a survey: units, parts of units, and the places of
 * headers. */
#ifndef MESI_DRIVER_SURVEY_TREE_H
#define MESI_DRIVER_SURVEY_TREE_H

#include "translator/base/name_map.h"
#include "translator/driver/options.h"

struct tree_file {
  const char *path;          /* by the walk, or as given */
  const char *real;          /* without links and dots; NULL: no such file */
  bool unit;                 /* by its name, or given by itself */
  bool given;                /* by itself, or by a compile_commands.json */
  struct tree_file *part_of; /* a unit that includes it; NULL: it is no part */
  struct tree_file
      *same_name;       /* the next one of the same name, in another folder; NULL: the last */
  const char *database; /* folder of the compile_commands.json that has it; NULL: none */
  const struct include_list *includes; /* NULL: not read yet */
  unsigned visit;                      /* the last walk that visited it */
};

struct survey_tree {
  struct arena *arena;
  LIST_OF(struct tree_file *) files; /* in the order of names, so that two surveys compare */
  struct name_map names, reals;      /* last word of the path, real path: struct tree_file */
  struct string_list databases;      /* folders with a compile_commands.json */
  unsigned visits;
};

/* Reads the options' inputs: files, and those in the folders. 0, or -1 after a diagnostic. */
int survey_tree_read(struct arena *, const struct options *, struct diag *,
                     struct survey_tree *ret);
/* The folder with `header` ("sizes.h", "common/sizes.h") that is nearest to the file that includes
 * it; NULL: none in the tree. */
const char *survey_tree_folder(struct survey_tree *, const char *includer, const char *header);

#endif
