/* branches.c - threads that take the cliques of a tree whose turn has come.
 *
 * Up, a clique's turn comes when its children have been visited; down, when its parent has. Among
 * several the one goes first that the longest way of further visits begins with. Each thread has a
 * stream of the device for itself. */
#include "branches.h"

#include <pthread.h>
#include <stdlib.h>

#include "primitives.h"

enum { MOST_THREADS = 64 };

struct crowd {
  const struct junction_walk *walk;
  double *way;         /* by clique: the cost from its visit to the end of the walk; owned */
  unsigned *waits_for; /* by clique: visits; owned */
  unsigned *ready;     /* cliques; owned */
  unsigned ready_count, left;
  int status;
  pthread_mutex_t lock; /* for all of this */
  pthread_cond_t change;
};

/* The cost of the most expensive way from each clique to the end. */
static void find_ways(const struct junction_tree *tree, const double *cost, bool down, double *ret)
{
  unsigned count = tree->clique_count;

  for (unsigned i = 0; i < count; i++) {
    unsigned c = down ? count - 1 - i : i; /* parents come before children in the tree */
    const struct junction_clique *clique = &tree->cliques[c];
    double after = 0;
    if (!down && clique->parent != JUNCTION_NO_PARENT) after = ret[clique->parent];
    for (unsigned k = 0; down && k < clique->child_count; k++)
      if (ret[clique->children[k]] > after) after = ret[clique->children[k]];
    ret[c] = cost[c] + after;
  }
}

double junction_walk_critical(const struct junction_tree *tree, const double *cost)
{
  double *way = malloc((tree->clique_count + 1) * sizeof *way), all = 0, longest = 0;

  if (!way) return 1;
  find_ways(tree, cost, false, way);
  for (unsigned c = 0; c < tree->clique_count; c++) {
    all += cost[c];
    longest = way[c] > longest ? way[c] : longest;
  }
  free(way);
  return all > 0 ? longest / all : 1;
}

/* The ready clique with the longest way; the lock is held. */
static unsigned take(struct crowd *crowd)
{
  unsigned best = 0;

  for (unsigned i = 1; i < crowd->ready_count; i++)
    if (crowd->way[crowd->ready[i]] > crowd->way[crowd->ready[best]]) best = i;
  unsigned clique = crowd->ready[best];
  crowd->ready[best] = crowd->ready[--crowd->ready_count];
  return clique;
}

/* One visit less to wait for. */
static void release(struct crowd *crowd, unsigned clique)
{
  if (!--crowd->waits_for[clique]) crowd->ready[crowd->ready_count++] = clique;
}

/* What the visit of a clique allows; the lock is held. */
static void finish_visit(struct crowd *crowd, unsigned c, int status)
{
  const struct junction_clique *clique = &crowd->walk->tree->cliques[c];

  crowd->left--;
  if (status && !crowd->status) crowd->status = status;
  if (crowd->walk->down)
    for (unsigned k = 0; k < clique->child_count; k++) release(crowd, clique->children[k]);
  else if (clique->parent != JUNCTION_NO_PARENT)
    release(crowd, clique->parent);
  pthread_cond_broadcast(&crowd->change);
}

static void visit_all(struct crowd *crowd)
{
  pthread_mutex_lock(&crowd->lock);
  while (crowd->left && !crowd->status) {
    if (!crowd->ready_count) {
      pthread_cond_wait(&crowd->change, &crowd->lock);
      continue;
    }
    unsigned clique = take(crowd);
    pthread_mutex_unlock(&crowd->lock);
    int status = crowd->walk->visit(crowd->walk->context, clique);
    pthread_mutex_lock(&crowd->lock);
    finish_visit(crowd, clique, status);
  }
  pthread_mutex_unlock(&crowd->lock);
}

static void *run_thread(void *argument)
{
  junction_device_branch(true);
  visit_all(argument);
  junction_device_branch(false);
  return NULL;
}

static int visit_in_order(const struct junction_walk *walk)
{
  unsigned count = walk->tree->clique_count;
  int status = JUNCTION_OK;

  for (unsigned i = 0; !status && i < count; i++)
    status = walk->visit(walk->context, walk->down ? i : count - 1 - i);
  return status;
}

static void begin(struct crowd *crowd)
{
  const struct junction_walk *walk = crowd->walk;

  for (unsigned c = 0; c < walk->tree->clique_count; c++) {
    const struct junction_clique *clique = &walk->tree->cliques[c];
    crowd->waits_for[c] = walk->down ? clique->parent != JUNCTION_NO_PARENT : clique->child_count;
    if (!crowd->waits_for[c]) crowd->ready[crowd->ready_count++] = c;
  }
  crowd->left = walk->tree->clique_count;
  find_ways(walk->tree, walk->cost, walk->down, crowd->way);
}

static void run_threads(struct crowd *crowd, unsigned threads)
{
  pthread_t others[MOST_THREADS];
  unsigned started = 0;

  while (started + 1 < threads && started < MOST_THREADS &&
         !pthread_create(&others[started], NULL, run_thread, crowd))
    started++;
  visit_all(crowd);
  for (unsigned i = 0; i < started; i++) pthread_join(others[i], NULL);
}

int junction_walk(const struct junction_walk *walk, unsigned threads)
{
  unsigned count = walk->tree->clique_count;
  struct crowd crowd = {.walk = walk};

  if (threads < 2 || count < 2) return visit_in_order(walk);
  crowd.way = calloc(count, sizeof *crowd.way);
  crowd.waits_for = calloc(count, sizeof *crowd.waits_for);
  crowd.ready = calloc(count, sizeof *crowd.ready);
  pthread_mutex_init(&crowd.lock, NULL);
  pthread_cond_init(&crowd.change, NULL);
  if (crowd.way && crowd.waits_for && crowd.ready) {
    begin(&crowd);
    run_threads(&crowd, threads);
  } else {
    crowd.status = JUNCTION_NO_MEMORY;
  }
  pthread_mutex_destroy(&crowd.lock);
  pthread_cond_destroy(&crowd.change);
  free(crowd.way);
  free(crowd.waits_for);
  free(crowd.ready);
  return crowd.status;
}
