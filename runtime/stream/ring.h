/* SPDX-License-Identifier: MIT */
/* ring.h - copies of memory that is not page-locked, through slots that are. Internal to the
 * runtime. All functions require the lock. */
#ifndef MESI_RING_H
#define MESI_RING_H

#include "../device/device.h"

/* Makes room for a copy of so many bytes. */
void mesi_ring_prepare(int device, size_t bytes);

/* Each returns the ticket (order.h) of the last copy that it submits. Requires: mesi_ring_prepare.
 * When mesi_ring_send returns, `from` may change; when mesi_ring_fetch returns, the bytes are at
 * `to`. */
uint64_t mesi_ring_send(int device, char *to, char *from, size_t bytes);
uint64_t mesi_ring_fetch(int device, char *to, char *from, size_t bytes);

#endif
