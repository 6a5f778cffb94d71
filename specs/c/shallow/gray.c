/* One byte of input, straight on: the Gray code of a number, decoded by shifts, is the
 * number, neighbours differ in one bit, and the square of a byte leaves one of four
 * remainders. With BAD: a shift is missing. */
unsigned char input(void);
void reach_error(void);

int main(void) {
    unsigned char x = input();
    unsigned char code = x ^ (x >> 1);
    unsigned char back = code;
    back ^= back >> 1;
    back ^= back >> 2;
#ifndef BAD
    back ^= back >> 4;
#endif
    if (back != x) reach_error();
    unsigned char y = x + 1;
    unsigned char differ = code ^ (unsigned char)(y ^ (y >> 1));
    if (differ == 0 || (differ & (differ - 1)) != 0) reach_error();
    unsigned square = (unsigned)x * x % 16;
    if (square != 0 && square != 1 && square != 4 && square != 9) reach_error();
    unsigned cube = (unsigned)x * x * x;
    if ((cube - x) % 6 != 0) reach_error();
    return 0;
}
