/* SPDX-License-Identifier: MIT */
/* object.h - object: VS objects, the units of consistency. Internal to the runtime.
 *
 * The room takes variables, and requests for blocks. It gives the table of objects by host and by
 * device address, and their memory on devices (this header); slabs of dynamic blocks (slab.h); the
 * pointers inside objects, translated and followed (pointers.h); host memory with two mappings, and
 * its protection (guard.h); the bytes that the host is expected to read (habit.h); and poison for
 * broken promises (poison.h). The room `transfer` keeps the state of the bytes. The data of an
 * object are in base/object_data.h. */
#ifndef MESI_OBJECT_H
#define MESI_OBJECT_H

#include "../base/lock.h"
#include "../base/object_data.h"
#include "../device/device.h"
#include "../mesi.h"

/* Enters an object into the table; its memory stays the caller's. NULL fields other than host and
 * extent are set up for an object whose host copy alone is valid. Aborts when out of memory. */
void mesi_object_enter(struct mesi_object *object);
/* Removes the object from the table; frees its device memory and its page lock, not its host
 * memory. */
void mesi_object_leave(struct mesi_object *object);

/* True: no object contains the address or ends at it. Without the lock. */
bool mesi_object_reject(const void *address);
/* The object whose extent contains the address, or NULL. */
struct mesi_object *mesi_object_containing(const void *address);
/* The object that a pointer of this value leads to. The end of an object belongs to it where no
 * other starts there. */
struct mesi_object *mesi_object_of_pointer(const void *pointer);
/* The object whose memory on the device contains the address or ends there, or NULL. */
struct mesi_object *mesi_object_on_device(int device, const void *address);

size_t mesi_object_count(void);
struct mesi_object *mesi_object_at(size_t index); /* in the order of host addresses */
/* The first object that starts behind the address, or NULL. */
struct mesi_object *mesi_object_behind(const void *address);

/* The object's contents have changed, or may be written without notice until it is on a device
 * again. */
void mesi_object_changed(struct mesi_object *object);

/* Changes whenever an object enters or leaves; never 0. */
uint64_t mesi_objects_epoch(void);

/* The object's device memory of mesi_object_capacity() bytes, allocated at the first call. Where
 * there are several devices and this one lacks room, only addresses are reserved: mesi_object_back
 * gives bytes memory before they are used. */
void *mesi_object_device_memory(struct mesi_object *object, int device);
void mesi_object_back(struct mesi_object *object, int device, struct mesi_span span);
/* Is there an object for which some device has memory for a part only? */
bool mesi_objects_reserved(void);
/* As mesi_object_device_memory; NULL: the device lacks room. */
void *mesi_object_room(struct mesi_object *object, int device);
size_t mesi_object_capacity(const struct mesi_object *object);

/* Its contents, as a span. */
static inline struct mesi_span mesi_object_whole(const struct mesi_object *object)
{
  return (struct mesi_span){0, object->size};
}

/* In a forked process: there are no launches of other threads, and with `devices_lost` no devices.
 * Bytes that were valid on a device only are lost. */
void mesi_object_in_child(struct mesi_object *object, unsigned writers, bool devices_lost);

/* The host waits until no transfer uses these bytes of the object's host memory. */
void mesi_object_settle(struct mesi_object *object, struct mesi_span span);

#endif
