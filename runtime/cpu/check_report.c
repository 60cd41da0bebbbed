/* SPDX-License-Identifier: MIT */
/* check_report.c - problems as messages: each kind once for a pair of places, with a count at the
 * end.
 *
 *     blur.mcu:12:5: check: data race between threads of a block: write of s[t + 1] (element 5)
 *         thread (4,0,0), block (0,0,0), kernel 'blur'; the other: read of s[t] at
 *         blur.mcu:13:14, thread (5,0,0)
 */
#define _GNU_SOURCE
#include "check_internal.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));

enum { SHOWN_MOST = 20, BUCKETS = 1024 };

static const char *const titles[PROBLEM_COUNT] = {
    [PROBLEM_BOUNDS] = "out of bounds",
    [PROBLEM_INDEX] = "index out of range",
    [PROBLEM_NULL] = "null pointer",
    [PROBLEM_FREED] = "use of freed memory",
    [PROBLEM_UNWRITTEN] = "read of shared memory that nobody wrote",
    [PROBLEM_RACE_BLOCK] = "data race between threads of a block",
    [PROBLEM_RACE_GRID] = "data race between blocks",
    [PROBLEM_DIVERGENT] = "barrier not reached by all threads of the block",
    [PROBLEM_PLACES] = "threads of a block wait at different barriers",
    [PROBLEM_DEADLOCK] = "deadlock",
    [PROBLEM_FAULT] = "illegal address",
};

struct found { /* a problem */
  enum problem problem;
  const struct mesi_check_site *site, *other;
  uint64_t count;
  bool shown;
  struct found *next;  /* in its bucket */
  struct found *later; /* in the order of finding */
};

static struct found *buckets[BUCKETS], *first_found, **last_found = &first_found;
static unsigned found_count, shown_count;
static uint64_t total;
static const struct mesi_check_site *last_site; /* of a message, or an unknown access */
static bool finished;

/* ---- threads and places ---- */

struct party check_me(const struct mesi_check_site *site, unsigned mode)
{
  static const char *const verbs[] = {"use", "read", "write", "update"};
  bool atomic = mode & MESI_CHECK_IS_ATOMIC;
  return (struct party){site, check_block->worker->current, check_block->block,
                        atomic ? "atomic update" : verbs[mode & 3]};
}

struct party check_them(struct record record, const char *verb)
{
  const struct mesi_check_site *site =
      record.site && record.site <= check.site_count ? check.sites[record.site] : NULL;
  return (struct party){site, record.who >> 22, check_block_of(record.epoch), verb};
}

static void print_thread(unsigned thread)
{
  struct mesi_cpu_dim size = check.launch->block;
  fprintf(stderr, "thread (%u,%u,%u)", thread % size.x, thread / size.x % size.y,
          thread / size.x / size.y);
}

static void print_block(uint32_t block)
{
  struct mesi_cpu_dim grid = check.launch->grid;
  fprintf(stderr, ", block (%u,%u,%u)", block % grid.x, block / grid.x % grid.y,
          block / grid.x / grid.y);
}

static void print_place(const struct mesi_check_site *site)
{
  if (site)
    fprintf(stderr, "%s:%u:%u", site->file, site->line, site->column);
  else
    fprintf(stderr, "(a place that is not known)");
}

static void print_party(const struct party *party)
{
  if (!strcmp(party->verb, "wait"))
    fprintf(stderr, "%s", party->site ? party->site->text : "a barrier");
  else
    fprintf(stderr, "%s of %s", party->verb, party->site ? party->site->text : "it");
}

static void print_other(const struct party *party, const struct party *other)
{
  fprintf(stderr, "; the other: ");
  print_party(other);
  fprintf(stderr, " at ");
  print_place(other->site);
  fprintf(stderr, ", ");
  print_thread(other->thread);
  if (other->block != party->block) print_block(other->block);
}

/* ---- problems ---- */

/* The mark tells `mesicc run` that there was a problem, however the program ends. */
static void leave_mark(void)
{
  const char *path = getenv("MESI_CHECK_MARK");
  int file = path && *path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
  if (file >= 0) close(file);
}

/* Is it the same pair of accesses, in either order? */
static bool same_pair(const struct found *f, const struct mesi_check_site *site,
                      const struct mesi_check_site *other)
{
  return (f->site == site && f->other == other) || (f->site == other && f->other == site);
}

