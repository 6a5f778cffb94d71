// Ackermann's function: the first argument decreases, or stays and the second one does.
unsigned input(void);

unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
    return ackermann(input(), input()) == 0;
}
