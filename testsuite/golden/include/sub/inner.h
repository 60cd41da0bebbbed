#pragma once
#include "../plain.h"
# /* why */ include "leaf.h" // twice
#include "leaf.h"
#include <cstddef>
#pragma pack(8)
static __global__ int inner_table[LIMIT];