static struct found *find(enum problem problem, const struct mesi_check_site *site,
                          const struct mesi_check_site *other)
{
  uintptr_t key = ((uintptr_t)site ^ (uintptr_t)other) / sizeof(struct mesi_check_site) + problem;
  struct found **bucket = &buckets[key % BUCKETS];
  for (struct found *f = *bucket; f; f = f->next)
    if (f->problem == problem && same_pair(f, site, other)) return f;
  struct found *f = calloc(1, sizeof *f);
  if (!f) mesi_cpu_fail("no memory for the checker");
  *f = (struct found){.problem = problem, .site = site, .other = other, .next = *bucket};
  *last_found = f;
  last_found = &f->later;
  if (!found_count++) leave_mark();
  return *bucket = f;
}

void check_problem(enum problem problem, const struct party *party, const struct party *other,
                   const char *detail, ...)
{
  struct found *f = find(problem, party->site, other ? other->site : NULL);
  last_site = party->site;
  total++;
  if (f->count++ || shown_count == SHOWN_MOST) return;
  shown_count++;
  f->shown = true;
  fflush(stdout);
  flockfile(stderr);
  print_place(party->site);
  fprintf(stderr, ": check: %s: ", titles[problem]);
  print_party(party);
  va_list arguments;
  va_start(arguments, detail);
  vfprintf(stderr, detail, arguments);
  va_end(arguments);
  if (party->site && *party->site->variable && !strstr(party->site->text, party->site->variable))
    fprintf(stderr, ", variable '%s'", party->site->variable);
  fprintf(stderr, "\n    ");
  print_thread(party->thread);
  print_block(party->block);
  fprintf(stderr, ", kernel '%s'", report_kernel_name(check.launch));
  if (other) print_other(party, other);
  fprintf(stderr, "\n");
  funlockfile(stderr);
}

void check_fault(const void *address)
{
  struct party me = check_me(last_site, 0);
  check_problem(PROBLEM_FAULT, &me, NULL, " or a later access: address %p", address);
  (void)check_report_finish(0);
}

/* ---- the end ---- */

static void print_kept(void)
{
  for (const struct mesi_check_file *file = check.files; file; file = file->next)
    for (unsigned i = 0; i < file->kept_count; i++)
      fprintf(stderr, "mesi check: %s '%s' is kept as written (%s): AddressSanitizer only\n",
              file->kept[i].is_kernel ? "kernel" : "function", file->kept[i].name,
              file->kept[i].reason);
}

static void print_counts(void)
{
  for (const struct found *f = first_found; f; f = f->later) {
    if (f->count < 2 && f->shown) continue;
    print_place(f->site);
    fprintf(stderr, ": check: %s: %llu times\n", titles[f->problem], (unsigned long long)f->count);
  }
}

int check_report_finish(int status)
{
  if (finished) return total ? MESI_CHECK_STATUS : status;
  finished = true;
  fflush(stdout);
  print_counts();
  print_kept();
  if (total)
    fprintf(stderr, "mesi check: %llu problem%s in %u place%s\n", (unsigned long long)total,
            total == 1 ? "" : "s", found_count, found_count == 1 ? "" : "s");
  else
    fprintf(stderr, "mesi check: nothing found: %llu accesses in %llu launches checked\n",
            (unsigned long long)check.accesses, (unsigned long long)check.launches);
  fflush(stderr);
  return total ? MESI_CHECK_STATUS : status;
}

/* AddressSanitizer calls this when it ends the program. */
static void sanitizer_ends(void)
{
  const struct worker *w = mesi_cpu_worker;
  bool inside = w && w->launch && check.launch;
  if (!found_count++) leave_mark();
  total++;
  if (inside) {
    fprintf(stderr, "mesi check: AddressSanitizer found the above in ");
    print_thread(w->current);
    fprintf(stderr, ", block (%u,%u,%u), kernel '%s'\n", w->block.x, w->block.y, w->block.z,
            report_kernel_name(check.launch));
  }
  (void)check_report_finish(0);
}

static void at_exit(int status, void *unused)
{
  (void)unused;
  int result = check_report_finish(status);
  if (result == status) return;
  fflush(NULL);
  _exit(result);
}

/* Registered before main, so that it runs after the program's own exit functions. */
void check_report_install(void)
{
  on_exit(at_exit, NULL);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(sanitizer_ends);
}
