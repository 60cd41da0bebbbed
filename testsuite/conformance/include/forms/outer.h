#ifndef FORMS_OUTER_H
#define FORMS_OUTER_H
// nothing to edit here, but in what it includes
#	include	"deep/inner.h"
#include "deep/once.h"
  #  include "../header_only_declares.h"
#include "deep/plain.h"
#include <stdio.h>
static inline int from_outer(void) { return from_inner() + once + PLAIN; }
#endif
