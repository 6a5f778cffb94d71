/* A buffer that grows: bytes are put into memory that realloc makes larger, which may move it.
   seltl reach specs/c/memory/buffer.c --check=memory,leaks -D FIXED
   Without FIXED the end of a line is remembered by a pointer, which is of the old memory when the buffer has
   grown; with FIXED by an index. */
#include <stdlib.h>

extern int input(void);

struct buffer {
	char *bytes;
	size_t length, room;
#ifdef FIXED
	size_t line;
#else
	char *line;
#endif
};

static void put(struct buffer *b, char c)
{
	if (b->length == b->room) {
		size_t room = b->room ? 2 * b->room : 2;
		char *more = realloc(b->bytes, room);
		if (!more) {
			free(b->bytes);
			exit(1);
		}
		b->bytes = more;
		b->room = room;
	}
	b->bytes[b->length++] = c;
}

int main(void)
{
	struct buffer b = {0};
	put(&b, 'a');
#ifdef FIXED
	b.line = b.length - 1;
#else
	b.line = b.bytes + b.length - 1;
#endif
	for (int i = 0; i < 3 && input() > 0; i++)
		put(&b, 'b');
#ifdef FIXED
	b.bytes[b.line] = '\n';
#else
	*b.line = '\n';
#endif
	free(b.bytes);
	return 0;
}
