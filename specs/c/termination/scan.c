// A pointer goes over an array, up to its end or what is looked for; another one comes back.
int input(void);

int main(void) {
    int a[8], wanted = input();
    for (int i = 0; i < 8; i++)
        a[i] = input();
    int *p = a, *end = a + 8;
    while (p != end && *p != wanted)
        p++;
    while (p > a)
        p--;
    return *p;
}
