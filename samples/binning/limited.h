/* limited.h - functions of limited range over binned elements: what an application says of itself,
 * and what it gets for that.
 *
 * Outputs are the points of a lattice from (0, 0, 0) on, or the elements themselves. An output is
 * the sum of what the elements within the cutoff contribute to it, `channels` numbers side by side.
 * An application is a folder with
 *
 *     contribution.h  WORDS, CHANNELS, CUTOFF, TILE_X, _Y, _Z and CONTRIBUTE(element, x, y, z,
 *         sum), for device and host
 *     NAME.mcu        #include of that and of gather.h, which has the kernels
 *     NAME.c          its data sets; struct limited_app
 *
 * Arrays of elements and outputs that kernels use are VS memory. Times are milliseconds.
 */
#ifndef LIMITED_H
#define LIMITED_H

#include <mesi_bin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* a data set, with the statistics that one of the paper's tables gives for it */
struct limited_set {
  const char *name;
  long count;           /* elements */
  int bins[3];          /* over the box, which begins at 0 */
  bool margin;          /* more of them around it, as far as the cutoff reaches */
  float edge, spacing;  /* of a bin; between points */
  long long paper_bins; /* of the table; 0: it is in none. Its mean is what it says */
  long long paper_most;
  double paper_mean, paper_deviation;
};

struct limited_rows { /* elements in the order of their bins, on the host */
  const float *elements;
  int *starts;   /* own; of each bin, or each row of bins along x, and the end */
  float *sorted; /* own, NULL: `elements` were in order */
};

struct limited_space { /* bins and outputs of a data set */
  struct mesi_bin_grid grid;
  int points[3]; /* of the lattice */
  /* bins from tile to tile; from a tile's first bin to the last within reach */
  int step[3], after[3];
  int before; /* bins within reach in front of a tile's first */
  float spacing, cutoff;
  bool at_elements; /* outputs are the elements: no lattice */
  long outputs;     /* `channels` numbers each */
};

/* on the host: the sums at all outputs of what some elements contribute */
struct limited_work {
  const struct limited_space *space;
  const struct limited_rows *rows;
  const float *targets; /* outputs at elements: these, of WORDS each */
  /* planes of the lattice that are left out: all but every plane_step-th */
  int plane_step;
  void *out; /* adds to these; float or double */
};

struct limited_app {
  const char *name, *elements; /* "cutcp", "atoms" */
  unsigned words, channels;
  int tile[3]; /* points along the edges of what a block works on; whole bins */
  float cutoff;
  bool at_elements;
  double tolerance; /* of the error in norm */
  const struct limited_set *sets;
  unsigned set_count;
  void (*make)(const struct limited_set *set, uint64_t *random, float *elements);
  /* An element came to another place: what it has besides. NULL: that stays. */
  void (*moved)(const struct limited_set *set, uint64_t *random, float *element);
  /* A file of the user's as a data set; its elements are malloc'd. -1: message on stderr. NULL: no
   * such files. */
  int (*read)(const char *path, struct limited_set *ret_set, float **ret_elements);
  /* -1: it cannot */
  int (*write)(const char *path, const struct limited_space *space, const float *out);
  /* What the outputs are for, as an image. -1: it cannot. NULL: there is none */
  int (*image)(const char *path, const struct limited_space *space, const float *out);
  /* float; units are independent */
  void (*scatter)(const struct limited_work *work, size_t unit);
  void (*reference)(const struct limited_work *work, size_t unit); /* double */
};

/* ---- the forms in which kernels read bins: forms.c ---- */

enum limited_form {
  LIMITED_RANGES,   /* compact bins, runs of bins along x at once */
  LIMITED_SINGLE,   /* compact bins one by one */
  LIMITED_COUNTED,  /* regular bins with their sizes */
  LIMITED_SENTINEL, /* regular bins with an end mark */
  LIMITED_PADDED,   /* as RANGES, elements padded to a power of two of words */
  LIMITED_VECTORS,  /* as RANGES, structure of vector arrays */
  LIMITED_FLOAT2,   /* the same with vectors of two elements, which are loaded at once */
  LIMITED_FLOAT4,   /* of four */
  /* compact bins that begin at multiples of some elements, one by one with their sizes */
  LIMITED_ALIGNED,
  LIMITED_REGULAR_RANGES, /* regular bins with their sizes, runs of bins at once, rooms and all */
  /* compact bins, for what needs none: an element adds to its outputs by atomic operations */
  LIMITED_SCATTER,
  LIMITED_EVERYTHING, /* the same: an output goes through all elements */
  LIMITED_FORM_COUNT
};
enum { LIMITED_VECTOR = 16, LIMITED_ALIGN = 8 };

const char *limited_form_name(enum limited_form form);
struct mesi_bin_options limited_options(const struct limited_app *app, enum limited_form form);
unsigned limited_padded_words(unsigned words);

/* ---- the device: gather.h ---- */

/* Launches the kernel of the form. out = the sums; targets: see limited_work, and their numbers in
 * the order of bins (NULL on a lattice). */
void limited_gather(enum limited_form form, const struct mesi_bins *bins,
                    const struct limited_space *space, const float *targets, const int *order,
                    float *out);
/* The overflow in pieces of bins: out += their sums, in any order. Compact bins; targets and order
 * as above. */
void limited_gather_pieces(const struct mesi_bins *bins, const struct mesi_bin_piece *pieces,
                           int count, const struct limited_space *space, const float *targets,
                           const int *order, float *out);
