#define SAME shown
/* shown */ /* * / */