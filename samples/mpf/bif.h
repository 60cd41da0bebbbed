/* bif.h - networks in BIF, the Bayesian interchange format. Behind mpf_network_read. */
#ifndef MPF_BIF_H
#define MPF_BIF_H

#include "text.h"

/* The text behind the word `network`. 0, or -1 with the error; the caller frees the network. */
int bif_read(struct mpf_text *, struct mpf_network *);

#endif
