/* SPDX-License-Identifier: MIT */
/* explain_style.h - the CSS of the page of --explain=html, beyond that of all pages. */
#ifndef MESI_DRIVER_EXPLAIN_STYLE_H
#define MESI_DRIVER_EXPLAIN_STYLE_H

extern const char explain_style[];

#endif
