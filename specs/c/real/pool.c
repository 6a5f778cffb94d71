/* An allocator of blocks of one size over a static array: free blocks are linked by indices.
   Without FIXED a block that is given back twice is in the list twice, and is handed out to two.
     FAILS  seltl reach specs/c/real/pool.c
     HOLDS  seltl reach specs/c/real/pool.c --check=bounds,null -D FIXED */
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 4
#define NONE UINT8_MAX

struct block {
	uint8_t next, used;
	char data[14];
};

static struct block blocks[BLOCKS];
static uint8_t free_list = NONE;
static unsigned in_use;

static void pool_init(void)
{
	for (uint8_t i = 0; i < BLOCKS; i++) {
		blocks[i].used = 0;
		blocks[i].next = i + 1 < BLOCKS ? (uint8_t)(i + 1) : NONE;
	}
	free_list = 0;
	in_use = 0;
}

static struct block *pool_get(void)
{
	if (free_list == NONE) {
		errno = ENOMEM;
		return NULL;
	}
	struct block *b = &blocks[free_list];
	free_list = b->next;
	b->next = NONE;
	b->used = 1;
	in_use++;
	return b;
}

static int pool_put(struct block *b)
{
	if (!b)
		return 0;
#ifdef FIXED
	if (!b->used) {
		errno = EINVAL;
		return -1;
	}
#endif
	b->used = 0;
	b->next = free_list;
	free_list = (uint8_t)(b - blocks);
	in_use--;
	return 0;
}

int main(void)
{
	struct block *held[2] = {NULL, NULL};
	int c;
	pool_init();
	while ((c = getchar()) != EOF) {
		unsigned i = (unsigned)c & 1;
		if (c & 2) {
			if (pool_put(held[i]) < 0)
				perror("put");
		} else if (!(c & 4) || !held[i]) {
			struct block *b = pool_get();
			if (!b) {
				perror("get");
				break;
			}
			held[i] = b;
			memset(b->data, 0, sizeof b->data);
		}
		assert(in_use <= BLOCKS);
	}
	return EXIT_SUCCESS;
}
