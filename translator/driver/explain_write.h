/* SPDX-License-Identifier: MIT */
/* explain_write.h - --explain: writes the explanation, in the requested form, to its file. */
#ifndef MESI_DRIVER_EXPLAIN_WRITE_H
#define MESI_DRIVER_EXPLAIN_WRITE_H

#include "codegen/text/options.h"
#include "translator/driver/options.h"
#include "translator/ir/unit.h"

/* prog.explain.json beside `base`, a file of the program. */
const char *explain_file_name(struct arena *, enum explain_form, const char *base);
/* The file of the report; NULL: it goes to standard error, or is not requested. */
const char *explain_output(struct arena *, const struct options *, const char *output);
struct emitted_output { /* for the page that shows the emitted text */
  const struct printed_texts *printed;
  const char *text;
};
/* `output` is the emitted file's name. 0, or -1 after a diagnostic. */
int explain_write(struct arena *, const struct options *, const struct plan *,
                  const struct emitted_output *, const char *output, struct diag *);

#endif
