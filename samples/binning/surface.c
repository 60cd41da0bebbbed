/* surface.c - where the first channel of a lattice has a given value, as triangles: marching cubes
 * (Lorensen and Cline 1987).
 *
 *     corners above the value are inside;
 *         an edge of a cube between inside and outside has a point of the surface
 *     on a face of the cube, gone around as seen from outside:   in ->| out |-> in -> in      a
 *         segment from where one leaves to where one enters
 *     the segments of a cube's faces are closed polygons,
 *         which fans of triangles fill: from a corner without diagonals on faces, or the centre
 *
 * In place of the usual table of 256 cases the polygons are followed from segment to segment. A
 * face with two corners inside across from each other keeps them together, which both cubes at the
 * face see alike; so the surface has no holes but at the border of the lattice. Triangles are
 * counterclockwise as seen from outside.
 */
#include "limited.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS = 8, EDGES = 12, FACES = 6, ENDS = 4, AXES = 3 };

/* Corner c is at (c & 1, c >> 1 & 1, c >> 2). Edges by their ends, the lower one first. */
static const int edge_ends[EDGES][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                        {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
/* Counterclockwise, seen from outside of the cube. */
static const int faces[FACES][ENDS] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

struct vertex {
  float at[3];
};

struct surface {
  const struct limited_space *space;
  const float *out;
  unsigned channels;
  float level;
  struct vertex *vertices;
  int (*triangles)[3];
  long vertex_count, vertex_room, triangle_count, triangle_room;
  /* of two planes: the vertex on each edge from each point along each axis; -1: none yet */
  int *known[2];
  bool failed; /* no memory */
};

static void *enlarge(struct surface *s, void *memory, long count, long *room, size_t size)
{
  if (count < *room) return memory;
  long wanted = *room ? 2 * *room : 4096;
  void *more = wanted < 0x7fffffff ? realloc(memory, (size_t)wanted * size) : NULL;
  s->failed |= !more;
  *room = more ? wanted : *room;
  return more ? more : memory;
}

static float value_at(const struct surface *s, const int at[3])
{
  const int *points = s->space->points;
  return s->out[(((size_t)at[2] * (size_t)points[1] + (size_t)at[1]) * (size_t)points[0] +
                 (size_t)at[0]) *
                s->channels];
}

static void corner_at(const int cube[3], int corner, int ret[3])
{
  for (int a = 0; a < 3; a++) ret[a] = cube[a] + (corner >> a & 1);
}

/* ---- vertices ---- */

static int new_vertex(struct surface *s, const int from[3], const int to[3])
{
  float low = value_at(s, from), high = value_at(s, to), part = (s->level - low) / (high - low);
  s->vertices = enlarge(s, s->vertices, s->vertex_count, &s->vertex_room, sizeof *s->vertices);
  if (s->failed) return 0;
  struct vertex *vertex = &s->vertices[s->vertex_count];
  for (int a = 0; a < 3; a++)
    vertex->at[a] = ((float)from[a] + part * (float)(to[a] - from[a])) * s->space->spacing;
  return (int)s->vertex_count++;
}

/* The vertex on an edge of the cube; cubes that share the edge share it. */
static int vertex_on(struct surface *s, const int cube[3], int edge)
{
  int from[3], to[3], axis = edge / ENDS;
  corner_at(cube, edge_ends[edge][0], from);
  corner_at(cube, edge_ends[edge][1], to);
  int *known = &s->known[from[2] & 1]
                        [((size_t)from[1] * (size_t)s->space->points[0] + (size_t)from[0]) * AXES +
                         (size_t)axis];
  if (*known < 0) *known = new_vertex(s, from, to);
  return *known;
}

/* ---- polygons ---- */

static int edge_between(int a, int b)
{
  int ret = 0;
  while (!((edge_ends[ret][0] == a && edge_ends[ret][1] == b) ||
           (edge_ends[ret][0] == b && edge_ends[ret][1] == a)))
    ret++;
  return ret;
}

/* next[edge]: where the segment ends that begins on this edge; -1: none. */
static void find_segments(unsigned inside, int next[EDGES])
{
  memset(next, -1, EDGES * sizeof *next);
  for (int f = 0; f < FACES; f++)
    for (int i = 0; i < ENDS; i++) {
      int here = faces[f][i], there = faces[f][(i + 1) % ENDS], k = i + 1;
      if (!(inside >> here & 1) || inside >> there & 1) continue;
      while (!(inside >> faces[f][(k + 1) % ENDS] & 1)) k++;
      next[edge_between(here, there)] = edge_between(faces[f][k % ENDS], faces[f][(k + 1) % ENDS]);
    }
}

static void add_triangle(struct surface *s, int a, int b, int c)
{
  s->triangles =
      enlarge(s, s->triangles, s->triangle_count, &s->triangle_room, sizeof *s->triangles);
  if (s->failed || a == b || b == c || c == a) return;
  int *triangle = s->triangles[s->triangle_count++];
  triangle[0] = a, triangle[1] = b, triangle[2] = c;
}

struct polygon {
  int edges[EDGES], vertices[EDGES], count;
};

static bool on_one_face(int one, int other)
{
  bool found = false;
  for (int f = 0; f < FACES; f++) {
    int held = 0;
    for (int i = 0; i < ENDS; i++) {
      int edge = edge_between(faces[f][i], faces[f][(i + 1) % ENDS]);
      held += (edge == one) + (edge == other);
    }
    found |= held == 2;
  }
  return found;
}

/* A corner from which no diagonal lies on a face of the cube, where the cube beside it may have the
 * same one; -1: there is none. */
static int best_corner(const struct polygon *p)
{
  for (int corner = 0; corner < p->count; corner++) {
    bool good = true;
    for (int i = 2; i + 1 < p->count; i++)
      good = good && !on_one_face(p->edges[corner], p->edges[(corner + i) % p->count]);
    if (good) return corner;
  }
  return -1;
}

static int centre_of(struct surface *s, const struct polygon *p)
{
  struct vertex sum = {{0, 0, 0}};
  for (int i = 0; i < p->count; i++)
    for (int a = 0; a < 3; a++) sum.at[a] += s->vertices[p->vertices[i]].at[a] / (float)p->count;
  s->vertices = enlarge(s, s->vertices, s->vertex_count, &s->vertex_room, sizeof *s->vertices);
  if (s->failed) return 0;
  s->vertices[s->vertex_count] = sum;
  return (int)s->vertex_count++;
}

static void fill_polygon(struct surface *s, const struct polygon *p)
{
  int corner = best_corner(p), first = corner < 0 ? 0 : corner + 1,
      count = corner < 0 ? p->count : p->count - 2;
  int from = corner < 0 ? centre_of(s, p) : p->vertices[corner];
  for (int i = 0; i < count; i++) /* polygons are clockwise */
    add_triangle(s, from, p->vertices[(first + i + 1) % p->count],
                 p->vertices[(first + i) % p->count]);
}

static void add_polygons(struct surface *s, const int cube[3], unsigned inside)
{
  int next[EDGES];
  find_segments(inside, next);
  for (int first = 0; first < EDGES; first++) {
    struct polygon polygon = {.count = 0};
    for (int edge = first, after; next[edge] >= 0; edge = after) {
      polygon.edges[polygon.count] = edge;
      polygon.vertices[polygon.count++] = vertex_on(s, cube, edge);
      after = next[edge];
      next[edge] = -1;
    }
    if (polygon.count && !s->failed) fill_polygon(s, &polygon);
  }
}

/* ---- cubes ---- */

static void forget(struct surface *s, int plane)
{
  memset(s->known[plane & 1], -1,
         (size_t)s->space->points[0] * (size_t)s->space->points[1] * AXES * sizeof(int));
}

static void add_layer(struct surface *s, int z)
{
  const int *points = s->space->points;
  for (int y = 0; y + 1 < points[1] && !s->failed; y++)
    for (int x = 0; x + 1 < points[0]; x++) {
      const int cube[3] = {x, y, z};
      unsigned inside = 0;
      for (int c = 0; c < CORNERS; c++) {
        int at[3];
        corner_at(cube, c, at);
        inside |= (unsigned)(value_at(s, at) > s->level) << c;
      }
      if (inside && inside != 0xff) add_polygons(s, cube, inside);
    }
}

static void find_surface(struct surface *s)
{
  size_t plane = (size_t)s->space->points[0] * (size_t)s->space->points[1] * AXES;
  for (int i = 0; i < 2; i++) {
    s->known[i] = malloc(plane * sizeof(int));
    s->failed |= !s->known[i];
  }
  if (!s->failed) forget(s, 0);
  for (int z = 0; z + 1 < s->space->points[2] && !s->failed; z++) {
    forget(s, z + 1);
    add_layer(s, z);
  }
  free(s->known[0]);
  free(s->known[1]);
}

/* ---- files ---- */

static void print_ply(FILE *file, const struct surface *s)
{
  fprintf(file,
          "ply\nformat ascii 1.0\nelement vertex %ld\nproperty float x\nproperty float y\nproperty "
          "float z\n",
          s->vertex_count);
  fprintf(file, "element face %ld\nproperty list uchar int vertex_indices\nend_header\n",
          s->triangle_count);
  for (long i = 0; i < s->vertex_count; i++)
    fprintf(file, "%.7g %.7g %.7g\n", s->vertices[i].at[0], s->vertices[i].at[1],
            s->vertices[i].at[2]);
  for (long i = 0; i < s->triangle_count; i++)
    fprintf(file, "3 %d %d %d\n", s->triangles[i][0], s->triangles[i][1], s->triangles[i][2]);
}

static void print_obj(FILE *file, const struct surface *s)
{
  for (long i = 0; i < s->vertex_count; i++)
    fprintf(file, "v %.7g %.7g %.7g\n", s->vertices[i].at[0], s->vertices[i].at[1],
            s->vertices[i].at[2]);
  for (long i = 0; i < s->triangle_count; i++)
    fprintf(file, "f %d %d %d\n", s->triangles[i][0] + 1, s->triangles[i][1] + 1,
            s->triangles[i][2] + 1);
}

int limited_write_surface(const char *path, const struct limited_space *space, const float *out,
                          unsigned channels, float level)
{
  struct surface s = {.space = space, .out = out, .channels = channels, .level = level};
  const char *end = strrchr(path, '.');
  find_surface(&s);
  FILE *file = s.failed ? NULL : fopen(path, "w");
  if (file && end && !strcmp(end, ".ply"))
    print_ply(file, &s);
  else if (file)
    print_obj(file, &s);
  if (file) printf("a surface of %ld triangles and %ld points\n", s.triangle_count, s.vertex_count);
  free(s.vertices);
  free(s.triangles);
  return file && !fclose(file) ? 0 : -1;
}
