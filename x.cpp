template <class T> static void run(T *p, int n) {} template <> void run<float>(float *p, int n) { } int main() { float *p; run(p, 1000);}
