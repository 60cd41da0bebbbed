#ifndef PLAIN
#define PLAIN 4
#endif
