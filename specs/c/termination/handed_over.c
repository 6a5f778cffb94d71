// Two routines hand the same number to one another.
int input(void);

void left(int n);

void right(int n) {
    if (n > 0)
        left(n);
}

void left(int n) {
    right(n == 7 ? 7 : n - 1);
}

int main(void) {
    left(input());
    return 0;
}
