// The greatest common divisor, by a routine that calls itself: a remainder is less than what it was divided by.
unsigned char input(void);

unsigned char gcd(unsigned char a, unsigned char b) {
    if (b == 0)
        return a;
    return gcd(b, a % b);
}

int main(void) {
    return gcd(input(), input());
}
