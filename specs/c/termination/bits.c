// Each round takes the lowest bit away; then a bit is shifted out.
unsigned input(void);

int main(void) {
    unsigned x = input(), ones = 0;
    while (x) {
        x &= x - 1;
        ones++;
    }
    for (unsigned bit = 1; bit != 0; bit <<= 1)
        if (ones & bit)
            x++;
    return x;
}
