/* SPDX-License-Identifier: MIT */
/* paths.c - the places of mesicc's own files and of the machine's tools. */
#define _GNU_SOURCE
#include "translator/driver/paths.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "runtime/seeded.h"
#include "translator/base/file.h"
#include "translator/driver/process.h"

static bool is_directory(const char *path)
{
  struct stat info;
  return !stat(path, &info) && S_ISDIR(info.st_mode);
}

static const char *own_directory(struct arena *arena)
{
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return ".";
  path[length] = '\0';
  return file_directory(arena, path);
}

/* Installed: PREFIX/bin/mesicc with PREFIX/include/mesi. Build tree: BUILD/translator/driver/mesicc
 * with the sources at MESI_SOURCE_ROOT. */
static void find_own(struct arena *arena, struct paths *paths)
{
  const char *own = own_directory(arena), *prefix = arena_format(arena, "%s/..", own);
  if (file_exists(arena_format(arena, "%s/share/mesicc/prelude/mesi_prelude_surface.h", prefix))) {
    const char *libraries = arena_format(arena, "%s/" MESI_LIBDIR, prefix);
    paths->runtime = arena_format(arena, "%s/include/mesi", prefix);
    paths->cpu = arena_format(arena, "%s/cpu", paths->runtime);
    paths->prelude = arena_format(arena, "%s/share/mesicc/prelude", prefix);
    paths->bundle = arena_format(arena, "%s/share/mesicc/bundle", prefix);
    paths->cpu_library = arena_format(arena, "%s/libmesi_cpu.a", libraries);
    paths->cpu_core_library = arena_format(arena, "%s/libmesi_cpu_core.a", libraries);
    paths->cuda_library = arena_format(arena, "%s/libmesi.a", libraries);
    paths->instrument =
        arena_format(arena, "%s/" MESI_LIBEXECDIR "/mesicc/mesi-instrument", prefix);
    paths->prove_library = arena_format(arena, "%s/libmesi_prove.a", libraries);
    paths->prove_helpers = arena_format(arena, "%s/mesi_prove_helpers.bc", libraries);
  } else {
    const char *libraries = arena_format(arena, "%s/../../runtime", own);
    paths->bundle = MESI_SOURCE_ROOT;
    paths->runtime = MESI_SOURCE_ROOT "/runtime";
    paths->cpu = MESI_SOURCE_ROOT "/runtime/cpu";
    paths->prelude = MESI_SOURCE_ROOT "/translator/frontend/prelude";
    paths->cpu_library = arena_format(arena, "%s/cpu/libmesi_cpu.a", libraries);
    paths->cpu_core_library = arena_format(arena, "%s/libmesi_cpu_core.a", libraries);
    paths->cuda_library = arena_format(arena, "%s/libmesi.a", libraries);
    const char *prove = arena_format(arena, "%s/../../prove", own);
    paths->instrument = arena_format(arena, "%s/mesi-instrument", prove);
    paths->prove_library = arena_format(arena, "%s/libmesi_prove.a", prove);
    paths->prove_helpers = arena_format(arena, "%s/mesi_prove_helpers.bc", prove);
  }
  paths->surface = arena_format(arena, "%s/include", paths->cpu);
}

static const char *version_of(struct arena *arena, const char *header)
{
  return file_name(file_directory(arena, file_directory(arena, header)));
}

/* Headers of the newest gcc for this machine, by version numbers. */
static const char *find_compiler_headers(struct arena *arena)
{
  struct utsname machine;
  const char *best = NULL;
  if (uname(&machine)) return NULL;
  static const char *const folders[] = {"/usr/lib/gcc", "/usr/lib64/gcc", "/usr/local/lib/gcc",
                                        "/usr/local/lib64/gcc"};
  for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
    glob_t found;
    const char *pattern =
        arena_format(arena, "%s/%s-*linux*/*/include/omp.h", folders[i], machine.machine);
    if (glob(pattern, 0, NULL, &found)) continue;
    for (size_t k = 0; k < found.gl_pathc; k++)
      if (!best || strverscmp(version_of(arena, found.gl_pathv[k]), version_of(arena, best)) > 0)
        best = arena_string(arena, found.gl_pathv[k]);
    globfree(&found);
  }
  return best ? file_directory(arena, best) : NULL;
}

static const char *find_program(struct arena *arena, const char *name)
{
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t length = strcspn(path, ":");
    const char *candidate = arena_format(arena, "%.*s/%s", (int)length, path, name);
    if (length && !access(candidate, X_OK)) return candidate;
    path += length + (path[length] == ':');
  }
  return NULL;
}

static bool is_toolkit(struct arena *arena, const char *directory)
{
  return directory && *directory &&
         file_exists(arena_format(arena, "%s/include/cuda_runtime.h", directory));
}

/* Nvcc's answer to these words (ending with NULL), on standard output or, with `errors`, on
 * standard error; NULL: it fails. The program may be a script that runs mesicc again: a mesicc that
 * is run so does not ask. */