/* out[begin .. end) += other[begin .. end) */
void limited_add(float *out, const float *other, long begin, long end);
void limited_wait(void);
/* Time on the device between two marks; limited_between waits for the second. */
void limited_mark(int which);
double limited_between(void);
const char *limited_device(void);
float *limited_alloc(size_t count); /* VS memory; ends the program where there is none */
void limited_free(void *memory);

/* ---- the host: host.c ---- */

double limited_now(void);
/* Calls part(context, first, end) for pieces of 0 .. count, on all cores. */
void limited_pieces(long count, void (*part)(void *context, long first, long end), void *context);
/* 0, or what mesi_bin_cover returns. */
int limited_space_init(struct limited_space *ret, const struct limited_app *app,
                       const struct limited_set *set, long count, char *message);
/* By bins where outputs are at elements, otherwise by rows of bins. */
void limited_rows_init(struct limited_rows *ret, const struct limited_app *app,
                       const struct limited_space *space, const float *elements, long count);
void limited_rows_finish(struct limited_rows *rows);
void limited_scatter(const struct limited_app *app, const struct limited_work *work,
                     unsigned threads);
void limited_reference(const struct limited_app *app, const struct limited_work *work,
                       unsigned threads);

/* ---- both at once: partition.c ---- */

struct limited_partition { /* how long it takes at a depth */
  int depth;
  long long overflow; /* elements for the host */
  double bin;         /* placing the elements, and bringing the overflow to the host */
  /* each side by itself while both run; with what puts the results together */
  double device, host, all;
  double host_alone; /* the host's side, once the launch has returned */
  bool in_turn;      /* the launch returned when its kernel was done: one side after the other */
};

struct limited_problem {
  const struct limited_app *app;
  struct limited_space space;
  struct limited_set set;
  float *elements; /* VS; count * words */
  long count;
  float *out;      /* VS; outputs * channels */
  float *host_out; /* VS; the same, of the host's share */
  unsigned threads;
};

/* limited_gather of the problem; 0 or mesi_bin's status. */
int limited_launch(const struct limited_problem *problem, struct mesi_bins *bins,
                   enum limited_form form);
/* Runs the form with what is beyond the depth on the host; bins have been counted. 0, or mesi_bin's
 * status. */
int limited_run_partition(const struct limited_problem *problem, struct mesi_bins *bins,
                          enum limited_form form, int depth, struct limited_partition *ret);
/* The depth at which both sides take equally long, or all of it on the device where that is faster;
 * found by measuring. The bins are filled at that depth, and the results are those of the last run.
 * `ret_runs`: how many runs that took. */
int limited_balance(const struct limited_problem *problem, struct mesi_bins *bins,
                    enum limited_form form, struct limited_partition *ret, int *ret_runs);

/* Without the host: what is beyond the depth goes to blocks in pieces of bins, on the device. */
int limited_run_pieces(const struct limited_problem *problem, struct mesi_bins *bins, int depth,
                       struct limited_partition *ret);
/* The best of the depths most, most / 2, most / 4, ... as long as they gain. */
int limited_balance_pieces(const struct limited_problem *problem, struct mesi_bins *bins,
                           struct limited_partition *ret, int *ret_runs);

/* ---- the program: program.c, problem.c, check.c, figures.c, image.c, surface.c ---- */

/* -1: it cannot be written. */
int limited_write_pgm(const char *path, const struct limited_space *space, const float *out,
                      unsigned channels, int plane);
/* Where the first channel is `level`, as triangles: path ending in .ply, else as .obj. -1: it
 * cannot be written, or there is no memory. */
int limited_write_surface(const char *path, const struct limited_space *space, const float *out,
                          unsigned channels, float level);

int limited_program(const struct limited_app *app, int argc, char **argv);
/* 0, or -1 with a message on stderr. `elements` NULL: the set's, made from the seed. */
int limited_problem_init(struct limited_problem *problem, const struct limited_app *app,
                         const struct limited_set *set, const float *elements, uint64_t seed);
void limited_problem_finish(struct limited_problem *problem);
/* |out - reference| / |reference| over the planes that the reference has. */
double limited_error(const struct limited_problem *problem, const double *reference,
                     int plane_step);
double *limited_make_reference(const struct limited_problem *problem, int plane_step);
/* What the set has in its bins, and what the paper says; of the bins, which have been counted. */
void limited_statistics(const struct limited_problem *problem, const struct mesi_bins *bins);
/* Moves elements of a set that a table has until its statistics are the table's; 0, or -1: no
 * memory, with a message. */
int limited_fit(const struct limited_app *app, const struct limited_set *set, uint64_t *random,
                float *elements);
int limited_sets(const struct limited_app *app, uint64_t seed, long most);
int limited_check(const struct limited_app *app, const struct limited_set *set, uint64_t seed);
/* Of the figures, table 5 and the automatic depth alone. */
int limited_table(const struct limited_app *app, const struct limited_set *set, uint64_t seed,
                  int repeats);
/* Compact bins alone: a sweep over depths, the automatic one beside it. For sets that regular bins
 * have no room for. */
int limited_depths(const struct limited_app *app, const struct limited_set *set, uint64_t seed);
int limited_forms(const struct limited_app *app, const struct limited_set *set, uint64_t seed,
                  int repeats);
int limited_figures(const struct limited_app *app, const struct limited_set *set, uint64_t seed,
                    int repeats, int plane_step);

#ifdef __cplusplus
}
#endif
#endif
