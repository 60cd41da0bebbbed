/* engine.h - sums of products of tables: where each is computed, and what that takes. */
#ifndef MPF_ENGINE_H
#define MPF_ENGINE_H

#include "bucket.h"

struct mpf_shared { /* device memory of several tables */
  real *memory;
  size_t count;   /* numbers */
  unsigned users; /* tables */
};

struct mpf_table { /* a function over variables in the global order */
  unsigned count;
  unsigned *places; /* of its variables, ascending; owned */
  size_t size;
  real *values;              /* owned, or in `shared` */
  struct mpf_shared *shared; /* NULL: none */
  double exponent;           /* every value is to be taken times 2^exponent */
  bool device;               /* the memory is the device's */
  unsigned depth;            /* for whoever made it: how deep in conditions */
  unsigned origin;           /* for whoever made it: its bucket */
  struct mpf_task *task;     /* what computes it, see ahead.h; NULL: it is there */
  unsigned users;            /* tasks that read it */
  bool dead;                 /* it goes with its last task */
};

struct mpf_ahead;
struct mpf_block;
struct mpf_job;
struct mpf_task;
struct mpf_watch;

struct mpf_engine {
  enum mpf_domain domain;
  const unsigned *domains; /* by place */
  unsigned variable_count;
  /* by place: the value of a variable that is set, or -1; the caller's */
  int *fixed;
  bool *summed; /* by place, scratch; owned */
  /* buckets of at least so many FLOP and LEAST_OUTPUTS run on the device; 0: all */
  double threshold;
  size_t memory;     /* limit for all tables, bytes */
  size_t used, peak; /* bytes of tables now and at most */
  /* variables are set: a table may take half of what is left, so that later ones find room */
  bool conditioned;
  struct mpf_block *blocks; /* device memory, in use and idle; owned, see memory.c */
  unsigned block_count, block_capacity, idle_count;
  size_t idle;         /* bytes */
  real *staging;       /* of the device, written by the host; owned */
  size_t staging_size; /* numbers */
  double flop[2];      /* done on the CPU and on the device */
  unsigned long buckets[2];
  unsigned long batches;   /* launches of several buckets */
  size_t denormal;         /* linear domain: results that lost precision */
  size_t vanished;         /* linear domain: results that became 0 */
  struct mpf_watch *watch; /* NULL: none; the caller's */
  struct mpf_ahead *ahead; /* NULL: a sum is there when its call returns; owned */
};

struct mpf_watch { /* is shown each bucket of an elimination; none is in a common launch then */
  /* A bucket with its inputs, and its sum before it is scaled. A status of the engine. */
  int (*bucket)(struct mpf_watch *, struct mpf_engine *, const struct mpf_job *,
                const struct mpf_table *sum);
};

enum { MPF_MOST_FUNCTIONS = 64, MPF_MOST_SUMMANDS = 8192 }; /* of a bucket */
enum { MPF_OK, MPF_NO_MEMORY = -1, MPF_TOO_LARGE = -2 };    /* of the machine, of the limit */

int mpf_engine_begin(struct mpf_engine *, enum mpf_domain, const unsigned *domains,
                     unsigned variable_count, int *fixed);
void mpf_engine_end(struct mpf_engine *);

/* A table for the given variables, values not set. NULL: out of memory. */
struct mpf_table *mpf_table_create(struct mpf_engine *, unsigned count, const unsigned *places,
                                   bool device);
void mpf_table_free(struct mpf_engine *, struct mpf_table *);

/* The product of the inputs at the fixed variables' values, summed over all variables but those in
 * `kept`, as a table over the variables of `kept` that any input has. Any number of inputs; small
 * ones are multiplied with each other first. */
int mpf_engine_sum(struct mpf_engine *, unsigned count, struct mpf_table *const *inputs,
                   const bool *kept, struct mpf_table **ret);
/* Whether a product summed over the variables that are not kept is one of many that may run
 * together: small for the device, and in one bucket. Its complexity. */
bool mpf_engine_small(struct mpf_engine *, unsigned count, struct mpf_table *const *inputs,
                      const bool *kept, double *ret_flop);

struct mpf_request { /* a sum over one variable */
  unsigned place;    /* of the variable */
  unsigned count;
  struct mpf_table **inputs; /* owned list */
};
/* Several of them, none of which needs another's result, in one launch. Nothing is left of it where
 * it fails. */
int mpf_engine_batch(struct mpf_engine *, unsigned count, const struct mpf_request *,
                     struct mpf_table **ret);
/* The same as mpf_engine_sum for at most MPF_MOST_FUNCTIONS inputs, which are taken as they are. */
int mpf_engine_bucket(struct mpf_engine *, unsigned count, struct mpf_table *const *inputs,
                      const bool *kept, struct mpf_table **ret);
/* A sum may be begun and not be there yet. Waits for a table, or (NULL) all. A status. */
int mpf_engine_await(struct mpf_engine *, struct mpf_table *);
/* Outputs that a bucket of so many FLOP should have to keep the cores, or the device, busy. */
size_t mpf_engine_least_outputs(const struct mpf_engine *, double flop);
/* Bytes that a table may take now, with what is needed to make it. */
size_t mpf_engine_room(const struct mpf_engine *);
/* The one value of a table whose variables are all fixed, as a base-2 logarithm. */
double mpf_engine_log2(const struct mpf_engine *, const struct mpf_table *);

/* bytes that tables may have: of the machine's, of those that are free, of those of the control
 * group */
size_t mpf_machine_memory(void);

/* The complexity from which on the device is faster than all cores, measured with one bucket after
 * another; infinite where it never is; buckets of more than `most_flop` do not matter. *ret_rate:
 * operations a second for the largest of these buckets, where it is faster. */
double mpf_engine_calibrate(enum mpf_domain, double most_flop, double *ret_rate);
/* by its complexity and outputs */
bool mpf_engine_suits_device(double threshold, const struct mpf_bucket *);
/* in words, for messages; `ret` */
const char *mpf_threshold_text(double threshold, char *ret, size_t size);

#endif
