/* SPDX-License-Identifier: MIT */
/* check_block.c - the checker's view of launches, blocks and barriers: the scheduler's hooks, and
 * the announcements of instrumented code other than accesses. */
#include "check_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- epochs ---- */

static void know_block(uint32_t block)
{
  if (check.block_count == check.block_room) {
    size_t room = check.block_room ? 2 * check.block_room : 4096;
    uint32_t *blocks = realloc(check.blocks, room * sizeof *blocks);
    if (!blocks) mesi_cpu_fail("no memory for the checker");
    check.blocks = blocks;
    check.block_room = room;
  }
  check.blocks[check.block_count++] = block;
}

void check_new_epoch(struct check_block *block)
{
  if (check.next == UINT32_MAX) mesi_cpu_fail("too many barriers in one launch for the checker");
  block->epoch = check.next++;
  know_block(block->block);
}

/* The length of the last name in a qualified name with template arguments. */
static size_t last_name(const char **name)
{
  size_t length = strcspn(*name, "<");
  for (size_t i = 0; i < length; i++)
    if ((*name)[i] == ':') return *name += i + 1, last_name(name);
  while (length && (*name)[length - 1] == ' ') length--;
  return length;
}

/* Is the kernel one that is not instrumented? A launch in a template goes through a callable object
 * without a name: it may be of any such kernel. */
static bool is_kept(const struct mesi_cpu_launch *launch)
{
  const char *name = report_kernel_name(launch);
  bool known = launch->name || launch->function;
  size_t length = last_name(&name);
  for (const struct mesi_check_file *file = check.files; file; file = file->next)
    for (unsigned i = 0; i < file->kept_count; i++) {
      const char *kept = file->kept[i].name;
      size_t kept_length = last_name(&kept);
      if (file->kept[i].is_kernel &&
          (!known || (kept_length == length && !strncmp(kept, name, length))))
        return true;
    }
  return false;
}

static void launch_begin(const struct mesi_cpu_launch *launch)
{
  check.launches++;
  check.launch = launch;
  if (check.next > UINT32_MAX / 2) {
    check_forget_cells();
    check.next = 1;
  }
  check.floor = check.first_known = check.next;
  check.block_count = 0;
  check.kernel_is_kept = is_kept(launch);
  check_launch_order();
}

/* ---- blocks ---- */

static struct check_block *own_block(void)
{
  if (!check_block) {
    check_block = calloc(1, sizeof *check_block);
    if (!check_block) mesi_cpu_fail("no memory for the checker");
  }
  check_block->worker = mesi_cpu_worker;
  return check_block;
}

static void block_begin(const struct mesi_cpu_launch *launch, struct mesi_cpu_dim at)
{
  struct check_block *block = own_block();
  check_begin_dynamic(block);
  if (block->launch != check.launches) block->last = NULL;
  block->launch = check.launches;
  block->block = (at.z * launch->grid.y + at.y) * launch->grid.x + at.x;
  block->trusts = check.kernel_is_kept;
  block->bad_index = NULL;
  block->waiting_count = 0;
  check_begin_order(block);
  memset(block->at, 0, sizeof block->at);
  check_new_epoch(block);
  block->first = block->epoch;
}

static void block_end(const struct mesi_cpu_launch *launch, struct mesi_cpu_dim at)
{
  (void)launch, (void)at;
  check_settle_reads(check_block);
}

static void thread_exit(unsigned thread)
{
  (void)thread;
  check_settle();
}

/* ---- barriers ---- */

static void barrier_arrive(unsigned thread, const void *site)
{
  (void)thread, (void)site;
  check_settle();
}

static unsigned first_in(const struct worker *w, enum thread_state state)
{
  unsigned thread = 0;
  while (thread < w->count && w->state[thread] != state) thread++;
  return thread;
}

/* Reports threads that wait elsewhere, and threads that ended before the barrier. */
static void check_barrier(const struct check_block *block, unsigned arrived)
{
  const struct worker *w = block->worker;
  unsigned first = first_in(w, THREAD_BARRIER), ended = first_in(w, THREAD_EXITED);
  struct party me = {block->at[first], first, block->block, "wait"};
  if (!me.site) return;
  for (unsigned t = first + 1; t < w->count; t++) {
    if (w->state[t] != THREAD_BARRIER || !block->at[t] || block->at[t] == me.site) continue;
    struct party other = {block->at[t], t, block->block, "wait"};
    check_problem(PROBLEM_PLACES, &me, &other, "%s", "");
    return;
  }
  if (arrived == w->count || ended == w->count) return;
  struct mesi_cpu_dim i = w->index[ended];
  check_problem(PROBLEM_DIVERGENT, &me, NULL,
                ": %u of %u threads are there, thread (%u,%u,%u) has ended", arrived, w->count, i.x,
                i.y, i.z);
}

