/* SPDX-License-Identifier: MIT */
/* report.h - what is written when the program ends: MESI_STATS and MESI_DUMP. Internal to the
 * runtime. */
#ifndef MESI_REPORT_H
#define MESI_REPORT_H

/* Both arrange for the report, which is made once, and are called once. The second, at the first
 * use of a device, makes sure that it comes before the device's own end. Require the lock. */
void mesi_report_at_exit(void);
void mesi_report_before_device_exit(void);

/* Writes the final contents of all objects; see dump.h. Requires the lock. */
void mesi_report_dump(const char *path);

/* A process that was forked tells nothing at its end. */
void mesi_report_in_child(void);

#endif
