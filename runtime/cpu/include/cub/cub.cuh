/* cub.cuh - CUB on the CPU backend: the algorithms of warps, blocks and the device that programs
 * use most. */
#include "mesi_device.cuh"
#include "mesi_warp.cuh"
