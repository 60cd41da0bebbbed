/* SPDX-License-Identifier: MIT */
/* poison.c - MESI_POISON=1: fills bytes that the program has promised to overwrite. */
#include "poison.h"

#include "../base/error.h"
#include "guard.h"
#include "../stream/order.h"
#include "../stream/wait.h"

#include <stdlib.h>
#include <string.h>

enum { FILL = 0xA5 };

static bool is_on(void)
{
  static enum { UNASKED, YES, NO } known;
  if (known == UNASKED) known = getenv("MESI_POISON") ? YES : NO;
  return known == YES;
}

void mesi_poison_host(struct mesi_object *object, struct mesi_span span)
{
  if (!is_on() || mesi_span_empty(span)) return;
  mesi_guard_own(object);
  memset(object->view + span.begin, FILL, mesi_span_bytes(span));
}

void mesi_poison_device(struct mesi_object *object, int device, struct mesi_span span)
{
  if (!is_on() || mesi_span_empty(span)) return;
  mesi_change();
  void *bytes = mesi_need(malloc(mesi_span_bytes(span)));
  memset(bytes, FILL, mesi_span_bytes(span));
  mesi_wait(device);
  char *to = (char *)object->device[device].address + span.begin;
  mesi_order_host_after(device, MESI_TO_DEVICE,
                        mesi_order_copy(device, MESI_TO_DEVICE, to, bytes, mesi_span_bytes(span)));
  free(bytes);
}
