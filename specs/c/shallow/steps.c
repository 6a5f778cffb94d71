/* A generator of numbers, one after the other, a hundred thousand times: it comes to this
 * one and no other. With BAD: it is said to come to another one. */
void reach_error(void);

int main(void) {
    unsigned x = 1, evens = 0;
    for (int i = 0; i < 100000; i++) {
        x = x * 1664525u + 1013904223u;
        if ((x & 0x10000u) == 0) evens++;
    }
#ifdef BAD
    if (evens != 50001u) reach_error();
#else
    if (evens < 49000u || evens > 51000u) reach_error();
#endif
    return 0;
}
