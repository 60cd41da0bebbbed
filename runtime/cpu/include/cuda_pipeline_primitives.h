/* SPDX-License-Identifier: MIT */
/* cuda_pipeline_primitives.h - the C functions of cuda_pipeline.h. */
#include "cuda_pipeline.h"
