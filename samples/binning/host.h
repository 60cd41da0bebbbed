/* host.h - how the outputs are cut into units for the host's threads. */
#ifndef LIMITED_HOST_H
#define LIMITED_HOST_H

enum {
  HOST_ROWS = 16,   /* rows of points along x in a unit, of one plane */
  HOST_TARGETS = 64 /* elements in a unit */
};

#endif
