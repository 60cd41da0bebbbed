/* cpu_map.cpp - which version of a mapped kernel a launch takes, and its grid. */
#include "cpu_test.h"

static const std::initializer_list<mesi_version> versions = {
    {}, {64, 64, 8, 8, 4096}, {64, 32, 8, 8, 4096, true}, {128, 64, 16, 8, 65536, true}};

static unsigned choose(dim3 grid, dim3 block, bool fits)
{
  mesi_map(grid, block);
  mesi_choose(fits, versions);
  return mesi_mapped().version;
}

static void check_shape(unsigned grid_x, unsigned grid_y, unsigned block_x, unsigned block_y)
{
  CHECK_EQ(mesi_mapped().grid.x, grid_x);
  CHECK_EQ(mesi_mapped().grid.y, grid_y);
  CHECK_EQ(mesi_mapped().block.x, block_x);
  CHECK_EQ(mesi_mapped().block.y, block_y);
}

/* Do 100 blocks of 256 threads take an id along each axis? */
static bool has_extents(long long x, long long z, long long count)
{
  mesi_map(dim3(100), dim3(256));
  mesi_extents(1, x, 1, z, count);
  return mesi_mapped().extents && !mesi_mapped().written;
}

static int zero() { return 0; }
static int one() { return 1; }

int main()
{
  CHECK_EQ(choose(dim3(3, 4), dim3(16, 16), true), 0u); /* small: as written */
  check_shape(3, 4, 16, 16);
  CHECK_EQ(choose(dim3(5, 5), dim3(16, 16), true), 1u); /* blocks are not whole */
  check_shape(2, 2, 8, 8);
  CHECK_EQ(choose(dim3(8, 6), dim3(16, 16), true), 2u);
  check_shape(2, 3, 8, 8);
  CHECK_EQ(choose(dim3(8, 6), dim3(16, 16), false), 1u);
  CHECK_EQ(choose(dim3(16, 16), dim3(16, 16), true), 3u);
  check_shape(2, 4, 16, 8);
  CHECK_EQ(choose(dim3(20, 16), dim3(16, 16), true), 2u); /* 320 is no multiple of 128 */
  CHECK_EQ(choose(dim3(16, 16, 7), dim3(16, 16), true), 3u);
  CHECK_EQ(mesi_mapped().grid.z, 7u);
  CHECK_EQ(choose(dim3(1u << 26), dim3(32, 32), true), 0u); /* the total is no int */
  mesi_map(dim3(1u << 26), dim3(32, 32), 64, 64, dim3(8, 8), 4096);
  CHECK(!mesi_mapped().mapped);
  choose(dim3(1), dim3(1), true);
  CHECK_EQ(mesi_pick(zero, one, one, one)(), 0);
  choose(dim3(16, 16), dim3(16, 16), true);
  CHECK_EQ(mesi_pick(zero, zero, zero, one)(), 1);
  CHECK(has_extents(256, 1, 25600));
  CHECK(has_extents(1000, 7, 25500)); /* 28000 elements */
  CHECK(has_extents(1000, 30, 25500));
  CHECK(!has_extents(1000, 7, -1)); /* threads behind the last row have an element */
  CHECK(!has_extents(1000, 52, 25500));
  CHECK(!has_extents(1 << 30, 1, 25500)); /* far more elements than threads */
  mesi_map(dim3(100, 1), dim3(256), 512, 1, dim3(128), 0);
  mesi_few(8); /* blocks that take turns */
  check_shape(8, 1, 128, 1);
  mesi_map(dim3(3, 100), dim3(32, 8), 32, 8, dim3(32, 8), 0);
  mesi_few(8);
  check_shape(3, 2, 32, 8);
  mesi_map(dim3(100, 1), dim3(256), 512, 1, dim3(128), 1 << 20);
  mesi_few(8); /* as written */
  check_shape(100, 1, 256, 1);
  mesi_map(dim3(16, 16), dim3(16, 16));
  /* not for this launch */
  mesi_choose(true,
              {{}, {1, 1, 128, 1, 0, false, false}, {1, 1, 64, 1, 0, false, mesi_below(65536)}});
  CHECK_EQ(mesi_mapped().version, 0u);
  check_shape(16, 16, 16, 16);
  mesi_choose(true,
              {{}, {1, 1, 128, 1, 0, false, false}, {1, 1, 64, 1, 0, false, mesi_below(65537)}});
  CHECK_EQ(mesi_mapped().version, 2u);
  mesi_map(dim3(16, 16), dim3(16, 16));
  mesi_choose(true, {{}, {64, 64, 8, 8, 64}, {0, 0, 0, 0, 4096}}); /* as written again */
  CHECK_EQ(mesi_mapped().version, 2u);
  check_shape(16, 16, 16, 16);
  CHECK_EQ(mesi_min(-3, 5), -3);
  CHECK_EQ(mesi_max(7u, 5u), 7u);
  CHECK(mesi_max(0.0f / zero(), 2.0f) == 2.0f && mesi_min(2.0f, 0.0f / zero()) == 2.0f);
  alignas(16) char bytes[32];
  CHECK(mesi_aligned(bytes) && mesi_aligned(bytes + 16) && !mesi_aligned(bytes + 4) &&
        mesi_aligned(nullptr));
  return failures != 0;
}
