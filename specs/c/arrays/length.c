/* An array of variable length is filled, and looked at in a loop. With BAD, the last element is not filled. */
int input(void);

int main(void) {
    int n = input();
    if (n <= 0 || n > 100000)
        return 0;
    int a[n];
#ifdef BAD
    a[n - 1] = 0;
    for (int i = 0; i + 1 < n; i++)
#else
    for (int i = 0; i < n; i++)
#endif
        a[i] = 7;
    for (int i = 0; i < n; i++)
        if (a[i] != 7)
            goto ERROR;
    return 0;
ERROR:
    return 1;
}
