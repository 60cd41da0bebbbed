#pragma once
#include "sub/inner.h"
#include "sub/leaf.h"
#include "plain.h"
static __global__ int outer_table[LEAF_VALUE];
