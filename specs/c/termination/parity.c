// Two routines that call one another; a negative number comes round to the largest one, and is even or odd, too.
unsigned input(void);

int odd(unsigned n);

int even(unsigned n) {
    return n == 0 ? 1 : odd(n - 1);
}

int odd(unsigned n) {
    return n == 0 ? 0 : even(n - 1);
}

int main(void) {
    return even(input());
}
