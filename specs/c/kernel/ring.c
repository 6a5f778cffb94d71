/* A ring of four places that is drained. The second one takes two at a time, and misses the
   end from an odd distance. */

void pop(void);

void drain(unsigned char head, unsigned char tail) {
    head &= 3;
    tail &= 3;
    while (tail != head) {
        pop();
        tail = (tail + 1) & 3;
    }
empty:
    return;
}

void drain_pairs(unsigned char head, unsigned char tail) {
    head &= 3;
    tail &= 3;
    while (tail != head) {
        pop();
        pop();
        tail = (tail + 2) & 3;
    }
empty:
    return;
}
