/* SPDX-License-Identifier: MIT */
/* guard_open.h - while enabled, this process opens only regular files and directories for reading.
 */
#ifndef MESI_DRIVER_GUARD_OPEN_H
#define MESI_DRIVER_GUARD_OPEN_H

void guard_open_enable(void);

#endif
