/* device_run_length_encode.cuh - under the name that CUB has it by. */
#include "../mesi_device.cuh"
