// The greatest common divisor by subtraction: with 0 nothing changes any more.
unsigned input(void);

int main(void) {
    unsigned a = input(), b = input();
    while (a != b) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
    return a == 1;
}
