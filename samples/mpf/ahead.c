/* ahead.c - tasks in the order in which they were asked for; the device's thread. */
#include "ahead.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { LOOKS = 2000 };
enum state { WAITING, RUNNING, DONE };

struct mpf_task {
  struct mpf_task *next;  /* in the order of the calls */
  struct mpf_task *after; /* in the device's queue */
  struct mpf_job job;
  struct mpf_table *output;
  bool device;
  struct mpf_device_work work;
  atomic_int state;
  int status; /* the rest: when it is done */
  struct mpf_result_of result;
};

struct mpf_ahead {
  struct mpf_engine *engine;
  unsigned most, count; /* tasks that are not done */
  struct mpf_task *first, **end;
  bool started, failed;
  struct mpf_ahead_times times;
  double marked; /* seconds of the device, when the caller began to prepare */
  pthread_t thread;
  pthread_mutex_t lock; /* for the rest */
  pthread_cond_t wake, done;
  bool over;
  struct mpf_task *queue, **queue_end; /* ready, for the device */
  atomic_ulong queued, finished;       /* tasks so far */
  unsigned long seen;                  /* of those finished; the caller's */
  double since, worked;                /* the device: now at work since (0: not), and before */
};

static double seconds(void)
{
  struct timespec time;

  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- the device's thread ---- */

static void pause_briefly(void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#endif
}

/* The next task, or NULL: it is over. */
static struct mpf_task *take_task(struct mpf_ahead *ahead, unsigned long taken)
{
  for (int i = 0; i < LOOKS && ahead->queued == taken; i++) pause_briefly();
  pthread_mutex_lock(&ahead->lock);
  while (!ahead->queue && !ahead->over) pthread_cond_wait(&ahead->wake, &ahead->lock);
  struct mpf_task *task = ahead->queue;
  if (task) {
    ahead->queue = task->after;
    if (!ahead->queue) ahead->queue_end = &ahead->queue;
    ahead->since = seconds();
  }
  pthread_mutex_unlock(&ahead->lock);
  return task;
}

static void *run_device(void *argument)
{
  struct mpf_ahead *ahead = argument;
  struct mpf_task *task;

  for (unsigned long taken = 0; (task = take_task(ahead, taken)) != NULL; taken++) {
    task->status =
        mpf_job_compute(ahead->engine, &task->job, &task->work, task->output, &task->result);
    pthread_mutex_lock(&ahead->lock);
    ahead->worked += seconds() - ahead->since;
    ahead->since = 0;
    task->state = DONE;
    ahead->finished++;
    pthread_cond_signal(&ahead->done);
    pthread_mutex_unlock(&ahead->lock);
  }
  return NULL;
}

/* Seconds that the device has worked until now. */
static double worked(struct mpf_ahead *ahead)
{
  if (!ahead->started) return 0;
  pthread_mutex_lock(&ahead->lock);
  double time = ahead->worked + (ahead->since > 0 ? seconds() - ahead->since : 0);
  pthread_mutex_unlock(&ahead->lock);
  return time;
}

static void give_to_device(struct mpf_ahead *ahead, struct mpf_task *task)
{
  task->state = RUNNING;
  pthread_mutex_lock(&ahead->lock);
  *ahead->queue_end = task;
  ahead->queue_end = &task->after;
  ahead->queued++;
  pthread_cond_signal(&ahead->wake);
  pthread_mutex_unlock(&ahead->lock);
}

static void wait_for_device(struct mpf_ahead *ahead)
{
  for (int i = 0; i < LOOKS && ahead->finished == ahead->seen; i++) pause_briefly();
  pthread_mutex_lock(&ahead->lock);
  while (ahead->finished == ahead->seen) pthread_cond_wait(&ahead->done, &ahead->lock);
  pthread_mutex_unlock(&ahead->lock);
}

/* ---- tasks ---- */

static bool is_ready(const struct mpf_job *job)
{
  for (unsigned i = 0; i < job->count; i++)
    if (job->views[i].table->task) return false;
  return true;
}

static void use_inputs(struct mpf_engine *engine, const struct mpf_job *job, int change)
{
  for (unsigned i = 0; i < job->count; i++) {
    struct mpf_table *table = (struct mpf_table *)job->views[i].table;
    table->users += (unsigned)change;
    if (table->dead) mpf_table_free(engine, table); /* where nobody uses it any more */
  }
}

/* A task that is done leaves the list. */
static void complete(struct mpf_ahead *ahead, struct mpf_task **at)
{
  struct mpf_task *task = *at;
  struct mpf_engine *engine = ahead->engine;

  *at = task->next;
  if (!*at) ahead->end = at;
  ahead->count--;
  ahead->failed |= task->status != MPF_OK;
  if (!task->status) mpf_engine_count(engine, &task->result);
  if (task->device) mpf_device_work_end(engine, &task->work);
  use_inputs(engine, &task->job, -1);
  mpf_job_end(&task->job);
  task->output->task = NULL;
  if (task->output->dead) mpf_table_free(engine, task->output);
  free(task);
}

/* What is done leaves the list, and the device gets what is ready. Whether there was any. */
static bool settle(struct mpf_ahead *ahead)
{
  bool found = false;

  if (!ahead->first) return false;
  ahead->seen = ahead->finished;
  for (struct mpf_task **at = &ahead->first; *at;)
    if ((*at)->state == DONE) {
      complete(ahead, at);
      found = true;
    } else {
      at = &(*at)->next;
    }
  for (struct mpf_task *task = ahead->first; task; task = task->next)
    if (task->device && task->state == WAITING && is_ready(&task->job)) {
      task->status = ahead->failed ? MPF_NO_MEMORY : MPF_OK;
      if (ahead->failed)
        task->state = DONE;
      else
        give_to_device(ahead, task);
      found = true;
    }
  return found;
}

static int compute(struct mpf_ahead *ahead, const struct mpf_job *job, struct mpf_table *output,
                   struct mpf_result_of *ret)
{
  double before = worked(ahead);
  int status =
      ahead->failed ? MPF_NO_MEMORY : mpf_job_compute(ahead->engine, job, NULL, output, ret);

  ahead->times.computed += worked(ahead) - before;
  return status;
}

/* Computes the first task of the CPU that is ready; whether there was one. */
static bool help(struct mpf_ahead *ahead)
{
  struct mpf_task **at = &ahead->first;

  while (*at && ((*at)->device || !is_ready(&(*at)->job))) at = &(*at)->next;
  if (!*at) return false;
  (*at)->status = compute(ahead, &(*at)->job, (*at)->output, &(*at)->result);
  complete(ahead, at);
  return true;
}

static void step(struct mpf_ahead *ahead)
{
  if (!settle(ahead) && !help(ahead)) wait_for_device(ahead);
}

/* The caller waits, or prepares again. */
static void stop_clock(struct mpf_ahead *ahead)
{
  double time = worked(ahead);

  ahead->times.prepared += time - ahead->marked;
  ahead->marked = time;
}

static void start_clock(struct mpf_ahead *ahead) { ahead->marked = worked(ahead); }

int mpf_engine_await(struct mpf_engine *engine, struct mpf_table *table)
{
  struct mpf_ahead *ahead = engine->ahead;

  if (!ahead) return MPF_OK;
  stop_clock(ahead);
  while (table ? table->task != NULL : ahead->count > 0) step(ahead);
  start_clock(ahead);
  return ahead->failed ? MPF_NO_MEMORY : MPF_OK;
}

/* Memory of the engine for a task of the device. */
static int prepare(struct mpf_engine *engine, struct mpf_task *task)
{
  if (!task->device) return MPF_OK;
  int status = mpf_device_work_begin(engine, &task->job, &task->work);
  if (status || task->work.host <= engine->staging_size) return status;
  status = mpf_engine_await(engine, NULL); /* nobody uses what is there */
  if (!status && !mpf_engine_reserve(engine, task->work.host)) status = MPF_NO_MEMORY;
  if (status) mpf_device_work_end(engine, &task->work);
  return status;
}

static int start(struct mpf_ahead *ahead, bool device)
{
  if (ahead->started || !device) return MPF_OK;
  ahead->started = !pthread_create(&ahead->thread, NULL, run_device, ahead);
  return ahead->started ? MPF_OK : MPF_NO_MEMORY;
}

static int add_task(struct mpf_ahead *ahead, struct mpf_job *job, bool device,
                    struct mpf_table *output)
{
  struct mpf_task *task = calloc(1, sizeof *task);

  if (!task) return MPF_NO_MEMORY;
  task->job = *job;
  task->output = output;
  task->device = device;
  int status = start(ahead, device);
  if (!status) status = prepare(ahead->engine, task);
  if (status) {
    free(task);
    return status;
  }
  *job = (struct mpf_job){0};
  output->task = task;
  use_inputs(ahead->engine, &task->job, 1);
  *ahead->end = task;
  ahead->end = &task->next;
  ahead->count++;
  return MPF_OK;
}

static int run_at_once(struct mpf_ahead *ahead, const struct mpf_job *job, struct mpf_table *output)
{
  struct mpf_result_of result = {0};
  int status = compute(ahead, job, output, &result);

  if (!status) mpf_engine_count(ahead->engine, &result);
  return status;
}

int mpf_ahead_run(struct mpf_engine *engine, struct mpf_job *job, bool device,
                  struct mpf_table *output)
{
  struct mpf_ahead *ahead = engine->ahead;
  int status;

  stop_clock(ahead);
  while (settle(ahead) || (!device && help(ahead))) continue;
  while (ahead->count >= ahead->most) step(ahead);
  if (!device && is_ready(job)) {
    status = run_at_once(ahead, job, output);
    start_clock(ahead);
    return status;
  }
  start_clock(ahead);
  status = add_task(ahead, job, device, output);
  if (status && ahead->count) {
    status = mpf_engine_await(engine, NULL);
    if (!status) status = add_task(ahead, job, device, output);
  }
  settle(ahead);
  return status;
}

/* ---- the whole ---- */

int mpf_ahead_begin(struct mpf_engine *engine, unsigned most)
{
  struct mpf_ahead *ahead = calloc(1, sizeof *ahead);

  if (!ahead) return MPF_NO_MEMORY;
  ahead->engine = engine;
  ahead->most = most;
  ahead->end = &ahead->first;
  ahead->queue_end = &ahead->queue;
  pthread_mutex_init(&ahead->lock, NULL);
  pthread_cond_init(&ahead->wake, NULL);
  pthread_cond_init(&ahead->done, NULL);
  engine->ahead = ahead;
  return MPF_OK;
}

void mpf_ahead_end(struct mpf_engine *engine)
{
  struct mpf_ahead *ahead = engine->ahead;

  if (!ahead) return;
  while (ahead->count) step(ahead);
  pthread_mutex_lock(&ahead->lock);
  ahead->over = true;
  pthread_cond_signal(&ahead->wake);
  pthread_mutex_unlock(&ahead->lock);
  if (ahead->started) pthread_join(ahead->thread, NULL);
  pthread_mutex_destroy(&ahead->lock);
  pthread_cond_destroy(&ahead->wake);
  pthread_cond_destroy(&ahead->done);
  free(ahead);
  engine->ahead = NULL;
}

struct mpf_ahead_times mpf_ahead_times(const struct mpf_engine *engine)
{
  struct mpf_ahead_times times = {0};

  if (!engine->ahead) return times;
  times = engine->ahead->times;
  times.device = worked(engine->ahead);
  return times;
}

bool mpf_ahead_failed(const struct mpf_engine *engine)
{
  return engine->ahead && engine->ahead->failed;
}
