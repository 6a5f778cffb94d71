// A list as in the Linux kernel: links stand inside of what is linked, and lead to links.
// seltl reach embedded.c --check=null,memory,leaks
// With -D BAD the way around goes on from what has been freed.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct list_head {
  struct list_head *next, *prev;
};

#define list_entry(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

struct device {
  int on;
  struct list_head link;
};

static struct list_head devices = {&devices, &devices};

static void list_add(struct list_head *n, struct list_head *head) {
  head->next->prev = n;
  n->next = head->next;
  n->prev = head;
  head->next = n;
}

static void list_del(struct list_head *n) {
  n->next->prev = n->prev;
  n->prev->next = n->next;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    struct device *d = malloc(sizeof *d);
    if (!d) break;
    d->on = __VERIFIER_nondet_int() ? 1 : 2;
    list_add(&d->link, &devices);
  }
  struct list_head *at = devices.next, *next;
  while (at != &devices) {
    struct device *d = list_entry(at, struct device, link);
    assert(d->on == 1 || d->on == 2);
    next = at->next;
    list_del(at);
    free(d);
#ifdef BAD
    next = at->next;
#endif
    at = next;
  }
  assert(devices.next == &devices && devices.prev == &devices);
  return 0;
}
