/* SPDX-License-Identifier: MIT */
/* register.h - the files of the program and the objects of their variables. Internal to the
 * runtime. */
#ifndef MESI_REGISTER_H
#define MESI_REGISTER_H

#include "../object/object.h"

struct mesi_unit { /* one registered file */
  const struct mesi_file *file;
  /* by variable; NULL where no file defines it and its size is unknown */
  struct mesi_object **objects;
  /* [device * var_count + variable]: the value last written to the symbol */
  void **symbols;
  struct mesi_unit *next; /* in the order of registration */
  bool bound;
};

/* The file's entries are bound at the next mesi_register_bind. Takes the lock. */
void mesi_register_add(const struct mesi_file *file);

/* Binds the entries of the files registered since the last call to objects. Takes the lock where
 * there are such files. */
void mesi_register_bind(void);

/* Requires the lock. */
struct mesi_unit *mesi_register_unit(const struct mesi_file *file);
const struct mesi_unit *mesi_register_first(void);

#endif
