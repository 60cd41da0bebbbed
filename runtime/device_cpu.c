/* device_cpu.c - a device made of host memory, for the CPU backend and for tests.
 *
 * Device memory is separate memory, filled with 0xA5 when allocated, so that a transfer that is missing shows as
 * a wrong result. Its capacity is MESI_CPU_MEMORY bytes (suffix K, M or G), 4 GiB by default. Kernels run inside
 * the launch, so there is never anything to wait for.
 */
#include "device.h"

#include "cpu/scheduler.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ALIGNMENT = 256, POISON = 0xA5 };

struct header { /* in front of each block */
  size_t bytes; /* asked for */
};

/* Of the CPU backend, where the program has it: how it refuses a launch. Values are those of cudaError_t. */
extern int cudaPeekAtLastError(void) __attribute__((weak));
extern const char *cudaGetErrorString(int error) __attribute__((weak));

extern const struct mesi_cpu_memory *mesi_cpu_memory __attribute__((weak));

static _Thread_local int earlier; /* error that was there before the launch */
static size_t capacity; /* bytes; 0 until known */
static size_t used;     /* bytes */
static double started;  /* ms, of time_start */

static size_t read_capacity(void)
{
  const char *text = getenv("MESI_CPU_MEMORY");
  size_t fallback = (size_t)4 << 30;
  if (!text || !*text)
    return fallback;
  char *end;
  unsigned long long value = strtoull(text, &end, 10);
  switch (*end) {
  case 'k': case 'K': value <<= 10; break;
  case 'm': case 'M': value <<= 20; break;
  case 'g': case 'G': value <<= 30; break;
  default: break;
  }
  return value ? (size_t)value : fallback;
}

static const char *cpu_current(int *ret_device)
{
  if (!capacity)
    capacity = read_capacity();
  *ret_device = 0;
  return NULL;
}

/* From the CPU backend's own source where there is one: the checker knows the extent of what it hands out, and leaves
 * room behind it, so the byte that the runtime asks for beyond the object's end is not taken. */
static char *obtain(size_t bytes)
{
  if (&mesi_cpu_memory && mesi_cpu_memory)
    return mesi_cpu_memory->allocate(bytes > 1 ? bytes - 1 : 1, "virtual shared memory");
  size_t whole = (bytes + ALIGNMENT + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  char *block = aligned_alloc(ALIGNMENT, whole);
  if (!block)
    return NULL;
  struct header header = { bytes };
  memcpy(block, &header, sizeof header);
  return block + ALIGNMENT;
}

/* Returns the bytes that were obtained. */
static size_t give_back(char *memory)
{
  if (&mesi_cpu_memory && mesi_cpu_memory)
    return mesi_cpu_memory->release(memory) + 1;
  struct header header;
  memcpy(&header, memory - ALIGNMENT, sizeof header);
  free(memory - ALIGNMENT);
  return header.bytes;
}

static const char *cpu_alloc(int device, size_t bytes, void **ret_memory)
{
  (void)device;
  *ret_memory = NULL;
  if (bytes > capacity - used)
    return NULL;
  char *memory = obtain(bytes);
  if (!memory)
    return NULL;
  memset(memory, POISON, bytes > 1 ? bytes - 1 : 1);
  used += bytes;
  *ret_memory = memory;
  return NULL;
}

static const char *cpu_free(int device, void *memory)
{
  (void)device;
  used -= give_back(memory);
  return NULL;
}

static const char *cpu_memory(int device, size_t *ret_total, size_t *ret_free)
{
  (void)device;
  *ret_total = capacity;
  *ret_free = capacity - used;
  return NULL;
}

static const char *cpu_copy(int device, void *to, const void *from, size_t bytes)
{
  (void)device;
  memcpy(to, from, bytes);
  return NULL;
}

static const char *cpu_wait(int device)
{
  (void)device;
  return NULL;
}

static const char *cpu_set_symbol(int device, const void *symbol, void *value)
{
  (void)device;
  memcpy((void *)(uintptr_t)symbol, &value, sizeof value);
  return NULL;
}

static int cpu_pin(void *memory, size_t bytes)
{
  (void)memory;
  (void)bytes;
  return -1;
}

static void cpu_unpin(void *memory)
{
  (void)memory;
}

static int last_error(void)
{
  return cudaPeekAtLastError ? cudaPeekAtLastError() : 0;
}

static void cpu_before_launch(int device)
{
  (void)device;
  earlier = last_error();
}

static const char *cpu_launch_error(int device)
{
  (void)device;
  int error = last_error();
  if (error == 0 || error == earlier)
    return NULL;
  return cudaGetErrorString ? cudaGetErrorString(error) : "refused";
}

static double now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static const char *cpu_time_start(int device)
{
  (void)device;
  started = now_ms();
  return NULL;
}

static const char *cpu_time_stop(int device, double *ret_ms)
{
  (void)device;
  *ret_ms = now_ms() - started;
  return NULL;
}

const struct mesi_device_ops mesi_device = {
  .name = "cpu",
  .current = cpu_current,
  .alloc = cpu_alloc,
  .free = cpu_free,
  .memory = cpu_memory,
  .copy_to_device = cpu_copy,
  .copy_to_host = cpu_copy,
  .wait = cpu_wait,
  .set_symbol = cpu_set_symbol,
  .pin = cpu_pin,
  .unpin = cpu_unpin,
  .before_launch = cpu_before_launch,
  .launch_error = cpu_launch_error,
  .time_start = cpu_time_start,
  .time_stop = cpu_time_stop,
};
