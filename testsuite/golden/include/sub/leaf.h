#ifndef LEAF_VALUE
#define LEAF_VALUE 3
#endif
