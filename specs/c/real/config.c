/* A reader of a configuration: lines of "name = value", # comments; two settings are known.
   Without FIXED the length that snprintf returns is taken for what it has written.
     FAILS? seltl reach specs/c/real/config.c
     HOLDS? seltl reach specs/c/real/config.c --check=bounds -D FIXED */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct config {
	char host[3];
	char path[3];
	int lines, settings;
};

static char *trim(char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	char *end = s + strlen(s);
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return s;
}

/* keep stores a value with a prefix: -1 where it is cut. */
static int keep(char *to, size_t room, const char *prefix, const char *value)
{
	int n = snprintf(to, room, "%s%s", prefix, value);
	if (n < 0)
		return -1;
#ifdef FIXED
	if ((size_t)n >= room)
		return -1;
#endif
	assert((size_t)n < room);
	to[n] = '\0';
	return 0;
}

static int setting(struct config *c, char *line)
{
	char *hash = strchr(line, '#');
	if (hash)
		*hash = '\0';
	char *name = strtok(line, "=");
	if (!name || *trim(name) == '\0')
		return 0;
	char *value = strtok(NULL, "\n");
	if (!value)
		return -1;
	name = trim(name);
	value = trim(value);
	if (strcmp(name, "h") == 0) {
		if (keep(c->host, sizeof c->host, "", value) < 0)
			return -1;
	} else if (strcmp(name, "p") == 0) {
		if (keep(c->path, sizeof c->path, "/", value) < 0)
			return -1;
	} else {
		return -1;
	}
	c->settings++;
	return 0;
}

int main(void)
{
	static struct config c;
	char line[7];
	while (c.lines < 1 && fgets(line, sizeof line, stdin)) {
		c.lines++;
		if (setting(&c, line) < 0) {
			fprintf(stderr, "line %d: not understood\n", c.lines);
			return EXIT_FAILURE;
		}
	}
	assert(c.settings <= c.lines);
	assert(strlen(c.host) < sizeof c.host);
	printf("%s%s\n", c.host, c.path);
	return EXIT_SUCCESS;
}
