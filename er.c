
#include <errno.h>
extern void reach_error(void);
void f(void) { if (errno) reach_error(); }
int main(void){ f(); return 0;}
