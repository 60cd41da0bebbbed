/* device_segmented_reduce.cuh - under the name that CUB has it by. */
#include "../mesi_device.cuh"
