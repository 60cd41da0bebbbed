/* SPDX-License-Identifier: MIT */
/* order.h - stream: the order of the work on devices. Internal to the runtime. All functions
 * require the lock.
 *
 * The room takes copies, and the streams in which the program makes its launches. It gives the
 * order between transfers in the lanes, launches in the program's streams, and the host (this
 * header). It also has copies through page-locked slots (ring.h), waits for a device with the
 * launches that may have failed (wait.h), launches of loops held back as graphs (batch.h), and the
 * devices of MESI_DEVICES (devices.h). It knows no objects.
 *
 * A *ticket* is the number of a copy in its lane, from 1; copies of a lane are done in order, so
 * that waiting for a ticket is waiting for all before. 0 is always done. A *stream index* stands
 * for one of the program's streams on a device, in a mask for a set of them. */
#ifndef MESI_ORDER_H
#define MESI_ORDER_H

#include "../device/device.h"

enum {
  /* work in an unknown stream: only the whole device can be waited for */
  MESI_STREAM_UNKNOWN = 0,
  MESI_STREAM_MAX = 64 /* bits of a mask */
};

/* The calling thread's current device. Ends a forked process whose parent had used devices that a
 * fork does not keep. */
int mesi_order_device(void);
/* Has this process used a device? */
bool mesi_order_used(void);
/* `first` is called when a device is known for the first time. */
void mesi_order_tell(void (*first)(void));
/* In a forked process whose devices are lost. */
void mesi_order_lost(void);

/* The index of the program's stream; MESI_STREAM_UNKNOWN where there are too many, or while it is
 * being captured. */
unsigned mesi_order_stream(int device, void *stream);

/* A launch has been made in the stream. */
void mesi_order_launched(int device, unsigned stream);

/* Submits a copy to the lane and returns its ticket. */
uint64_t mesi_order_copy(int device, enum mesi_lane lane, void *to, const void *from, size_t bytes);
/* The ticket of a point behind everything that the lane holds so far. */
uint64_t mesi_order_mark(int device, enum mesi_lane lane);

/* Later work in the lane, in the stream, or of the host comes after the given work. A launch in an
 * unknown stream comes after everything that the host has waited for. */
void mesi_order_lane_after_streams(int device, enum mesi_lane lane, uint64_t streams);
void mesi_order_lane_after_lane(int device, enum mesi_lane lane, enum mesi_lane other,
                                uint64_t ticket);
void mesi_order_stream_after(int device, unsigned stream, enum mesi_lane lane, uint64_t ticket);
void mesi_order_host_after(int device, enum mesi_lane lane, uint64_t ticket);

/* The stream comes behind other streams of its device. */
void mesi_order_stream_after_streams(int device, unsigned stream, uint64_t streams);
/* Is any of them one that the program has made? The default streams of a device are not. */
bool mesi_order_made_by_program(int device, uint64_t streams);

/* Between devices, where there are several. Submits a copy from memory of `other` to the lane
 * MESI_TO_DEVICE of `device`, and returns its ticket. */
uint64_t mesi_order_copy_between(int device, void *to, int other, const void *from, size_t bytes);
/* The device's lane MESI_TO_DEVICE comes behind streams of the other; its lane of either kind
 * behind a ticket of the other's lane of that kind. */
void mesi_order_lane_after_streams_of(int device, int other, uint64_t streams);
void mesi_order_lane_after_lane_of(int device, enum mesi_lane lane, int other, uint64_t ticket);
/* The device's stream comes behind a ticket of the other's lane MESI_TO_DEVICE. */
void mesi_order_stream_after_lane_of(int device, unsigned stream, int other, uint64_t ticket);
/* Between two calls, copies between ranks may be held back, to go out together. */
void mesi_order_together(bool begins);
bool mesi_order_is_together(void);
/* The device's stream comes behind a stream of the other. */
void mesi_order_stream_after_stream_of(int device, unsigned stream, int other,
                                       unsigned other_stream);

#endif
