/* Numbers in a list of nodes from malloc, which is turned round in place. It loses the last
   node; with -D FIXED it keeps all. */
#include <assert.h>
#include <stdlib.h>

#define LENGTH 4

struct node {
	int number;
	struct node *next;
};

/* numbers makes the list LENGTH-1, ..., 1, 0. */
struct node *numbers(void)
{
	struct node *list = 0, *node;
	int i;

	for (i = 0; i < LENGTH; i++) {
		node = malloc(sizeof *node);
		node->number = i;
		node->next = list;
		list = node;
	}
	return list;
}

struct node *reverse(struct node *list)
{
	struct node *done = 0, *rest;

#ifdef FIXED
	while (list) {
#else
	while (list->next) {
#endif
		rest = list->next;
		list->next = done;
		done = list;
		list = rest;
	}
	return done;
}

int main(void)
{
	struct node *node;
	int i = 0;

	for (node = reverse(numbers()); node; node = node->next) {
		assert(node->number == i);
		i++;
	}
	assert(i == LENGTH);
	return 0;
}
