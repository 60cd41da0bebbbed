// mesi_prelude_surface.h - what mesicc's parser sees before the user's text where there is no CUDA toolkit.
#pragma GCC system_header
#include <cuda_runtime.h>
#include <mesi.h>
