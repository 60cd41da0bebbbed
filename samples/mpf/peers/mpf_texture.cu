/* mpf_texture.cu - device.h by hand without the cache of mpf_hand.cu: values are loaded through a
 * texture, as in figure 9 of the MPF paper, or (-DREAD_ONLY) by __ldg, the read-only loads that
 * came after it. All else is mpf_hand.cu's. */
#ifndef REAL
#define REAL float
#endif
#define MOST_CACHE 0
#define OTHER_LOADS 1

#ifdef READ_ONLY
#define LOADS "read-only loads"
typedef const REAL *place_of_values;
#define PLACE(at, values, index) ((values) + (index))
#define LOAD(at, place, index) __ldg((place) + (index))
#else
#define LOADS "texture loads"
typedef int place_of_values; /* in the texture */
#define PLACE(at, values, index) ((at).before + (index))
#define LOAD(at, place, index) from_texture((at).texture, (place) + (index), (REAL *)0)

#include <cuda_runtime.h>

static __device__ inline float from_texture(cudaTextureObject_t texture, int index, const float *)
{
  return tex1Dfetch<float>(texture, index);
}

static __device__ inline double from_texture(cudaTextureObject_t texture, int index, const double *)
{
  int2 halves = tex1Dfetch<int2>(texture, index);
  return __hiloint2double(halves.y, halves.x);
}
#endif

#include "mpf_hand.cu"

#ifdef READ_ONLY

static bool can_load(size_t) { return true; }
static void begin_loads(const REAL *, struct layout *) {}
static void end_loads(void) {}

#else

static cudaTextureObject_t texture; /* of what was loaded last; 0: none */
static const REAL *textured;
static size_t textured_size;

/* A texture of linear memory has so many numbers at most. */
static bool can_load(size_t size) { return size < ((size_t)1 << 28) - 512; }

static void end_loads(void)
{
  check(cudaDeviceSynchronize(), "the device");
  if (texture)
    check(cudaDestroyTextureObject(texture), "a texture");
  texture = 0;
}

/* A texture begins at a multiple of 512 bytes. */
static void begin_loads(const REAL *values, struct layout *at)
{
  const size_t aligned = 512;
  const REAL *begin = (const REAL *)((size_t)values / aligned * aligned);

  at->before = (int)(values - begin);
  if (!texture || textured != values || textured_size != (size_t)at->size) {
    struct cudaResourceDesc resource = {};
    struct cudaTextureDesc how = {};
    end_loads();
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = (void *)begin;
    resource.res.linear.desc = sizeof(REAL) == sizeof(float) ? cudaCreateChannelDesc<float>()
                                                             : cudaCreateChannelDesc<int2>();
    resource.res.linear.sizeInBytes = (at->before + (size_t)at->size) * sizeof(REAL);
    how.readMode = cudaReadModeElementType;
    check(cudaCreateTextureObject(&texture, &resource, &how, NULL), "a texture");
    textured = values;
    textured_size = (size_t)at->size;
  }
  at->texture = texture;
}

#endif
