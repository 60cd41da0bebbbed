/* SPDX-License-Identifier: MIT */
/* symbols.c - the name of an address in the symbol table of its file, and the kind of its memory.
 * For messages and pointer queries. */
#define _GNU_SOURCE
#include "scheduler_internal.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((weak)) char *__cxa_demangle(const char *, char *, size_t *, int *);

struct image {
  const char *bytes;
  size_t size;
};

static struct image map_file(const char *path)
{
  struct image image = {NULL, 0};
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return image;
  if (fstat(file, &status) == 0 && (size_t)status.st_size >= sizeof(ElfW(Ehdr))) {
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) image = (struct image){bytes, (size_t)status.st_size};
  }
  close(file);
  return image;
}

static const char *find_in_table(struct image image, const ElfW(Shdr) * sections,
                                 const ElfW(Shdr) * table, uintptr_t offset)
{
  const ElfW(Sym) *symbols = (const ElfW(Sym) *)(image.bytes + table->sh_offset);
  const char *names = image.bytes + sections[table->sh_link].sh_offset;
  for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++)
    if (symbols[i].st_value == offset && (symbols[i].st_info & 15) == STT_FUNC)
      return names + symbols[i].st_name;
  return NULL;
}

static const char *find_symbol(struct image image, uintptr_t offset)
{
  const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)image.bytes;
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_shoff + (size_t)header->e_shnum * sizeof(ElfW(Shdr)) > image.size)
    return NULL;
  const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(image.bytes + header->e_shoff);
  for (unsigned i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
    const char *name = find_in_table(image, sections, &sections[i], offset);
    if (name) return name;
  }
  return NULL;
}

static const char *demangle(const char *name)
{
  char *readable = __cxa_demangle ? __cxa_demangle(name, NULL, NULL, NULL) : NULL;
  if (!readable) return name;
  char *arguments = strchr(readable, '(');
  if (arguments) *arguments = '\0';
  return readable;
}

/* The mapping and the name are not freed: the program is about to end with a message. */
const char *symbol_name(const void *address)
{
  Dl_info info;
  struct link_map *map;
  if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP)) return NULL;
  if (info.dli_sname && info.dli_saddr == address) return demangle(info.dli_sname);
  struct image image = map_file(map->l_name && *map->l_name ? map->l_name : "/proc/self/exe");
  const char *name = image.bytes ? find_symbol(image, (uintptr_t)address - map->l_addr) : NULL;
  return name ? demangle(name) : NULL;
}

/* ---- kinds of memory ---- */

static int in_thread_local(struct dl_phdr_info *info, size_t size, void *pointer)
{
  (void)size;
  const char *address = *(const char **)pointer, *start = info->dlpi_tls_data;
  for (unsigned i = 0; start && i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS && address >= start &&
        address < start + info->dlpi_phdr[i].p_memsz)
      return 1;
  return 0;
}

enum mesi_cpu_space mesi_cpu_space_of(const void *pointer)
{
  const struct worker *w = mesi_cpu_worker;
  const char *address = pointer;
  if (!w || !w->launch) return MESI_CPU_GLOBAL;
  if (w->shared && address >= w->shared && address < w->shared + w->launch->shared)
    return MESI_CPU_SHARED;
  const struct fiber *fiber = w->running;
  if (fiber->low && address >= fiber->low && address < (const char *)fiber) return MESI_CPU_LOCAL;
  return dl_iterate_phdr(in_thread_local, (void *)&address) ? MESI_CPU_SHARED : MESI_CPU_GLOBAL;
}
