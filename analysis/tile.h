/* tile.h - arrays staged in shared memory tile by tile of a sequential loop. */
#ifndef MESI_ANALYSIS_TILE_H
#define MESI_ANALYSIS_TILE_H

#include "analysis/instance.h"
#include "analysis/shape_free.h"

struct buffering {           /* how the tiles of a kernel arrive */
  bool two;                  /* two copies of each array: the next tile's is filled while one is used */
  bool asynchronous;         /* by cp.async, where elements can be copied so */
  bool held;                 /* others are loaded into registers while a tile is used, and stored behind it */
  bool turned;               /* ... and those whose layout changes on the way: 16 bytes at once, where cp.async takes one element */
};

enum tile_way { TILE_COPIED, TILE_LATER, TILE_HELD }; /* at once, by cp.async, through registers of the thread */

enum tile_pause { PAUSE_NONE, PAUSE_STORE, PAUSE_BARRIER, PAUSE_COPY }; /* of a block at each tile: for its stores, a second barrier too, for loads */

struct tile_array {          /* what one tile needs of an array */
  struct array *array;       /* of the code's scan: only the accesses in the loop */
  struct stage stage;        /* the box; offsets depend on the tile's first iteration */
  unsigned order[ACCESS_DIMS]; /* of the copy's dimensions, outermost first: a thread's neighbours stand side by side */
  int64_t pad;               /* elements behind each row of the copy */
  uint64_t bytes;            /* of the copy, with the padding */
  unsigned vector;           /* elements that are copied at once */
  double count;              /* accesses of a virtual thread in an iteration of the loop */
  double reuse;              /* accesses of the block to an element of a tile */
  bool streamed;             /* used too rarely for that to count: copied so that it is read in whole lines, and ahead of its use */
  enum tile_way way;         /* it takes to its copy */
  unsigned held;             /* registers of a thread (TILE_HELD) */
  struct ir_var *copy;       /* made by tile_build */
  struct ir_var *held_var;   /* a thread's part of the next tile (TILE_HELD); made by tile_build */
};

struct tile {
  struct ir_stmt *loop;      /* the user's; NULL: no loop is worth it */
  struct ir_var *first;      /* iterator of the loop over tiles: the tile's first iteration */
  int64_t size;              /* iterations of a tile */
  bool exact;                /* the loop is a whole number of tiles */
  struct tile_array *arrays;
  unsigned array_count;
  uint64_t bytes;
  bool buffered;             /* `bytes` are of two copies of each array */
  bool only;                 /* there is no next tile */
  unsigned held;             /* registers of a thread for the next tile */
  enum tile_pause pause;
  struct ir_var *buffer;     /* which half of the copies holds the tile; NULL: there is one copy of each */
  bool shared;               /* by several blocks: each takes a run of it (split_tiles.c) */
  struct ir_var *run[2];     /* where that begins and ends; made by tile_build */
  unsigned products;         /* of an iteration, which is nothing else: tensor cores take them (product.h); 0: it is an ordinary loop */
  struct ir_stmt *built;     /* the loop over tiles; made by tile_build */
  bool multiplied;           /* its iterations are taken by tensor cores; made by expand_instances */
  struct ir_stmt *whole, *rest; /* the loops over the iterations of a tile, and of one that is cut short (NULL: none is); made by tile_build */
};

enum { MOST_TILES = 4 };

struct tiles {               /* of loops that are not inside one another */
  struct tile items[MOST_TILES];
  unsigned count;
  struct buffering buffering;
  struct ir_list verbatim;   /* made by tile_build: statements of real threads, whatever the predicates around them */
  struct ir_var *thread;     /* the real thread's number in its block; made by tile_build, declared by its caller */
};

/* Chooses loops and the arrays to stage. `code` is shaped and scanned; `size` iterations a tile. */
void tile_plan(struct code *, const struct instances *, const struct geometry *, struct stager *, int64_t size,
               uint64_t capacity, const struct buffering *, struct tiles *ret);
/* Rewrites the code: loops over tiles, copies, barriers, staged accesses. The scan stays valid for what is not staged. */
void tile_build(struct code *, const struct geometry *, struct tiles *);

/* tile_layout.c: sets order, pad, bytes and vector of `out`. */
void tile_layout(struct code *scan, const struct geometry *, const struct candidate *, const struct buffering *, struct tile_array *out);

/* tile_ahead.c: chooses the way of an array of the tile, which has its layout and stage. */
void tile_choose_way(const struct geometry *, const struct tile *, const struct buffering *, struct tile_array *out);
/* ... may cp.async copy elements of this type? */
bool tile_can_copy_later(const struct ir_type *element);
/* ... how the arrays of this tile arrive: without a next tile nothing but cp.async has a use for a second copy */
struct buffering tile_own_buffering(const struct tile *, const struct buffering *);
/* ... and sums the tile up, when it has all its arrays. */
void tile_set_buffering(struct tile *, const struct buffering *);
/* The same plan with its tiles arriving in another way. False: it does not fit `capacity`, or streamed arrays would be waited for. */
bool tile_rebuffer(struct tiles *, const struct geometry *, const struct buffering *, uint64_t capacity);
/* The ways in which tiles may arrive, from 0; what fits at all fits the first one. False: there are no more. */
bool tile_next_buffering(unsigned number, bool asynchronous, struct buffering *ret);
int64_t tile_rounds(const struct geometry *, const struct tile_array *, unsigned vector); /* in which threads fill its copy */
unsigned tile_vector(const struct tile_array *); /* elements at once, by its way */

/* ... and what it asks: is the form, or the symbol, a multiple of `of`; is the array's first element at a multiple of 16 bytes? */
bool layout_multiple(struct code *scan, __isl_keep isl_pw_aff *form, int64_t of);
bool layout_symbol_multiple(struct code *scan, const struct symbol *, int64_t of);
bool layout_aligned(struct code *scan, const struct array *);
/* False: the array's last elements are known to lie in 16 aligned bytes that go on behind its end. */
bool layout_ends_whole(const struct code *scan, const struct array *);

/* tile_copy.c: the loop in which the block's threads copy an array's box into shared memory, or half of it: loads into registers, stores
 * from there. */
enum tile_part { PART_ALL, PART_LOAD, PART_STORE };

struct tile_copying {
  const struct tile *tile;
  const struct tile_array *array;
  struct ir_expr *first;     /* the tile's first iteration; NULL: tile->first */
  struct ir_expr *buffer;    /* the half of the copy that is filled; NULL: it has no halves */
  enum tile_part part;
};
/* The registers that hold a thread's part of a tile. */
struct ir_var *tile_held_var(struct code *, const struct geometry *, const struct tile_array *);
struct ir_stmt *tile_copy(struct code *, const struct geometry *, const struct tiles *, const struct tile_copying *);

/* ---- parts that planning and building share (tile.c) ---- */
struct ir_expr *tile_loop_end(struct arena *, const struct ir_loop *); /* the first value that the loop does not run for */
struct ir_expr *tile_end(struct arena *, const struct tile *);         /* likewise of a whole tile */
/* The user's loop from `first` to `end` with another body. */
struct ir_stmt *tile_inner_loop(struct arena *, const struct ir_stmt *loop, struct ir_expr *first, struct ir_expr *end,
                                struct ir_stmt *body);
/* `stmt` with `new` in the place of `old`. */
struct ir_stmt *tile_swap(struct arena *, struct ir_stmt *stmt, const struct ir_stmt *old, struct ir_stmt *new);

#endif
