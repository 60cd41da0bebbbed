/* SPDX-License-Identifier: MIT */
/* device_faults.c - the CPU backend's table of device operations, of which one call fails
 * (faults.c, MESI_FAULT=device:N).
 *
 * Memory is refused without an error, as device.h has it; page-locking leaves memory pageable; all
 * others give a cause. The table stands in front of the library's own. */
#define mesi_device real_device
#include "device/device_cpu.c"
#undef mesi_device

int faults_device(void);

static const char injected[] = "injected failure of the device";

static const char *fail_alloc(int device, size_t bytes, void **ret_memory)
{
  *ret_memory = NULL;
  return faults_device() ? NULL : real_device.alloc(device, bytes, ret_memory);
}

static const char *fail_staging(int device, size_t bytes, void **ret_memory)
{
  *ret_memory = NULL;
  return faults_device() ? NULL : real_device.staging(device, bytes, ret_memory);
}

static int fail_pin(void *memory, size_t bytes)
{
  return faults_device() ? -1 : real_device.pin(memory, bytes);
}

#define FAIL(name, parameters, arguments) \
  static const char *fail_##name parameters \
  { \
    return faults_device() ? injected : real_device.name arguments; \
  }

FAIL(current, (int *ret_device), (ret_device))
FAIL(free, (int device, void *memory), (device, memory))
FAIL(memory, (int device, size_t *ret_total, size_t *ret_free), (device, ret_total, ret_free))
FAIL(lane, (int device, enum mesi_lane lane, void **ret_queue), (device, lane, ret_queue))
FAIL(stream, (int device, void *stream, struct mesi_stream_info *ret_info),
     (device, stream, ret_info))
FAIL(copy, (int device, enum mesi_lane lane, void *to, const void *from, size_t bytes),
     (device, lane, to, from, bytes))
FAIL(event, (int device, bool timed, void **ret_event), (device, timed, ret_event))
FAIL(record, (int device, void *event, void *queue), (device, event, queue))
FAIL(queue_wait, (int device, void *queue, void *event), (device, queue, event))
FAIL(event_wait, (int device, void *event), (device, event))
FAIL(elapsed, (int device, void *start, void *stop, double *ret_ms), (device, start, stop, ret_ms))
FAIL(wait, (int device), (device))
FAIL(set_symbol, (int device, const void *symbol, void *value), (device, symbol, value))
FAIL(launch_error, (int device), (device))

const struct mesi_device_ops mesi_device = {
    .name = "cpu",
    .forks = true,
    .current = fail_current,
    .alloc = fail_alloc,
    .free = fail_free,
    .memory = fail_memory,
    .staging = fail_staging,
    .pin = fail_pin,
    .unpin = cpu_unpin,
    .lane = fail_lane,
    .stream = fail_stream,
    .copy = fail_copy,
    .event = fail_event,
    .record = fail_record,
    .queue_wait = fail_queue_wait,
    .event_wait = fail_event_wait,
    .elapsed = fail_elapsed,
    .wait = fail_wait,
    .set_symbol = fail_set_symbol,
    .before_launch = cpu_before_launch,
    .launch_error = fail_launch_error,
    .bins = &mesi_bin_steps_cpu,
};
