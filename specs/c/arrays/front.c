/* Nodes are put in front of a list of any length; all that was put is positive. With BAD, zero is let in. */
#include <stdlib.h>
int input(void);
struct node { int value; struct node *next; };

int main(void) {
    struct node *list = NULL;
    while (input()) {
        int value = input();
#ifdef BAD
        if (value < 0)
#else
        if (value <= 0)
#endif
            continue;
        struct node *n = malloc(sizeof *n);
        n->value = value;
        n->next = list;
        list = n;
    }
    for (struct node *n = list; n; n = n->next)
        if (n->value <= 0)
            goto ERROR;
    return 0;
ERROR:
    return 1;
}
