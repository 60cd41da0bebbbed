/* device_radix_sort.cuh - under the name that CUB has it by. */
#include "../mesi_device.cuh"
