/* util_allocator.cuh - under the name that CUB has it by. */
#include "mesi_device.cuh"
