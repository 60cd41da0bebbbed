
#define LATER(x) x