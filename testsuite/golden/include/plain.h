// Nothing to edit here.
#define LIMIT 16
