#define SYSTEM_RUN(kernel, argument) kernel<<<1, 4>>>(argument)
