/* SPDX-License-Identifier: MIT */
/* ring.h - copies of memory that is not page-locked, by way of slots that are. Internal to the
 * runtime. All functions require the lock. */
#ifndef MESI_RING_H
#define MESI_RING_H

#include "../device/device.h"

/* Makes room for a copy of as many bytes. */
void mesi_ring_prepare(int device, size_t bytes);

/* Each returns the ticket (order.h) of the last copy that it submits, after mesi_ring_prepare.
 * `from` may change when mesi_ring_send returns; the bytes are at `to` when mesi_ring_fetch does.
 */
uint64_t mesi_ring_send(int device, char *to, char *from, size_t bytes);
uint64_t mesi_ring_fetch(int device, char *to, char *from, size_t bytes);

#endif
