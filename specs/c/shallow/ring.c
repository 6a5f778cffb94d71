/* A ring buffer of eight bytes, which its user fills and empties as the input says. With
 * BAD: it is full when it has more than eight, so that it takes a ninth byte, which
 * overwrites the first. */
int input(void);
void reach_error(void);

#define SIZE 8
#ifdef BAD
#define FULL(r) ((r)->count > SIZE)
#else
#define FULL(r) ((r)->count >= SIZE)
#endif

struct ring {
    unsigned char data[SIZE];
    unsigned head, tail, count;
};

static int put(struct ring *r, unsigned char c) {
    if (FULL(r)) return 0;
    r->data[r->tail] = c;
    r->tail = (r->tail + 1) % SIZE;
    r->count++;
    return 1;
}

static int get(struct ring *r, unsigned char *c) {
    if (r->count == 0) return 0;
    *c = r->data[r->head];
    r->head = (r->head + 1) % SIZE;
    r->count--;
    return 1;
}

int main(void) {
    struct ring r = {{0}, 0, 0, 0};
    unsigned char c;
    for (;;) {
        int what = input();
        if (what == 0) break;
        if (what > 0) put(&r, (unsigned char)what);
        else get(&r, &c);
        if (r.count > SIZE) reach_error();
    }
    return 0;
}
