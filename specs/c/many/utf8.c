/* A code point is read from up to four bytes of UTF-8. What is read from so many bytes needs as
 * many, and is no half of a pair. With BAD: three bytes may say what two can. */
unsigned char input(void);
void reach_error(void);

static unsigned decode(const unsigned char *s, unsigned n, unsigned *out) {
    unsigned c = s[0], length, code;
    if (c < 0x80) { *out = c; return 1; }
    if ((c & 0xE0) == 0xC0) { length = 2; code = c & 0x1F; }
    else if ((c & 0xF0) == 0xE0) { length = 3; code = c & 0x0F; }
    else if ((c & 0xF8) == 0xF0) { length = 4; code = c & 0x07; }
    else return 0;
    if (n < length) return 0;
    for (unsigned i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80) return 0;
        code = code << 6 | s[i] & 0x3F;
    }
    if (length == 2 && code < 0x80) return 0;
#ifndef BAD
    if (length == 3 && code < 0x800) return 0;
#endif
    if (length == 4 && (code < 0x10000 || code > 0x10FFFF)) return 0;
    if (code >= 0xD800 && code <= 0xDFFF) return 0;
    *out = code;
    return length;
}

int main(void) {
    unsigned char b[4];
    for (int i = 0; i < 4; i++) b[i] = input();
    unsigned code = 0, n = decode(b, sizeof b, &code);
    if (n > 4 || n && code > 0x10FFFF) reach_error();
    if (n == 2 && (code < 0x80 || code >= 0x800)) reach_error();
    if (n == 3 && (code < 0x800 || code >= 0x10000)) reach_error();
    return 0;
}
