/* SPDX-License-Identifier: MIT */
/* sim_objects.c - objects of random programs, with a plain array beside each. */
#include "sim_objects.h"

#include <stdlib.h>

struct sim_shape sim_shape;
struct sim_object sim_objects[SIM_OBJECTS];

struct sim_object *sim_any_object(void) { return &sim_objects[rand() % SIM_OBJECTS]; }

void sim_random_range(size_t *ret_begin, size_t *ret_end)
{
  size_t bytes = sim_shape.bytes;
  size_t length = rand() % 3 ? (size_t)rand() % 200 : (size_t)rand() % bytes;
  *ret_begin = (size_t)rand() % (bytes - length);
  *ret_end = *ret_begin + length;
  if (rand() % sim_shape.whole == 0) {
    *ret_begin = 0;
    *ret_end = bytes;
  }
}

void sim_order_streams(struct sim_object *object, unsigned stream, bool writes)
{
  struct sim_queue *own = sim_queue_of(stream);
  writes = writes || object->reader_count == SIM_READERS;
  if (object->writer && object->writer != own) sim_order(stream, object->writer);
  for (unsigned i = 0; writes && i < object->reader_count; i++)
    if (object->readers[i] != own) sim_order(stream, object->readers[i]);
  if (writes) {
    object->reader_count = 0;
    object->writer = own;
  }
  object->readers[object->reader_count++] = own;
}

void sim_host_read(void)
{
  struct sim_object *object = sim_any_object();
  size_t begin, end;
  sim_random_range(&begin, &end);
  if (object->announced) mesi_touch_range(object->host + begin, end - begin, MESI_READ);
  for (size_t i = begin; i < end; i++)
    if (((volatile unsigned char *)object->host)[i] != object->model[i])
      fail_msg("object %d, byte %zu of [%zu, %zu): %d instead of %d", (int)(object - sim_objects),
               i, begin, end, object->host[i], object->model[i]);
}

void sim_host_write(void)
{
  struct sim_object *object = sim_any_object();
  size_t begin, end, step = 1 + (size_t)rand() % 3;
  sim_random_range(&begin, &end);
  if (object->announced)
    mesi_touch_range(object->host + begin, end - begin,
                     MESI_WRITE | (step == 1 ? MESI_OVERWRITE : 0u));
  for (size_t i = begin; i < end; i += step)
    ((volatile unsigned char *)object->host)[i] = object->model[i] = (unsigned char)rand();
}

void sim_allocate(struct sim_object *object)
{
  object->host = mesi_malloc(sim_shape.bytes);
  object->writer = NULL;
  object->reader_count = 0;
  for (size_t i = 0; i < sim_shape.bytes; i++)
    ((volatile unsigned char *)object->host)[i] = object->model[i] = (unsigned char)(i * 3);
}

void sim_replace(void)
{
  int dynamic = sim_shape.dynamic;
  struct sim_object *object = &sim_objects[dynamic + rand() % (SIM_OBJECTS - dynamic)];
  mesi_free(object->host);
  sim_allocate(object);
}

void sim_compare_objects(void)
{
  mesi_touch_all(MESI_READ_WRITE);
  for (int i = 0; i < SIM_OBJECTS; i++)
    assert_memory_equal(sim_objects[i].host, sim_objects[i].model, sim_shape.bytes);
}
