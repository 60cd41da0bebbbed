/* SPDX-License-Identifier: MIT */
/* runtime_support.c - a table of device operations that wraps the CPU device's. */
#include "runtime_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define mesi_device real_device
#include "device/device_cpu.c"
#undef mesi_device

volatile struct device_counts counts;
volatile int current_device;
const char *volatile launch_failure, *volatile wait_failure;

void (*volatile while_copying)(void);

#ifndef DEVICES_FORK
#define DEVICES_FORK true
#endif

const char *__asan_default_options(void);

/* The runtime's own handler must get the faults; the leak check cannot read pages that are
 * protected at the end. */
const char *__asan_default_options(void)
{
  return "handle_segv=0:allow_user_segv_handler=1:detect_leaks=0";
}

void reset_counts(void)
{
  counts.to_device = counts.to_host = counts.allocations = 0;
  counts.bytes_to_device = counts.bytes_to_host = 0;
}

static const char *count_current(int *ret_device)
{
  const char *cause = real_device.current(ret_device);
  *ret_device = current_device;
  return cause;
}

static const char *count_alloc(int device, size_t bytes, void **ret_memory)
{
  counts.allocations++;
  return real_device.alloc(device, bytes, ret_memory);
}

static const char *count_copy(int device, enum mesi_lane lane, void *to, const void *from,
                              size_t bytes)
{
  if (lane == MESI_TO_DEVICE)
    counts.to_device++, counts.bytes_to_device += bytes;
  else
    counts.to_host++, counts.bytes_to_host += bytes;
  if (while_copying) while_copying();
  return real_device.copy(device, lane, to, from, bytes);
}

static const char *fail_wait(int device)
{
  const char *cause = real_device.wait(device);
  return wait_failure ? wait_failure : cause;
}

static const char *fail_event_wait(int device, void *event)
{
  const char *cause = real_device.event_wait(device, event);
  return wait_failure ? wait_failure : cause;
}

static const char *fail_launch(int device)
{
  (void)device;
  return launch_failure;
}

const struct mesi_device_ops mesi_device = {
    .name = "test",
    .forks = DEVICES_FORK,
    .current = count_current,
    .alloc = count_alloc,
    .free = cpu_free,
    .memory = cpu_memory,
    .staging = cpu_staging,
    .pin = cpu_pin,
    .unpin = cpu_unpin,
    .lane = cpu_lane,
    .stream = cpu_stream,
    .copy = count_copy,
    .event = cpu_event,
    .record = cpu_record,
    .queue_wait = cpu_queue_wait,
    .event_wait = fail_event_wait,
    .elapsed = cpu_elapsed,
    .wait = fail_wait,
    .set_symbol = cpu_set_symbol,
    .before_launch = cpu_before_launch,
    .launch_error = fail_launch,
    .bins = &mesi_bin_steps_cpu,
};

void begin_launch(const struct mesi_file *file, unsigned site)
{
  mesi_launch_begin(file, site);
  mesi_launch_stream(NULL);
}

int run_child(void (*body)(void), char *ret_text, size_t size)
{
  int ends[2], status;
  size_t length = 0;
  fflush(NULL);
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    body();
    exit(0);
  }
  close(ends[1]);
  for (ssize_t got; (got = read(ends[0], ret_text + length, size - 1 - length)) > 0;)
    length += (size_t)got;
  ret_text[length] = '\0';
  close(ends[0]);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}
