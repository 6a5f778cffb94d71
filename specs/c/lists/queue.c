// A queue: requests come in at one end, and are served at the other one.
// seltl reach queue.c --check=null,memory,leaks
// With -D BAD the last one is served, and the end of the queue still leads to it.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct request {
  int state; // 1: it waits
  struct request *next;
};

static struct request *head, *tail;

static int put(void) {
  struct request *r = malloc(sizeof *r);
  if (!r) return 0;
  r->state = 1;
  r->next = NULL;
  if (tail)
    tail->next = r;
  else
    head = r;
  tail = r;
  return 1;
}

static void serve(void) {
  struct request *r = head;
  if (!r) return;
  assert(r->state == 1);
  head = r->next;
#ifndef BAD
  if (!head) tail = NULL;
#endif
  free(r);
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int())
      put();
    else
      serve();
  }
  while (head) serve();
  return 0;
}
