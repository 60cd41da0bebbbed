/* block_store.cuh - under the name that CUB has it by. */
#include "../mesi_block.cuh"
