/* SPDX-License-Identifier: MIT */
/* report.h - the files at the program's end: MESI_STATS and MESI_DUMP. Internal to the runtime. */
#ifndef MESI_REPORT_H
#define MESI_REPORT_H

/* Both arrange for the report, which is made once; each is called once. The second, called at the
 * first use of a device, makes the report come before the device's own end. Require the lock. */
void mesi_report_at_exit(void);
void mesi_report_before_device_exit(void);

/* Writes the final contents of all objects; see dump.h. Requires the lock. */
void mesi_report_dump(const char *path);

/* A forked process writes no report. */
void mesi_report_in_child(void);

#endif
