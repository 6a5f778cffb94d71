
#include <errno.h>
void a(void);
void p(void) { if (errno) a(); }