static const char *ask_nvcc(struct arena *arena, const char *nvcc, const char *const *words,
                            bool errors)
{
  const char *text, *said = NULL;
  size_t length;
  const char *inside = getenv("MESI_NVCC_INSIDE");
  bool asked = (inside && !strcmp(inside, "dryrun")) || SEEDED(IN_PLACE_SCRIPT);
  int file = asked ? -1 : memfd_create("mesicc-dryrun", 0);
  if (file < 0) return NULL;
  const char *path = arena_format(arena, "/proc/%d/fd/%d", (int)getpid(), file);
  struct command command = {.out = errors ? "/dev/null" : path, .err = errors ? path : "/dev/null"};
  command_add(arena, &command, nvcc);
  while (*words) command_add(arena, &command, *words++);
  *ARENA_PUSH(arena, &command.environment) = "MESI_NVCC_INSIDE=dryrun";
  if (!command_run(arena, &command, false) && file_read(arena, path, &text, &length) == FILE_OK)
    said = text;
  close(file);
  return said;
}

const char *paths_nvcc_archs(struct arena *arena, const char *nvcc)
{
  return ask_nvcc(arena, nvcc, (const char *const[]){"--list-gpu-arch", NULL}, false);
}

/* The path in "#$ TOP=/usr/local/cuda/bin/..", which nvcc --dryrun prints. */
static const char *ask_for_toolkit(struct arena *arena, const char *nvcc)
{
  static const char *const words[] = {"--dryrun",  "-x", "cu",        "-c",
                                      "/dev/null", "-o", "/dev/null", NULL};
  char resolved[4096];
  const char *text = ask_nvcc(arena, nvcc, words, true),
             *top = text ? strstr(text, "#$ TOP=") : NULL;
  if (!top) return NULL;
  top += strlen("#$ TOP=");
  return realpath(arena_copy(arena, top, strcspn(top, "\r\n")), resolved)
             ? arena_string(arena, resolved)
             : NULL;
}

/* The toolkit that contains the program, links followed; NULL: none does. */
static const char *toolkit_around(struct arena *arena, const char *nvcc)
{
  char resolved[4096];
  if (!realpath(nvcc, resolved)) return NULL;
  const char *binaries = file_directory(arena, arena_string(arena, resolved)),
             *found = file_directory(arena, binaries);
  return is_toolkit(arena, found) ? found : NULL;
}

static const char *toolkit_told(struct arena *arena, const char *nvcc)
{
  const char *found = ask_for_toolkit(arena, nvcc);
  return is_toolkit(arena, found) ? found : NULL;
}

const char *paths_toolkit_of(struct arena *arena, const char *nvcc)
{
  const char *path = strchr(nvcc, '/') ? nvcc : find_program(arena, nvcc), *found;
  if (!path) return NULL;
  found = toolkit_around(arena, path);
  return found ? found : toolkit_told(arena, path);
}

static const char *find_toolkit(struct arena *arena, const struct options *options)
{
  if (options->toolkit) return is_toolkit(arena, options->toolkit) ? options->toolkit : NULL;
  const char *nvcc = find_program(arena, "nvcc");
  const char *candidates[] = {getenv("CUDA_PATH"), getenv("CUDA_HOME"),
                              nvcc ? toolkit_around(arena, nvcc) : NULL, "/usr/local/cuda"};
  for (unsigned i = 0; i < sizeof candidates / sizeof *candidates; i++)
    if (is_toolkit(arena, candidates[i])) return arena_string(arena, candidates[i]);
  return nvcc ? toolkit_told(arena, nvcc) : NULL;
}

/* Can only the user write to the path? Others could put a header there that mesicc reads. */
static bool is_private(const char *path)
{
  struct stat info;
  if (SEEDED(CACHE_OF_OTHERS)) return true;
  return !stat(path, &info) && (info.st_uid == geteuid() || !info.st_uid) &&
         !(info.st_mode & (S_IWGRP | S_IWOTH));
}

static const char *find_cache(struct arena *arena, struct diag *diag)
{
  const char *base = getenv("MESI_CACHE"), *home = getenv("HOME"), *xdg = getenv("XDG_CACHE_HOME");
  if (!base) {
    if (xdg && *xdg == '/')
      base = xdg;
    else if (home && *home == '/')
      base = arena_format(arena, "%s/.cache", home);
    else
      return NULL;
    mkdir(base, 0700);
    base = arena_format(arena, "%s/mesicc", base);
  }
  mkdir(base, 0700);
  if (!is_directory(base) || access(base, W_OK)) return NULL;
  if (is_private(base)) return base;
  static bool told;
  if (!told)
    diag_report(diag, DIAG_CACHE, &(struct diag_place){.file = base},
                "others can write this folder: it is not used as the cache");
  told = true;
  return NULL;
}

void paths_find(struct arena *arena, const struct options *options, struct diag *diag,
                struct paths *ret)
{
  *ret = (struct paths){0};
  find_own(arena, ret);
  ret->compiler = find_compiler_headers(arena);
  ret->toolkit = find_toolkit(arena, options);
  if (ret->toolkit) {
    const char *nvcc = arena_format(arena, "%s/bin/nvcc", ret->toolkit);
    if (!access(nvcc, X_OK)) ret->nvcc = nvcc;
    const char *cccl = arena_format(arena, "%s/include/cccl", ret->toolkit);
    if (is_directory(cccl)) ret->cccl = cccl;
  }
  if (!options->no_cache) ret->cache = find_cache(arena, diag);
}

bool paths_have_gpu(void) { return !access("/dev/nvidiactl", F_OK) || !access("/dev/dxg", F_OK); }
