// A list whose last element points to the second one has no end.
#include <stddef.h>
struct node {
    struct node *next;
};

int main(void) {
    struct node a, b, c;
    a.next = &b;
    b.next = &c;
    c.next = &b;
    int n = 0;
    for (struct node *p = &a; p != NULL; p = p->next)
        n = !n;
    return n;
}
