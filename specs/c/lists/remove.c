// Nodes with an even value are taken out of a list of any length.
// seltl reach remove.c --check=null,memory,leaks
// With -D BAD the node in front of one that is taken out still leads to it.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
  int odd;
  struct node *next;
};

int main(void) {
  struct node *list = NULL, *n;
  while (__VERIFIER_nondet_int()) {
    n = malloc(sizeof *n);
    if (!n) break;
    n->odd = __VERIFIER_nondet_int() & 1;
    n->next = list;
    list = n;
  }
  struct node **link = &list;
  while ((n = *link)) {
    if (n->odd) {
      link = &n->next;
      continue;
    }
#ifndef BAD
    *link = n->next;
#else
    link = &n->next;
#endif
    free(n);
  }
  for (n = list; n; n = n->next) assert(n->odd == 1);
  while ((n = list)) {
    list = n->next;
    free(n);
  }
  return 0;
}
