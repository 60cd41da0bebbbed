/* SPDX-License-Identifier: MIT */
/* sandbox.c - source text is not trusted: libclang runs in a forked child with limits. */
#include "translator/driver/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "translator/driver/guard_open.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/process.h"
#include "translator/driver/progress.h"

#define MEMORY_BYTES (2000ull << 20)      /* address space */
#define RESIDENT_BYTES (2 * MEMORY_BYTES) /* with AddressSanitizer, which fills twice as much */
#define STACK_BYTES (96ull << 20)
#define KEPT_BYTES (512 << 20) /* of free memory, that do not go back to the system */
#define PAD_BYTES (2 << 20)    /* that come from the system at once */
#define BASE_SECONDS \
  20u /* processor time: twice the budget of the analysis; a second more for each megabyte of \
         input */
#define VERIFY_SECONDS 20u /* more, for --verify-emitted */
#define EXPLAIN_SECONDS 5u /* more, for --explain, which analyses the kernels again */
#define WALL_FACTOR 10u    /* only an endless wait exceeds this: a busy machine does not */
#define LEAKED 86          /* exit status for leaks; only under LeakSanitizer */

int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

#if defined(__SANITIZE_ADDRESS__)
#define LIMITS_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMITS_MEMORY 0
#endif
#endif
#ifndef LIMITS_MEMORY
#define LIMITS_MEMORY 1
#endif

/* Does the child analyse kernels? In memory that both processes share; NULL: there is none. */
static volatile bool *analysing;

void sandbox_analyses(bool begins)
{
  if (analysing) *analysing = begins;
}

static unsigned seconds_allowed(const struct options *options)
{
  struct stat info;
  unsigned megabytes = 0;
  if (!stat(options->input, &info) && S_ISREG(info.st_mode))
    megabytes = (unsigned)(info.st_size >> 20);
  const char *wanted = getenv("MESI_TIME_LIMIT");
  unsigned more = (options->explain != EXPLAIN_NONE ? EXPLAIN_SECONDS : 0) +
                  (options->verify_emitted ? VERIFY_SECONDS : 0);
  unsigned usual = BASE_SECONDS * (options->effort > 0 ? options->effort : 1);
  return (wanted && atoi(wanted) > 0 ? (unsigned)atoi(wanted) : usual) + more +
         (megabytes < 64 ? megabytes : 0);
}

static void set_limit(int which, rlim_t value)
{
  struct rlimit limit;
  if (getrlimit(which, &limit)) return;
  if (limit.rlim_max != RLIM_INFINITY && value > limit.rlim_max) value = limit.rlim_max;
  limit.rlim_cur = value;
  setrlimit(which, &limit);
}

/* Discards what libraries print on their own; diagnostics keep the real standard error. */
static FILE *keep_diagnostics(void)
{
  int kept = dup(2), nothing = open("/dev/null", O_WRONLY);
  if (kept < 0 || nothing < 0) return stderr;
  fcntl(kept, F_SETFD, FD_CLOEXEC);
  dup2(nothing, 2);
  close(nothing);
  FILE *out = fdopen(kept, "w");
  return out ? out : stderr;
}

/* Checks for leaks: the child ends by _exit, where LeakSanitizer does not check. */
static int check_leaks(int status)
{
  return __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check() ? LEAKED : status;
}

/* Ends the child when its parent ends. */
static void end_with_parent(pid_t parent)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(STATUS_LIMIT);
}

/* isl frees what one question took, and the next one takes it again: between them the memory stays
 * with the process. */
static void keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD
  mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
  mallopt(M_TOP_PAD, PAD_BYTES);
#endif
}

static void child(const struct options *options, const struct diag *outer, unsigned seconds)
{
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_CPU, seconds);
  /* with AddressSanitizer the address space and the frames are several times as large; the address
   * space has no limit, see beyond_memory */
  if (LIMITS_MEMORY) {
    set_limit(RLIMIT_STACK, STACK_BYTES);
    set_limit(RLIMIT_AS, MEMORY_BYTES);
  }
  keep_memory();
  setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
  arena_exhausted_status(ARENA_EXHAUSTED);
  struct diag diag = *outer;
  diag.warning_words = options->warning_words.items;
  diag.warning_word_count = options->warning_words.count;
  if (!getenv("MESI_KEEP_STDERR")) {
    FILE *kept = keep_diagnostics();
    if (outer->out == stderr) diag.out = kept;
  }
  guard_open_enable();
  struct arena *arena = arena_create();
  int status = pipeline_run(arena, options, &diag);
  arena_destroy(arena);
  fflush(NULL);
  _exit(check_leaks(status));
}

/* Where the child's address space has no limit its parent measures its memory. */
static bool beyond_memory(pid_t pid)
{
  if (LIMITS_MEMORY) return false;
  char name[32];
  unsigned long long pages = 0;
  snprintf(name, sizeof name, "/proc/%d/statm", (int)pid);
  FILE *file = fopen(name, "re");
  bool read = file && fscanf(file, "%*u %llu", &pages) == 1;
  if (file) fclose(file);
  return read && pages * (unsigned long long)sysconf(_SC_PAGESIZE) > RESIDENT_BYTES;
}

