/* budget.c - the time that the analysis of one unit may take.
 *
 * isl's limit on operations bounds each question and gives the same answer on every machine, so it decides in all but absurd
 * cases. It does not bound a unit: operations differ in price by orders of magnitude with the size of sets and of numbers, and
 * a unit may ask thousands of questions. Behind it therefore stands the processor time of the process: where SECONDS are
 * spent, the context at work is aborted, its operations fail from then on as at the limit, and what is still to be analyzed is left
 * as it is, with the reason in the remarks.
 *
 * Requires: one analysis at a time in a process. Produces: nothing. Gives up: never. */
#include "analysis/budget.h"

#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

enum { SECONDS = 4 }; /* of 9 that the sandbox allows */

static isl_ctx *volatile working;
static volatile sig_atomic_t spent;

static void on_time(int number)
{
  (void)number;
  spent = 1;
  if (working)
    isl_ctx_abort(working);
}

static void set_timer(int seconds)
{
  struct itimerval timer = { .it_value = { .tv_sec = seconds } };
  setitimer(ITIMER_PROF, &timer, NULL);
}

void budget_begin(void)
{
  struct sigaction action = { .sa_handler = on_time, .sa_flags = SA_RESTART };

  spent = 0;
  sigaction(SIGPROF, &action, NULL);
  set_timer(SECONDS);
}

void budget_end(void)
{
  set_timer(0);
}

void budget_enter(isl_ctx *ctx)
{
  working = ctx;
  if (spent)
    isl_ctx_abort(ctx);
}

void budget_leave(void)
{
  working = NULL;
}

bool budget_is_spent(void)
{
  return spent;
}
