/* SPDX-License-Identifier: MIT */
/* device_launch_parameters.h - threadIdx and its kin, under the toolkit's name. */
#include "mesi/builtins.h"
