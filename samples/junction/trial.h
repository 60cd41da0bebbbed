/* trial.h - one clique with its separators, plans and data, for measurements and checks. */
#ifndef JUNCTION_TRIAL_H
#define JUNCTION_TRIAL_H

#include "by_hand.h"
#include "cpu.h"
#include "primitives.h"

struct junction_trial {
  struct junction_shape shape;
  unsigned count;                    /* separators */
  uint64_t *digits;                  /* of each; owned */
  struct junction_mapping *mappings; /* the plain versions' plan; owned */
  struct junction_marginal sums[2];  /* the plans of the CPU and of the device */
  struct junction_extend products;
  struct junction_device_marginal *device_sums;
  struct junction_device_extend *device_products;
  struct junction_hand_plan *hand; /* NULL: does not fit */
  enum mpf_domain domain;
  size_t size, separator_size;
  real *original;                 /* the clique's table before; owned */
  real *given;                    /* the separators as their other cliques have them; owned */
  real *table, *device_table;     /* at work; owned, the second and all below on the device */
  real *scratch, *device_scratch; /* sums, then quotients in their place */
  real *device_given;
};

/* Takes shape and separators; data from the seed, `zeros`: with entries and whole values of
 * variables that are 0. 0, or -1 when out of memory. */
int junction_trial_begin(struct junction_trial *, const struct junction_shape *, unsigned count,
                         const uint64_t *digits, enum mpf_domain, size_t fan_in, uint64_t seed,
                         bool zeros);
void junction_trial_end(struct junction_trial *);
void junction_trial_restore(struct junction_trial *); /* the tables at work are the original */

/* The computation kernel of the node-level paper: the clique summed onto its separators, what they
 * should be divided by that, the quotients multiplied into the clique. One of its parts, or all. */
enum junction_part {
  JUNCTION_MARGINALISE,
  JUNCTION_DIVIDE,
  JUNCTION_MULTIPLY,
  JUNCTION_ALL,
  JUNCTION_PART_COUNT
};
void junction_trial_device(struct junction_trial *, enum junction_part);
void junction_trial_cpu(struct junction_trial *, enum junction_part, unsigned threads);
/* linear domain only, and where there is `hand` */
void junction_trial_by_hand(struct junction_trial *, enum junction_part, enum junction_form,
                            unsigned blocks);
/* linear domain only */
void junction_trial_plain(struct junction_trial *, enum junction_part, unsigned threads);

/* The largest error of the tables after all parts against double precision: relative, and in the
 * log domain absolute where that is less. `device`: of the device's. A negative number: out of
 * memory. */
double junction_trial_error(const struct junction_trial *, bool device);

#endif
