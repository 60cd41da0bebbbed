/* counting_input_iterator.cuh - under the name that CUB has it by. */
#include "../mesi_common.cuh"
