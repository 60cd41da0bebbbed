/* channel_descriptor.h - cudaCreateChannelDesc, under the toolkit's name. */
#include "cuda_runtime.h"