static void barrier_complete(unsigned arrived)
{
  struct check_block *block = check_block;
  check_settle();
  check_settle_reads(block);
  check_barrier(block, arrived);
  memset(block->at, 0, block->worker->count * sizeof *block->at);
  check_new_epoch(block);
}

static void warp_complete(unsigned warp, unsigned lanes, int is_barrier)
{
  check_settle();
  if (is_barrier) check_warp_synced(check_block, warp, lanes);
}

static void grid_complete(void) { check.floor = check.next; }

static void grid_resume(void)
{
  check_settle();
  check_settle_reads(check_block);
  check_new_epoch(check_block);
}

static void deadlock(void)
{
  struct check_block *block = check_block;
  const struct worker *w = block->worker;
  unsigned waiting[2], count = 0;
  for (unsigned t = 0; t < w->count && count < 2; t++) {
    bool waits =
        w->state[t] == THREAD_BARRIER || w->state[t] == THREAD_WARP || w->state[t] == THREAD_GRID;
    if (waits && (!count || block->at[t] != block->at[waiting[0]])) waiting[count++] = t;
  }
  check_settle();
  check_settle_reads(block);
  if (!count) return;
  struct party me = {block->at[waiting[0]], waiting[0], block->block, "wait"};
  struct party other = {block->at[waiting[count - 1]], waiting[count - 1], block->block, "wait"};
  check_problem(PROBLEM_DEADLOCK, &me, count > 1 ? &other : NULL, "%s", "");
}

/* ---- announcements ---- */

void mesi_check_wait(const struct mesi_check_site *site)
{
  struct check_block *block = check_block;
  if (block && block->worker->launch) block->at[block->worker->current] = site;
}

void mesi_check_fence(void)
{
  if (!check_block) return;
  check_block->fenced = true;
  check.volatile_orders = true;
}

void mesi_check_order(const volatile void *address)
{
  struct check_block *block = check_block;
  if (!block || !block->worker->launch) return;
  mesi_check_fence();
  check_atomic(block, (const char *)(uintptr_t)address, block->worker->current, MESI_CHECK_ATOMIC);
}

void mesi_check_unknown(void)
{
  if (check_block) check_block->trusts = true;
}

void mesi_check_shared(const void *address, size_t size, size_t element, const char *name)
{
  struct check_block *block = check_block;
  if (!block || !block->worker->launch) return;
  unsigned slot = (unsigned)((uintptr_t)address >> 4) % RECENT;
  if (block->recent[slot].address == address && block->recent[slot].bytes == size &&
      block->recent[slot].launch == check.launches)
    return;
  check_shared_object(block, address, size, element, name)->launch = check.launches;
  block->recent[slot].address = address;
  block->recent[slot].bytes = size;
  block->recent[slot].launch = check.launches;
}

void *mesi_check_scratch(size_t size)
{
  static __thread char *memory;
  static __thread size_t room;
  if (size > room) {
    free(memory);
    room = (size + 4095) & ~(size_t)4095;
    memory = aligned_alloc(4096, room);
    if (!memory) mesi_cpu_fail("no memory for the checker");
  }
  return memset(memory, 0, size);
}

void mesi_check_bad_index(long long index, long long extent, const struct mesi_check_site *site)
{
  struct check_block *block = check_block;
  if (!block || !block->worker->launch) return;
  struct party me = check_me(site, 0);
  block->bad_index = site;
  block->bad_thread = me.thread;
  check_problem(PROBLEM_INDEX, &me, NULL, ": index %lld, the extent is %lld", index, extent);
}

/* ---- the hooks ---- */

static const struct mesi_cpu_hooks hooks = {
    .block_begin = block_begin,
    .block_end = block_end,
    .thread_exit = thread_exit,
    .barrier_arrive = barrier_arrive,
    .barrier_complete = barrier_complete,
    .warp_complete = warp_complete,
    .grid_complete = grid_complete,
    .grid_resume = grid_resume,
    .launch_begin = launch_begin,
    .deadlock = deadlock,
    .fault = check_fault,
    .leave = check_report_finish,
};

static void number_sites(struct mesi_check_file *file)
{
  const struct mesi_check_site **sites =
      realloc(check.sites, (check.site_count + file->site_count + 1) * sizeof *sites);
  if (!sites) mesi_cpu_fail("no memory for the checker");
  check.sites = sites;
  for (unsigned i = 0; i < file->site_count; i++) {
    file->sites[i].id = ++check.site_count;
    sites[check.site_count] = &file->sites[i];
  }
}

void mesi_check_register(struct mesi_check_file *file)
{
  if (!mesi_cpu_hooks) {
    mesi_cpu_hooks = &hooks;
    check_memory_install();
    check_report_install();
  }
  struct mesi_check_file **end = &check.files;
  while (*end) end = &(*end)->next;
  *end = file;
  number_sites(file);
  for (unsigned i = 0; i < file->var_count; i++) check_add_variable(&file->vars[i]);
}
