/* Even and odd call one another, and give their result 0 or 1 through a pointer to a local
 * of their caller, of which there is one for each call. With BAD: 1 is odd. */
int input(void);
void odd(int n, int *result);

void even(int n, int *result) {
    int other = 0;
    if (n == 0) { *result = 1; return; }
    odd(n - 1, &other);
    *result = other;
}

void odd(int n, int *result) {
    int other = 0;
    if (n == 0) { *result = 0; return; }
    even(n - 1, &other);
    *result = other;
}

int main(void) {
    int n = input(), r = 0;
    if (n < 0 || n > 1) return 0;
    even(n, &r);
#ifdef BAD
    if (n == 1 && r == 0) goto ERROR;
#else
    if (n == 0 && r != 1) goto ERROR;
#endif
    return 0;
ERROR:
    return 1;
}
