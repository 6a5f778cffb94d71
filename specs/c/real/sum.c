/* Numbers are read from lines and added up; what is no number, or too large, is said with its line.
   Without FIXED a line whose number is followed by other text is counted twice: the continue is missing.
     FAILS? seltl reach specs/c/real/sum.c
     HOLDS? seltl reach specs/c/real/sum.c -D FIXED */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status { OK, EMPTY, JUNK, RANGE };

static enum status parse(const char *line, long least, long most, long *value)
{
	char *end;
	errno = 0;
	long v = strtol(line, &end, 10);
	if (end == line)
		return EMPTY;
	if (errno == ERANGE || v < least || v > most)
		return RANGE;
	while (isspace((unsigned char)*end))
		end++;
	if (*end != '\0')
		return JUNK;
	*value = v;
	return OK;
}

int main(void)
{
	char line[6];
	unsigned lines = 0, good = 0, bad = 0;
	long total = 0;
	while (fgets(line, sizeof line, stdin)) {
		long v = 0;
		lines++;
		if (lines == 0) {
			fputs("too many lines\n", stderr);
			return EXIT_FAILURE;
		}
		switch (parse(line, 0, 1000, &v)) {
		case JUNK:
			fprintf(stderr, "line %u: text behind the number\n", lines);
			bad++;
#ifdef FIXED
			break;
#endif
		case EMPTY:
			fprintf(stderr, "line %u: no number\n", lines);
			bad++;
			break;
		case RANGE:
			fprintf(stderr, "line %u: out of range\n", lines);
			bad++;
			break;
		case OK:
			assert(v >= 0 && v <= 1000);
			if (total > LONG_MAX - v)
				return EXIT_FAILURE;
			total += v;
			good++;
			break;
		}
		assert(good + bad == lines);
	}
	if (ferror(stdin)) {
		perror("stdin");
		return EXIT_FAILURE;
	}
	printf("%ld in %u lines\n", total, good);
	return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
