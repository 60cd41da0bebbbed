/* SPDX-License-Identifier: MIT */
/* jumps.c - the runtime's longjmp: a jump ends the launch whose arguments it leaves.
 *
 *     if (!setjmp(back))
 *       k<<<1, 32>>>(a, longjmp(back, 1));     no destructor is run here, and nothing else can tell
 *
 * The buffer holds the stack pointer of the target as glibc stores it for x86-64: mixed with a word
 * of the thread's and rotated by 17 bits. On other systems such a launch ends when its thread makes
 * another one, or ends.
 */
#undef _FORTIFY_SOURCE /* its longjmp is another name of __longjmp_chk, which is defined here as \
                          well */

#include "jumps.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__ILP32__)

#define IN_FRONT __attribute__((weak, noreturn, visibility("default")))

typedef void jump_fn(struct __jmp_buf_tag *, int);

/* glibc: sysdeps/x86_64/jmpbuf-offsets.h, pointer_guard.h */
enum { STACK_POINTER = 6, TURNED = 17 };

static const char *stack_of(const struct __jmp_buf_tag *buffer)
{
  uint64_t stored = (uint64_t)buffer->__jmpbuf[STACK_POINTER], guard;
  __asm__("mov %%fs:0x30, %0" : "=r"(guard));
  return (const char *)(uintptr_t)((stored >> TURNED | stored << (64 - TURNED)) ^ guard);
}

enum { LONGJMP, SHORT_LONGJMP, SIGLONGJMP, CHECKED_LONGJMP, JUMP_COUNT };

static jump_fn *real[JUMP_COUNT];
static mesi_jump_fn *_Atomic told; /* NULL: nobody */

static void find_real(void)
{
  static const char *const names[JUMP_COUNT] = {"longjmp", "_longjmp", "siglongjmp",
                                                "__longjmp_chk"};
  for (int i = 0; i < JUMP_COUNT; i++) *(void **)&real[i] = dlsym(RTLD_NEXT, names[i]);
}

void mesi_jumps_watch(mesi_jump_fn *seen)
{
  find_real();
  told = seen;
}

static _Noreturn void go(int which, struct __jmp_buf_tag *buffer, int value)
{
  if (!real[which]) find_real();
  if (told) told(stack_of(buffer));
  if (real[which]) real[which](buffer, value);
  abort();
}

IN_FRONT void longjmp(struct __jmp_buf_tag buffer[1], int value) { go(LONGJMP, buffer, value); }

IN_FRONT void _longjmp(struct __jmp_buf_tag buffer[1], int value)
{
  go(SHORT_LONGJMP, buffer, value);
}

IN_FRONT void siglongjmp(struct __jmp_buf_tag buffer[1], int value)
{
  go(SIGLONGJMP, buffer, value);
}

IN_FRONT void __longjmp_chk(struct __jmp_buf_tag *buffer, int value);
IN_FRONT void __longjmp_chk(struct __jmp_buf_tag *buffer, int value)
{
  go(CHECKED_LONGJMP, buffer, value);
}

#else

void mesi_jumps_watch(mesi_jump_fn *seen) { (void)seen; }

#endif
