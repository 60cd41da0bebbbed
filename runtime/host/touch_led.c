/* SPDX-License-Identifier: MIT */
/* touch_led.c - host use of memory behind vectors and messages, or memory that a library keeps.
 *
 *     struct iovec v[2] = { { a + 100, 400 }, { b, 4096 } };
 *     mesi_touch_vectors(v, 2, MESI_READ);  writev(fd, v, 2);
 *         400 bytes of a and 4096 of b become valid
 *
 * A system call on a protected page fails with EFAULT, so that the pages are opened as well.
 * Vectors are read before the lock is taken: they may be in VS memory themselves.
 */
#include "touch.h"

#include "../mesi.h"
#include "../transfer/register.h"
#include "../seeded.h"
#include "../transfer/state.h"
#include "../transfer/verify.h"

#include <limits.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/uio.h>

static void touch_bytes(const void *memory, size_t bytes, unsigned access)
{
  if (!memory || !bytes) return;
  if (mesi_verify_on())
    mesi_touch_object(memory, access);
  else
    mesi_touch_range(memory, bytes, access);
}

void mesi_touch_vectors(const void *vectors, size_t count, unsigned access)
{
  const struct iovec *items = vectors;
  if (count == SIZE_MAX) {
    mesi_touch_all(access);
    return;
  }
  if (!items || count > IOV_MAX) /* the call will refuse it */
    return;
  touch_bytes(items, count * sizeof *items, MESI_READ);
  for (size_t i = 0; i < count; i++) touch_bytes(items[i].iov_base, items[i].iov_len, access);
}

void mesi_touch_messages(const void *messages, size_t count, size_t stride, unsigned access)
{
  if (count == SIZE_MAX) {
    mesi_touch_all(access);
    return;
  }
  for (size_t i = 0; messages && i < count && i < IOV_MAX; i++) {
    const struct msghdr *message = (const void *)((const char *)messages + i * stride);
    touch_bytes(message, stride, MESI_READ_WRITE);
    touch_bytes(message->msg_name, message->msg_namelen, access);
    touch_bytes(message->msg_control, message->msg_controllen, access);
    mesi_touch_vectors(message->msg_iov, message->msg_iovlen, access);
  }
}

void mesi_keep_on_host(const void *host)
{
  mesi_register_bind();
  if (mesi_object_reject(host)) return;
  mesi_lock();
  struct mesi_object *object = mesi_object_of_pointer(host);
  if (object && !SEEDED(KEPT_FORGOTTEN)) {
    mesi_touch(object, (struct mesi_span){0, mesi_object_capacity(object)}, MESI_READ_WRITE,
               "kept by the host");
    mesi_state_keep(object);
  }
  mesi_unlock();
}
