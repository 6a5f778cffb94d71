/* A cache of two entries in a list, the one used last in front. With BAD: what is used is not
 * brought to the front, so that another one is thrown away. */
int input(void);
void reach_error(void);
void *malloc(unsigned long);

struct node { int key, value; struct node *prev, *next; };
static struct node *head, *tail;
static int entries;

static void out(struct node *x) {
    if (x->prev) x->prev->next = x->next; else head = x->next;
    if (x->next) x->next->prev = x->prev; else tail = x->prev;
}

static void front(struct node *x) {
    x->prev = 0;
    x->next = head;
    if (head) head->prev = x; else tail = x;
    head = x;
}

static int get(int key) {
    for (struct node *x = head; x; x = x->next)
        if (x->key == key) {
#ifndef BAD
            out(x);
            front(x);
#endif
            return x->value;
        }
    return -1;
}

static void put(int key, int value) {
    struct node *x;
    if (entries == 2) {
        x = tail;
        out(x);
    } else {
        x = malloc(sizeof *x);
        entries++;
    }
    x->key = key;
    x->value = value;
    front(x);
}

int main(void) {
    int v = input();
    put(1, 10);
    put(2, v);
    if (get(1) != 10) reach_error();
    put(3, 30);
    if (get(1) != 10 || get(2) != -1 || get(3) != 30) reach_error();
    return 0;
}
