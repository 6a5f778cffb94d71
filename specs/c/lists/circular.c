// A ring of tasks, with a cursor that goes around, and stays where a task ends.
// seltl reach circular.c --check=null,memory,leaks
// With -D BAD the last task leads to itself when it has been freed.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct task {
  int ready;
  struct task *next;
};

int main(void) {
  struct task *ring = NULL;
  while (__VERIFIER_nondet_int()) {
    struct task *t = malloc(sizeof *t);
    if (!t) break;
    t->ready = 1;
    if (ring) {
      t->next = ring->next;
      ring->next = t;
    } else {
      t->next = t;
      ring = t;
    }
  }
  while (ring) {
    struct task *t = ring->next;
    assert(t->ready == 1);
    if (__VERIFIER_nondet_int()) {
      ring = t; // it goes on later
      continue;
    }
    ring->next = t->next;
#ifndef BAD
    if (t == ring) ring = NULL;
#endif
    free(t);
  }
  return 0;
}
