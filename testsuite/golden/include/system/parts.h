#define S_KERNEL k
#define S_OPEN <<<
#define S_CLOSE >>>
#define S_SHAPE <<<1, 32>>>
#define S_PAREN (
#define S_END )
#define S_ARGS (a, 3)
#define S_PAIR a, 2
#define S_ONE a
