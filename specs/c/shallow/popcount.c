/* The number of bits of a word, by adding neighbours, and by a loop over all of them. With
 * BAD: a mask lacks a bit. */
unsigned input(void);
void reach_error(void);

static unsigned fast(unsigned x) {
    x = x - ((x >> 1) & 0x55555555u);
#ifdef BAD
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333331u);
#else
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
#endif
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return (x * 0x01010101u) >> 24;
}

int main(void) {
    unsigned x = input(), count = 0;
    for (int i = 0; i < 32; i++)
        count += (x >> i) & 1u;
    if (fast(x) != count) reach_error();
    return 0;
}
