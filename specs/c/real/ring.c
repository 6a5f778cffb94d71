/* A ring buffer between a reader and a writer: bytes go in and out by memcpy, in two parts where the end of
   the memory comes between.
   Without FIXED the second part is written from the place of the first one on.
     FAILS? seltl reach specs/c/real/ring.c
     HOLDS? seltl reach specs/c/real/ring.c --check=bounds,memory -D FIXED */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM 8u

struct ring {
	unsigned char data[ROOM];
	size_t head, length; /* where the first byte is, and how many there are */
};

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t room(const struct ring *r)
{
	assert(r->length <= ROOM);
	return ROOM - r->length;
}

/* put copies all n bytes into the ring, or none. */
static bool put(struct ring *r, const void *from, size_t n)
{
	if (n > room(r))
		return false;
	size_t tail = (r->head + r->length) % ROOM;
	size_t first = smaller(n, ROOM - tail);
	memcpy(r->data + tail, from, first);
#ifdef FIXED
	memcpy(r->data, (const char *)from + first, n - first);
#else
	memcpy(r->data + tail + first, (const char *)from + first, n - first);
#endif
	r->length += n;
	return true;
}

/* get takes up to n bytes out of the ring: how many. */
static size_t get(struct ring *r, void *to, size_t n)
{
	assert(r->head < ROOM);
	n = smaller(n, r->length);
	size_t first = smaller(n, ROOM - r->head);
	memcpy(to, r->data + r->head, first);
	memcpy((char *)to + first, r->data, n - first);
	r->head = (r->head + n) % ROOM;
	r->length -= n;
	return n;
}

int main(void)
{
	static struct ring r;
	char in[6], out[1];
	for (;;) {
		ssize_t n = read(STDIN_FILENO, in, sizeof in);
		if (n < 0) {
			perror("read");
			return EXIT_FAILURE;
		}
		if (n == 0 && r.length == 0)
			break;
		if (!put(&r, in, (size_t)n))
			fputs("bytes are dropped\n", stderr);
		size_t got = get(&r, out, sizeof out);
		assert(got <= 1);
		if (fwrite(out, 1, got, stdout) != got)
			return EXIT_FAILURE;
		assert(r.head < ROOM && r.length <= ROOM);
	}
	return EXIT_SUCCESS;
}
