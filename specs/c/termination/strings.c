// Strings are copied and compared up to their ends.
int input(void);

int main(void) {
    char from[6], to[6];
    for (int i = 0; i < 5; i++)
        from[i] = input();
    from[5] = 0;
    char *s = from, *t = to;
    while ((*t++ = *s++) != 0) {
    }
    int n = 0;
    while (to[n] != 0)
        n++;
    return n;
}
