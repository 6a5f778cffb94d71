// A list of any length is turned around, and given back.
// seltl reach reverse.c --check=null,memory,leaks
// With -D BAD the first node is lost.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *list = NULL, *turned = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->value = 1;
    n->next = list;
    list = n;
  }
#ifdef BAD
  if (list) list = list->next;
#endif
  while (list) {
    struct node *next = list->next;
    list->next = turned;
    turned = list;
    list = next;
  }
  while (turned) {
    struct node *next = turned->next;
    free(turned);
    turned = next;
  }
  return 0;
}
