/* A node of a B-tree that is full is split: the upper half of its keys moves to a new node, and the key in
   the middle to the parent.
   Without FIXED one key more than there is moves.
     FAILS? seltl reach specs/c/real/btree.c --check=bounds
     HOLDS? seltl reach specs/c/real/btree.c --check=bounds,null,uninit -D FIXED */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORDER 2
#define KEYS (2 * ORDER - 1)

struct node {
	int count;
	bool leaf;
	int32_t keys[KEYS];
	struct node *children[KEYS + 1];
};

/* split_child splits a full child of a parent that is not: its upper half moves to a new node. */
static void split_child(struct node *parent, int at, struct node *right)
{
	struct node *left = parent->children[at];
	right->leaf = left->leaf;
	assert(left->count == KEYS && parent->count < KEYS);
	right->count = ORDER - 1;
#ifdef FIXED
	for (int i = 0; i < ORDER - 1; i++)
#else
	for (int i = 0; i < ORDER; i++)
#endif
		right->keys[i] = left->keys[i + ORDER];
	if (!left->leaf)
		memcpy(right->children, left->children + ORDER, ORDER * sizeof right->children[0]);
	left->count = ORDER - 1;
	memmove(parent->children + at + 2, parent->children + at + 1, (size_t)(parent->count - at) * sizeof parent->children[0]);
	memmove(parent->keys + at + 1, parent->keys + at, (size_t)(parent->count - at) * sizeof parent->keys[0]);
	parent->children[at + 1] = right;
	parent->keys[at] = left->keys[ORDER - 1];
	parent->count++;
}

static void insert_leaf(struct node *n, int32_t key)
{
	int i = n->count;
	assert(n->leaf && n->count < KEYS);
	for (; i > 0 && n->keys[i - 1] > key; i--)
		n->keys[i] = n->keys[i - 1];
	n->keys[i] = key;
	n->count++;
}

int main(void)
{
	static struct node root, leaf, fresh;
	int32_t key;
	leaf.leaf = true;
	root.children[0] = &leaf;
	while (leaf.count < KEYS && scanf("%d", &key) == 1)
		insert_leaf(&leaf, key);
	if (leaf.count == KEYS) {
		split_child(&root, 0, &fresh);
		assert(root.count == 1);
		assert(leaf.keys[0] <= root.keys[0]);
		assert(root.keys[0] <= fresh.keys[0]);
		assert(root.children[1] == &fresh);
	}
	for (int i = 0; i < root.count; i++)
		printf("%d\n", root.keys[i]);
	return EXIT_SUCCESS;
}
