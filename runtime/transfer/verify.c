/* SPDX-License-Identifier: MIT */
/* verify.c - guards on every variable that is not guarded on purpose, to find unannounced accesses.
 *
 *     mesi: error: unannounced host access: variable 'a' (in.mcu:3): mesi_touch of 'a' for
 *         reading is missing before in.mcu:41 (main): byte 160 is stale
 *
 * Pages are coarser than announcements: where a page faults because of other bytes, the state of
 * the accessed byte decides, and may allow the access. A system call's access to a page is not
 * seen. Only variables whose storage has its pages to itself can be verified.
 */
#include "verify.h"

#include "../base/error.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

bool mesi_verify_on(void)
{
  static int on = -1;
  if (on < 0) {
    const char *value = getenv("MESI_VERIFY");
    on = value && *value && strcmp(value, "0") != 0;
  }
  return on;
}

static bool on_a_device(const struct mesi_object *object, struct mesi_span span)
{
  for (int device = 0; device < object->device_count; device++)
    if (mesi_ranges_meet(&object->device[device].valid, span)) return true;
  return false;
}

static void *faulting_instruction(const void *context)
{
  const ucontext_t *machine = context;
#if defined(__x86_64__)
  return (void *)machine->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (void *)machine->uc_mcontext.pc;
#else
  (void)machine;
  return NULL;
#endif
}

/* Finds "in.mcu:41 (main)" with addr2line. The program ends after this, so that the cost does not
 * matter. */
static int place_by_tool(const char *file, size_t offset, char *place, size_t size)
{
  char command[512], function[128] = "", line[256] = "";
  if (strchr(file, '\'') ||
      snprintf(command, sizeof command, "addr2line -fCe '%s' %#zx 2>/dev/null", file, offset) >=
          (int)sizeof command)
    return -1;
  FILE *tool = popen(command, "r");
  if (!tool) return -1;
  bool got = fgets(function, sizeof function, tool) && fgets(line, sizeof line, tool);
  pclose(tool);
  function[strcspn(function, "\n")] = line[strcspn(line, " \n")] = '\0';
  if (!got || line[0] == '?' || !line[0]) return -1;
  const char *slash = strrchr(line, '/');
  snprintf(place, size, "%s (%s)", slash ? slash + 1 : line, function);
  return 0;
}

static void place_of(void *instruction, char *place, size_t size)
{
  Dl_info info;
  if (!instruction || !dladdr(instruction, &info) || !info.dli_fname) {
    snprintf(place, size, "address %p", instruction);
    return;
  }
  size_t offset = (size_t)((char *)instruction - (char *)info.dli_fbase);
  if (place_by_tool(info.dli_fname, offset, place, size) == 0) return;
  if (info.dli_sname)
    snprintf(place, size, "%s+%#zx", info.dli_sname,
             (size_t)((char *)instruction - (char *)info.dli_saddr));
  else
    snprintf(place, size, "%s+%#zx", info.dli_fname, offset);
}

void mesi_verify_fault(const struct mesi_object *object, size_t byte, unsigned access,
                       const void *context)
{
  struct mesi_span at = {byte, byte + 1};
  char place[512];
  bool stale = !mesi_ranges_contain(&object->host_valid, at);
  bool written = access & MESI_WRITE;
  if (!object->verified || byte >= object->size || !(stale || (written && on_a_device(object, at))))
    return;
  place_of(faulting_instruction(context), place, sizeof place);
  mesi_fatal("unannounced host access", object,
             "mesi_touch of '%s' for %s is missing before %s: byte %zu is %s", object->name,
             written ? "writing" : "reading", place, byte,
             stale ? "stale" : "valid on the device, which would not learn of the new value");
}

bool mesi_verify_drops(const struct mesi_object *object, struct mesi_span span, unsigned access)
{
  static long dropped = -1, seen;
  if (dropped < 0) {
    const char *value = getenv("MESI_VERIFY_DROP");
    dropped = value ? atol(value) : 0;
  }
  bool needed = !mesi_ranges_contain(&object->host_valid, span) ||
                ((access & MESI_WRITE) && on_a_device(object, span));
  return dropped > 0 && object->verified && needed && ++seen == dropped;
}
