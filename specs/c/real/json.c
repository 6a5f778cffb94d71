/* A parser of JSON without objects and strings: numbers, true, false, null and lists, by recursive descent
   over bytes that were read from a file. Lists may be nested up to a depth.
   Without FIXED a comma is stepped over without looking whether anything is behind it.
     FAILS? seltl reach specs/c/real/json.c --check=bounds
     HOLDS? seltl reach specs/c/real/json.c --check=bounds -D FIXED */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 2
#define ROOM 5

struct parser {
	size_t at, end;
	unsigned values;
	unsigned char text[ROOM];
};

static struct parser p;

static int peek(void)
{
	return p.at < p.end ? p.text[p.at] : EOF;
}

static void blanks(void)
{
	while (p.at < p.end && isspace(p.text[p.at]))
		p.at++;
}

static int word(const char *w)
{
	size_t n = strlen(w);
	if (p.end - p.at < n || memcmp(p.text + p.at, w, n) != 0)
		return -1;
	p.at += n;
	p.values++;
	return 0;
}

static int number(void)
{
	size_t digits = 0;
	if (peek() == '-')
		p.at++;
	while (p.at < p.end && isdigit(p.text[p.at])) {
		p.at++;
		digits++;
	}
	if (digits == 0)
		return -1;
	p.values++;
	return 0;
}

static int value(int depth)
{
	blanks();
	switch (peek()) {
	case 't':
		return word("true");
	case 'f':
		return word("false");
	case 'n':
		return word("null");
	case '[':
		if (depth == DEPTH)
			return -1;
		p.at++;
		blanks();
		if (peek() == ']') {
			p.at++;
			return 0;
		}
		for (;;) {
			if (value(depth + 1) < 0)
				return -1;
			blanks();
#ifdef FIXED
			switch (peek()) {
#else
			switch (p.text[p.at]) {
#endif
			case ',':
				p.at++;
				break;
			case ']':
				p.at++;
				return 0;
			default:
				return -1;
			}
		}
	default:
		return number();
	}
}

int main(int argc, char *argv[])
{
	FILE *in = argc > 1 ? fopen(argv[1], "rb") : stdin;
	if (!in) {
		perror("open");
		return EXIT_FAILURE;
	}
	p.end = fread(p.text, 1, sizeof p.text, in);
	if (value(0) < 0) {
		fprintf(stderr, "byte %zu: not understood\n", p.at);
		return EXIT_FAILURE;
	}
	assert(p.at <= p.end);
	assert(p.values <= p.end);
	printf("%u values\n", p.values);
	return EXIT_SUCCESS;
}