static int wait_for(pid_t pid, unsigned seconds, bool *ret_late)
{
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int status = 0;
  unsigned microseconds = 500;
  for (;;) {
    pid_t done = waitpid(pid, &status, WNOHANG);
    if (done == pid) return status;
    if (done < 0 && errno != EINTR) return -1;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - start.tv_sec >= (time_t)seconds || process_interrupted()) break;
    if (beyond_memory(pid)) kill(pid, SIGKILL);
    progress_tick();
    usleep(microseconds);
    if (microseconds < 5000) microseconds *= 2;
  }
  *ret_late = !process_interrupted();
  kill(pid, SIGKILL);
  waitpid(pid, &status, 0);
  return status;
}

/* How a child ended. */
struct end {
  int status;
  bool late;      /* it waited for more than `seconds` by WALL_FACTOR */
  bool analysing; /* it had not ended the analysis of kernels */
  unsigned seconds;
};

static bool is_out_of_time(const struct end *end)
{
  return end->late || (WIFSIGNALED(end->status) && WTERMSIG(end->status) == SIGXCPU);
}

static bool is_out_of_memory(const struct end *end)
{
  return WIFEXITED(end->status) && WEXITSTATUS(end->status) == ARENA_EXHAUSTED;
}

/* The child's own status, and no `ret_why`; or STATUS_LIMIT, and why it has none. */
static int status_of(struct arena *arena, const struct end *end, enum diag_id *ret_id,
                     const char **ret_why)
{
  *ret_why = NULL;
  if (is_out_of_time(end)) {
    *ret_id = DIAG_TIMEOUT;
    *ret_why = arena_format(arena, "did not end within %u seconds%s",
                            end->late ? end->seconds * WALL_FACTOR : end->seconds,
                            end->late ? "" : " of processor time");
  } else if (is_out_of_memory(end)) {
    *ret_id = DIAG_MEMORY;
    *ret_why = arena_format(arena, "needs more than %llu MB of memory", MEMORY_BYTES >> 20);
  } else if (!WIFEXITED(end->status)) {
    *ret_id = DIAG_CRASH;
    *ret_why =
        arena_format(arena, "crashed or ran out of memory (signal %d)", WTERMSIG(end->status));
  } else {
    return WEXITSTATUS(end->status);
  }
  return STATUS_LIMIT;
}

static struct diag_place place_of(const struct options *options)
{
  return (struct diag_place){.file = strcmp(options->input, "-") ? options->input : "<stdin>"};
}

static bool run_child(const struct options *options, struct diag *diag, struct end *ret)
{
  *ret = (struct end){.seconds = seconds_allowed(options)};
  if (analysing) *analysing = false;
  fflush(NULL);
  pid_t self = getpid(), pid = fork();
  if (pid < 0) {
    diag_report(diag, DIAG_INTERNAL, NULL, "a process cannot be started: %s", strerror(errno));
    return false;
  }
  if (!pid) {
    end_with_parent(self);
    process_reset_signals();
    child(options, diag, ret->seconds);
  }
  ret->status = wait_for(pid, ret->seconds * WALL_FACTOR, &ret->late);
  ret->analysing = analysing && *analysing;
  return true;
}

/* Says why, and runs a child at -O0, which does not repeat what the first one has said about the
 * source. */
static bool translate_as_written(struct arena *arena, const struct options *options,
                                 struct diag *diag, const char *why, struct end *ret)
{
  struct diag_place place = place_of(options);
  struct options written = *options;
  struct string_list words = {0};

  diag_report(diag, DIAG_ANALYSIS_LEFT, &place,
              "the analysis %s: all kernels are as written, as at -O0", why);
  for (unsigned i = 0; i < options->warning_words.count; i++)
    *ARENA_PUSH(arena, &words) = options->warning_words.items[i];
  *ARENA_PUSH(arena, &words) = "-w";
  written.level = PLAN_O0;
  written.warning_words = words;
  return run_child(&written, diag, ret);
}

static int translate(struct arena *arena, const struct options *options, struct diag *diag)
{
  struct diag_place place = place_of(options);
  struct end end;
  enum diag_id id;
  const char *why;

  if (!run_child(options, diag, &end)) return STATUS_LIMIT;
  if (process_interrupted()) return process_interrupted();
  int status = status_of(arena, &end, &id, &why);
  if (why && end.analysing && options->level > PLAN_O0 && options->dump == DUMP_NONE) {
    if (!translate_as_written(arena, options, diag, why, &end)) return STATUS_LIMIT;
    if (process_interrupted()) return process_interrupted();
    status = status_of(arena, &end, &id, &why);
  }
  if (why)
    diag_report(diag, id, &place, "%s %s",
                id == DIAG_CRASH ? "the parser or the translator" : "translation", why);
  return status;
}

int sandbox_translate(const struct options *options, struct diag *diag)
{
  void *shared =
      mmap(NULL, sizeof *analysing, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  struct arena *arena = arena_create();

  analysing = shared == MAP_FAILED ? NULL : shared;
  int status = translate(arena, options, diag);
  if (analysing) munmap(shared, sizeof *analysing);
  analysing = NULL;
  arena_destroy(arena);
  return status;
}
