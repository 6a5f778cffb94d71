// However a program ends, it does: exit, abort, an assertion that fails, the end of main; the last case is excluded.
#include <assert.h>
#include <stdlib.h>
int input(void);
void __VERIFIER_assume(int);

int main(void) {
    int x = input();
    for (;;) {
        if (x == 1)
            exit(1);
        if (x == 2)
            abort();
        assert(x != 3);
        if (x == 4)
            return 0;
        __VERIFIER_assume(0);
    }
}
