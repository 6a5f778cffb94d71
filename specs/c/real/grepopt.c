/* The command line of a search tool: -v, -n, -m COUNT, -o FILE, then a pattern.
   Without FIXED a missing pattern is not noticed: argv[optind] is the null pointer behind the arguments then.
     FAILS  seltl reach specs/c/real/grepopt.c --check=null
     HOLDS? seltl reach specs/c/real/grepopt.c --check=null -D FIXED */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	int invert, number;
	long most;
	const char *output, *pattern;
};

static void usage(const char *name)
{
	fprintf(stderr, "usage: %s [-vn] [-m COUNT] [-o FILE] PATTERN\n", name);
}

static int count(const char *text, long *value)
{
	char *end;
	errno = 0;
	*value = strtol(text, &end, 10);
	return *text != '\0' && *end == '\0' && errno == 0 && *value > 0 ? 0 : -1;
}

static int parse(int argc, char *argv[], struct options *o)
{
	int c;
	memset(o, 0, sizeof *o);
	o->most = LONG_MAX;
	while ((c = getopt(argc, argv, "vnm:o:")) != -1) {
		switch (c) {
		case 'v':
			o->invert = 1;
			break;
		case 'n':
			o->number = 1;
			break;
		case 'm':
			if (count(optarg, &o->most) < 0)
				return -1;
			break;
		case 'o':
			o->output = optarg;
			break;
		default:
			return -1;
		}
	}
	assert(optind >= 1);
	o->pattern = argv[optind];
#ifdef FIXED
	if (!o->pattern)
		return -1;
#endif
	if (o->pattern[0] == '\0')
		return -1;
	return 0;
}

int main(int argc, char *argv[])
{
	struct options o;
	if (argc < 1)
		return EXIT_FAILURE;
	if (parse(argc, argv, &o) < 0) {
		usage(argv[0]);
		return EXIT_FAILURE;
	}
	assert(o.most > 0);
	assert(o.pattern != NULL);
	if (o.output)
		printf("into %s\n", o.output);
	printf("%s%s\n", o.pattern, o.invert ? " (not)" : "");
	return EXIT_SUCCESS;
}
