/* A memory of unknown size is cleared by a pointer, then one element is set. With BAD, the test forgets that. */
#include <stdlib.h>
int input(void);

int main(void) {
    int n = input(), i;
    if (n <= 0 || n > 1000)
        return 0;
    int *p = malloc(n * sizeof(int));
    for (i = 0; i < n; i++)
        p[i] = 0;
    int at = input();
    if (at < 0 || at >= n)
        return 0;
    p[at] = 5;
    int k = input();
#ifdef BAD
    if (0 <= k && k < n && p[k] != 0)
#else
    if (0 <= k && k < n && k != at && p[k] != 0)
#endif
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
