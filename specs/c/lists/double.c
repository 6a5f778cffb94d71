// A list that is linked in both directions: at the end, and back to the beginning.
// seltl reach double.c --check=null,memory,leaks
// With -D BAD what comes in first does not lead back.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next, *prev;
};

static struct node *first, *last;

static void append(void) {
  struct node *n = malloc(sizeof *n);
  if (!n) return;
  n->next = NULL;
#ifdef BAD
  n->prev = first;
#else
  n->prev = last;
#endif
  if (last)
    last->next = n;
  else
    first = n;
  last = n;
}

static void take(struct node *n) {
  if (n->prev)
    n->prev->next = n->next;
  else
    first = n->next;
  if (n->next)
    n->next->prev = n->prev;
  else
    last = n->prev;
  free(n);
}

int main(void) {
  while (__VERIFIER_nondet_int()) append();
  struct node *n = first;
  while (n && __VERIFIER_nondet_int()) n = n->next;
  if (n) take(n);
  for (n = last; n; n = n->prev) assert(n->next ? n->next->prev == n : n == last);
  while (first) take(first);
  assert(!last);
  return 0;
}
