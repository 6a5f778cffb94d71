/* Routines of the C library that programs call and do not define. */
#include <stddef.h>
void *malloc(size_t);
void __seltl_range(void), __seltl_argument(void);
int __seltl_input(void), __seltl_failed(void); /* a byte that is read, or -1 at the end; whether reading fails */
void __seltl_errno(int), __seltl_reads(const void *, size_t);
int __seltl_cause(void), __seltl_leftover(void), __seltl_byte(void), __seltl_zero(void), __seltl_length(void); /* why something failed; what is not known */
size_t __seltl_count(void), __seltl_far(void), __seltl_text(char *, size_t);
double __seltl_double(void);
short __seltl_event(void);
void free(void *);
extern char *optarg;
extern int optind, optopt;
int __seltl_index(void), __seltl_ours(void); /* whether the arguments are those of the program */
void __seltl_there(const void *); /* which is not null, then */
struct option { const char *name; int has_arg, *flag, val; };
int __seltl_order(const void *, const void *); /* of qsort */
struct pollfd { int fd; short events, revents; };
#define va_list __builtin_va_list
int __seltl_letter(void), __seltl_more(void); /* a character of a word, and whether there are more */
struct div { int quot, rem; };
struct ldiv { long quot, rem; };
struct lldiv { long long quot, rem; };
struct imaxdiv { long long quot, rem; };
void *memcpy(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = ((const char *)from)[i];
	return to;
}
void *memmove(void *to, const void *from, size_t n)
{
	char *d = to;
	const char *s = from;
	if (d < s)
		for (size_t i = 0; i < n; i++)
			d[i] = s[i];
	else if (d > s)
		for (size_t i = n; i > 0; i--)
			d[i - 1] = s[i - 1];
	return to;
}
void *memset(void *to, int value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((unsigned char *)to)[i] = (unsigned char)value;
	return to;
}
int memcmp(const void *a, const void *b, size_t n)
{
	if (n > 0)
		((const unsigned char *)a)[n - 1], ((const unsigned char *)b)[n - 1]; /* all of it is there (C17 7.24.1) */
	for (size_t i = 0; i < n; i++)
		if (((const unsigned char *)a)[i] != ((const unsigned char *)b)[i])
			return ((const unsigned char *)a)[i] < ((const unsigned char *)b)[i] ? -1 : 1;
	return 0;
}
void *memchr(const void *s, int c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (((const unsigned char *)s)[i] == (unsigned char)c)
			return (char *)s + i;
	return 0;
}
char *fgets(char *s, int n, void *from)
{
	int i = 0, c = 0;
	if (n <= 0)
		return 0;
	while (i < n - 1 && c != '\n') {
		c = __seltl_input();
		if (c < 0) {
			if (i == 0 || __seltl_failed()) /* what has been read stays then, as glibc has it */
				return 0;
			break;
		}
		s[i] = c;
		i++;
	}
	s[i] = 0;
	return s;
}
size_t fread(void *to, size_t size, size_t n, void *from)
{
	size_t all = size * n, i;
	if (all == 0)
		return 0;
	for (i = 0; i < all; i++) {
		int c = __seltl_input();
		if (c < 0)
			return i / size;
		((unsigned char *)to)[i] = c;
	}
	return n;
}
long read(int from, void *to, size_t n)
{
	size_t i;
	if (__seltl_failed()) {
		__seltl_errno(__seltl_cause());
		return -1;
	}
	__seltl_errno(0);
	for (i = 0; i < n; i++) {
		int c = __seltl_input();
		if (c < 0)
			break;
		((unsigned char *)to)[i] = c;
	}
	return i;
}
long recv(int from, void *to, size_t n, int how)
{
	size_t i;
	if (how)
		__seltl_argument(); /* MSG_PEEK, MSG_TRUNC, ... */
	if (__seltl_failed()) {
		__seltl_errno(__seltl_cause());
		return -1;
	}
	__seltl_errno(0);
	for (i = 0; i < n; i++) {
		int c = __seltl_input();
		if (c < 0)
			break;
		((unsigned char *)to)[i] = c;
	}
	return i;
}
long recvfrom(int from, void *to, size_t n, int how, void *who, void *size)
{
	size_t i;
	if (how)
		__seltl_argument();
	if (__seltl_failed()) {
		__seltl_errno(__seltl_cause());
		return -1;
	}
	__seltl_errno(0);
	for (i = 0; i < n; i++) {
		int c = __seltl_input();
		if (c < 0)
			break;
		((unsigned char *)to)[i] = c;
	}
	return i;
}
long write(int to, const void *from, size_t n)
{
	size_t k = __seltl_count();
	__seltl_reads(from, n);
	if (__seltl_failed()) {
		__seltl_errno(__seltl_cause());
		return -1;
	}
	__seltl_errno(0);
	return k < n ? k : n;
}
long send(int to, const void *from, size_t n, int how)
{
	size_t k = __seltl_count();
	__seltl_reads(from, n);
	if (__seltl_failed()) {
		__seltl_errno(__seltl_cause());
		return -1;
	}
	__seltl_errno(0);
	return k < n ? k : n;
}
long sendto(int to, const void *from, size_t n, int how, const void *who, unsigned size)
{
	size_t k = __seltl_count();
	__seltl_reads(from, n);
	if (__seltl_failed()) {
		__seltl_errno(__seltl_cause());
		return -1;
	}
	__seltl_errno(0);
	return k < n ? k : n;
}
size_t fwrite(const void *from, size_t size, size_t n, void *to)
{
	size_t k = __seltl_count();
	__seltl_reads(from, size * n);
	if (size == 0)
		return 0;
	return k < n ? k : n;
}
void __seltl_reads(const void *from, size_t n)
{
	if (n > 0)
		((const char *)from)[0], ((const char *)from)[n - 1];
}
long getline(char **line, size_t *room, void *from)
{
	size_t i = 0, k;
	int c = 0;
	if (!line || !room)
		__seltl_argument();
	if (!*line || *room == 0) {
		char *first = malloc(120);
		if (!first)
			return -1;
		free(*line);
		*line = first;
		*room = 120;
	}
	while (c != '\n') {
		c = __seltl_input();
		if (c < 0)
			break;
		if (i + 2 > *room) {
			char *more = malloc(2 * *room);
			if (!more)
				return -1;
			for (k = 0; k < i; k++)
				more[k] = (*line)[k];
			free(*line);
			*line = more;
			*room *= 2;
		}
		(*line)[i] = c;
		i++;
	}
	if (i == 0)
		return -1;
	(*line)[i] = 0;
	return i;
}
size_t __seltl_text(char *to, size_t n)
{
	size_t i;
	for (i = 0; i + 1 < n && __seltl_more(); i++)
		to[i] = __seltl_byte();
	if (n > 0)
		to[i] = __seltl_zero();
	return i;
}
int vsnprintf(char *to, size_t n, const char *format, va_list list)
{
	__seltl_text(to, n);
	return __seltl_length();
}
size_t strftime(char *to, size_t n, const char *format, const void *time)
{
	size_t i = __seltl_text(to, n);
	if (__seltl_more()) { /* it does not fit: what is there is not said, nor that it ends */
		for (i = 0; i < n; i++)
			to[i] = __seltl_more() ? __seltl_byte() : __seltl_zero();
		return __seltl_zero();
	}
	return i + __seltl_zero();
}
const char *inet_ntop(int how, const void *from, char *to, unsigned n)
{
	if (__seltl_failed()) {
		__seltl_errno(__seltl_cause());
		return 0;
	}
	__seltl_errno(0);
	__seltl_text(to, n);
	return to;
}
char *getcwd(char *to, size_t n)
{
	if (!to)
		__seltl_argument();
	if (__seltl_failed()) {
		__seltl_errno(__seltl_cause());
		return 0;
	}
	__seltl_errno(0);
	__seltl_text(to, n);
	return to;
}
int gethostname(char *to, size_t n)
{
	if (__seltl_failed()) {
		__seltl_errno(__seltl_cause());
		return -1;
	}
	__seltl_errno(0);
	__seltl_text(to, n);
	return 0;
}
double strtod(const char *s, char **end)
{
	size_t n = 0;
	while (s[n])
		n++;
	n++;
	if (end)
		*end = (char *)s + __seltl_far() % (n + (n == 0));
	return __seltl_double();
}
int getopt(int argc, char *const *argv, const char *options)
{
	static int used, seen, open; /* from 0 on */
	size_t k = options[0] == '+' || options[0] == '-';
	int c = __seltl_letter(), at = __seltl_index(), taken = 1 + used;
	if (!__seltl_ours() || options[0] == '-' || optind != 1 + seen)
		__seltl_argument();
	optarg = 0;
	if (!open && (taken >= argc || !__seltl_more())) {
		if (taken < argc && __seltl_more())
			taken++; /* "--" */
		used = seen = taken - 1;
		optind = taken;
		return -1;
	}
	if (c == 0 || c == '-')
		c = '?'; /* no option */
	k += options[k] == ':';
	while (options[k] && (options[k] != c || c == ':'))
		k++;
	if (options[k] && options[k + 1] == ':') {
		open = 0;
		taken++;
		if (options[k + 2] == ':')
			optarg = __seltl_more() ? argv[taken - 1] : 0;
		else if (__seltl_more()) {
			optarg = argv[taken - 1];
			__seltl_there(optarg);
			optarg++;
		} else if (taken < argc) {
			optarg = argv[taken++];
			__seltl_there(optarg);
		} else {
			optopt = c;
			c = options[0] == ':' || (options[0] == '+' && options[1] == ':') ? ':' : '?';
		}
	} else {
		open = __seltl_more();
		if (!open)
			taken++;
		if (!options[k]) {
			optopt = c;
			c = '?';
		}
	}
	used = taken - 1;
	optind = at < taken || at > argc ? taken : at;
	seen = optind - 1;
	return c;
}
int getopt_long(int argc, char *const *argv, const char *options, const struct option *longs, int *index)
{
	static int used, seen, open; /* from 0 on */
	size_t k = options[0] == '+' || options[0] == '-';
	int c = __seltl_letter(), at = __seltl_index(), taken = 1 + used;
	if (!__seltl_ours() || options[0] == '-' || optind != 1 + seen)
		__seltl_argument();
	optarg = 0;
	if (!open && (taken >= argc || !__seltl_more())) {
		if (taken < argc && __seltl_more())
			taken++; /* "--" */
		used = seen = taken - 1;
		optind = taken;
		return -1;
	}
	if (!open && __seltl_more()) {
		for (k = 0; longs[k].name && __seltl_more(); k++)
			;
		taken++;
		c = '?';
		if (longs[k].name) {
			if (longs[k].has_arg && (longs[k].has_arg == 1 || __seltl_more())) {
				if (longs[k].has_arg == 2 || __seltl_more()) {
					optarg = argv[taken - 1];
					__seltl_there(optarg);
					optarg++;
				} else if (taken < argc) {
					optarg = argv[taken++];
					__seltl_there(optarg);
				}
			}
			if (longs[k].has_arg != 1 || optarg) {
				if (index)
					*index = k;
				c = longs[k].val;
				if (longs[k].flag) {
					*longs[k].flag = c;
					c = 0;
				}
			} else if (options[0] == ':' || options[0] == '+' && options[1] == ':')
				c = ':';
		}
		used = taken - 1;
		optind = at < taken || at > argc ? taken : at;
		seen = optind - 1;
		return c;
	}
	if (c == 0 || c == '-')
		c = '?'; /* no option */
	k += options[k] == ':';
	while (options[k] && (options[k] != c || c == ':'))
		k++;
	if (options[k] && options[k + 1] == ':') {
		open = 0;
		taken++;
		if (options[k + 2] == ':')
			optarg = __seltl_more() ? argv[taken - 1] : 0;
		else if (__seltl_more()) {
			optarg = argv[taken - 1];
			__seltl_there(optarg);
			optarg++;
		} else if (taken < argc) {
			optarg = argv[taken++];
			__seltl_there(optarg);
		} else {
			optopt = c;
			c = options[0] == ':' || (options[0] == '+' && options[1] == ':') ? ':' : '?';
		}
	} else {
		open = __seltl_more();
		if (!open)
			taken++;
		if (!options[k]) {
			optopt = c;
			c = '?';
		}
	}
	used = taken - 1;
	optind = at < taken || at > argc ? taken : at;
	seen = optind - 1;
	return c;
}
int poll(struct pollfd *all, unsigned long n, int time)
{
	int found = 0;
	if (__seltl_failed()) {
		__seltl_errno(__seltl_cause());
		return -1;
	}
	__seltl_errno(0);
	for (unsigned long i = 0; i < n; i++) {
		all[i].revents = __seltl_event();
		found += all[i].revents != 0;
	}
	return found;
}
void __seltl_word(char *to, size_t most)
{
	size_t i = 0;
	do {
		int c = __seltl_letter();
		to[i] = c == ' ' || c >= 9 && c <= 13 ? 'a' : c; /* white space ends a word */
		i++;
	} while (i < most && __seltl_more());
	to[i] = 0;
}
size_t strlen(const char *s)
{
	size_t n = 0;
	while (s[n])
		n++;
	return n;
}
char *strcpy(char *to, const char *from)
{
	size_t i = 0;
	while ((to[i] = from[i]))
		i++;
	return to;
}
char *strncpy(char *to, const char *from, size_t n)
{
	size_t i;
	for (i = 0; i < n && from[i]; i++)
		to[i] = from[i];
	for (; i < n; i++)
		to[i] = 0;
	return to;
}
char *strcat(char *to, const char *from)
{
	size_t n = 0, i = 0;
	while (to[n])
		n++;
	while ((to[n + i] = from[i]))
		i++;
	return to;
}
char *strncat(char *to, const char *from, size_t n)
{
	size_t end = 0, i;
	while (to[end])
		end++;
	for (i = 0; i < n && from[i]; i++)
		to[end + i] = from[i];
	to[end + i] = 0;
	return to;
}
int strcmp(const char *a, const char *b)
{
	size_t i = 0;
	while (a[i] && a[i] == b[i])
		i++;
	if (a[i] == b[i])
		return 0;
	return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : 1;
}
int strncmp(const char *a, const char *b, size_t n)
{
	size_t i = 0;
	while (i < n && a[i] && a[i] == b[i])
		i++;
	if (i == n || a[i] == b[i])
		return 0;
	return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : 1;
}
char *strchr(const char *s, int c)
{
	size_t i = 0;
	while (s[i] && s[i] != (char)c)
		i++;
	return s[i] == (char)c ? (char *)s + i : 0;
}
char *strrchr(const char *s, int c)
{
	char *last = 0;
	size_t i = 0;
	do
		if (s[i] == (char)c)
			last = (char *)s + i;
	while (s[i++]);
	return last;
}
size_t strnlen(const char *s, size_t most)
{
	size_t n = 0;
	while (n < most && s[n])
		n++;
	return n;
}
size_t strspn(const char *s, const char *of)
{
	size_t n = 0, i = 0;
	while (s[n]) {
		for (i = 0; of[i] && of[i] != s[n]; i++)
			;
		if (!of[i])
			break;
		n++;
	}
	return n;
}
size_t strcspn(const char *s, const char *of)
{
	size_t n = 0, i = 0;
	while (s[n]) {
		for (i = 0; of[i] && of[i] != s[n]; i++)
			;
		if (of[i])
			break;
		n++;
	}
	return n;
}
char *strstr(const char *s, const char *part)
{
	size_t n = 0, i = 0;
	for (;; n++) {
		for (i = 0; part[i] && s[n + i] == part[i]; i++)
			;
		if (!part[i])
			return (char *)s + n;
		if (!s[n])
			return 0;
	}
}
int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'; }
int isalnum(int c) { return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'; }
int isspace(int c) { return c == ' ' || c >= 9 && c <= 13; }
int isprint(int c) { return c >= 32 && c < 127; }
int isblank(int c) { return c == ' ' || c == 9; }
int iscntrl(int c) { return c >= 0 && c < 32 || c == 127; }
int isgraph(int c) { return c > 32 && c < 127; }
int ispunct(int c) { return c > 32 && c < 127 && !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'); }
int isxdigit(int c) { return c >= '0' && c <= '9' || c >= 'A' && c <= 'F' || c >= 'a' && c <= 'f'; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int isascii(int c) { return c >= 0 && c < 128; }
int toascii(int c) { return c & 127; }
long long imaxabs(long long x) { return x < 0 ? -x : x; }
int bcmp(const void *a, const void *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (((const unsigned char *)a)[i] != ((const unsigned char *)b)[i])
			return 1;
	return 0;
}
void bzero(void *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = 0;
}
void explicit_bzero(void *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = 0;
}
void bcopy(const void *from, void *to, size_t n)
{
	char *d = to;
	const char *s = from;
	if (d < s)
		for (size_t i = 0; i < n; i++)
			d[i] = s[i];
	else if (d > s)
		for (size_t i = n; i > 0; i--)
			d[i - 1] = s[i - 1];
}
void *mempcpy(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = ((const char *)from)[i];
	return (char *)to + n;
}
void *memccpy(void *to, const void *from, int c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		((char *)to)[i] = ((const char *)from)[i];
		if (((const unsigned char *)from)[i] == (unsigned char)c)
			return (char *)to + i + 1;
	}
	return 0;
}
void *memrchr(const void *s, int c, size_t n)
{
	for (size_t i = n; i > 0; i--)
		if (((const unsigned char *)s)[i - 1] == (unsigned char)c)
			return (char *)s + i - 1;
	return 0;
}
void *rawmemchr(const void *s, int c)
{
	size_t i = 0;
	while (((const unsigned char *)s)[i] != (unsigned char)c)
		i++;
	return (char *)s + i;
}
void *memmem(const void *s, size_t n, const void *part, size_t m)
{
	size_t i, k;
	for (i = 0; m <= n && i <= n - m; i++) {
		for (k = 0; k < m && ((const char *)s)[i + k] == ((const char *)part)[k]; k++)
			;
		if (k == m)
			return (char *)s + i;
	}
	return 0;
}
char *stpcpy(char *to, const char *from)
{
	size_t i = 0;
	while ((to[i] = from[i]))
		i++;
	return to + i;
}
char *stpncpy(char *to, const char *from, size_t n)
{
	size_t i, end;
	for (i = 0; i < n && from[i]; i++)
		to[i] = from[i];
	for (end = i; i < n; i++)
		to[i] = 0;
	return to + end;
}
size_t strlcpy(char *to, const char *from, size_t n)
{
	size_t i = 0;
	for (; i + 1 < n && from[i]; i++)
		to[i] = from[i];
	if (n > 0)
		to[i] = 0;
	while (from[i])
		i++;
	return i;
}
size_t strlcat(char *to, const char *from, size_t n)
{
	size_t end = 0, i = 0;
	while (end < n && to[end])
		end++;
	if (end < n) {
		for (; end + i + 1 < n && from[i]; i++)
			to[end + i] = from[i];
		to[end + i] = 0;
	}
	while (from[i])
		i++;
	return end + i;
}
char *strdup(const char *s)
{
	size_t n = 0, i;
	while (s[n])
		n++;
	char *to = malloc(n + 1);
	if (to)
		for (i = 0; i <= n; i++)
			to[i] = s[i];
	return to;
}
char *strndup(const char *s, size_t most)
{
	size_t n = 0, i;
	while (n < most && s[n])
		n++;
	char *to = malloc(n + 1);
	if (to) {
		for (i = 0; i < n; i++)
			to[i] = s[i];
		to[n] = 0;
	}
	return to;
}
int strcoll(const char *a, const char *b)
{
	size_t i = 0;
	while (a[i] && a[i] == b[i])
		i++;
	if (a[i] == b[i])
		return 0;
	return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : 1;
}
size_t strxfrm(char *to, const char *from, size_t n)
{
	size_t i = 0;
	for (; from[i]; i++)
		if (i < n)
			to[i] = from[i];
	if (i < n)
		to[i] = 0;
	return i;
}
int strcasecmp(const char *a, const char *b)
{
	for (size_t i = 0;; i++) {
		unsigned char x = a[i], y = b[i];
		x = x >= 'A' && x <= 'Z' ? x + 32 : x;
		y = y >= 'A' && y <= 'Z' ? y + 32 : y;
		if (x != y)
			return x < y ? -1 : 1;
		if (!x)
			return 0;
	}
}
int strncasecmp(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char x = a[i], y = b[i];
		x = x >= 'A' && x <= 'Z' ? x + 32 : x;
		y = y >= 'A' && y <= 'Z' ? y + 32 : y;
		if (x != y)
			return x < y ? -1 : 1;
		if (!x)
			return 0;
	}
	return 0;
}
char *strchrnul(const char *s, int c)
{
	size_t i = 0;
	while (s[i] && s[i] != (char)c)
		i++;
	return (char *)s + i;
}
char *index(const char *s, int c)
{
	size_t i = 0;
	while (s[i] && s[i] != (char)c)
		i++;
	return s[i] == (char)c ? (char *)s + i : 0;
}
char *rindex(const char *s, int c)
{
	char *last = 0;
	size_t i = 0;
	do
		if (s[i] == (char)c)
			last = (char *)s + i;
	while (s[i++]);
	return last;
}
char *strpbrk(const char *s, const char *of)
{
	size_t n = 0, i = 0;
	for (; s[n]; n++)
		for (i = 0; of[i]; i++)
			if (s[n] == of[i])
				return (char *)s + n;
	return 0;
}
char *strcasestr(const char *s, const char *part)
{
	size_t n = 0, i = 0;
	for (;; n++) {
		for (i = 0; part[i]; i++) {
			unsigned char x = s[n + i], y = part[i];
			x = x >= 'A' && x <= 'Z' ? x + 32 : x;
			y = y >= 'A' && y <= 'Z' ? y + 32 : y;
			if (x != y)
				break;
		}
		if (!part[i])
			return (char *)s + n;
		if (!s[n])
			return 0;
	}
}
char *strsep(char **at, const char *of)
{
	char *s = *at;
	size_t n = 0, i = 0;
	if (!s)
		return 0;
	for (; s[n]; n++)
		for (i = 0; of[i]; i++)
			if (s[n] == of[i]) {
				s[n] = 0;
				*at = s + n + 1;
				return s;
			}
	*at = 0;
	return s;
}
char *strtok_r(char *s, const char *of, char **at)
{
	size_t n = 0, i = 0, begin;
	if (!s)
		s = *at;
	if (!s)
		return 0;
	for (;; n++) {
		for (i = 0; of[i] && of[i] != s[n]; i++)
			;
		if (!s[n] || !of[i])
			break;
	}
	if (!s[n]) {
		*at = s + n;
		return 0;
	}
	for (begin = n; s[n]; n++)
		for (i = 0; of[i]; i++)
			if (s[n] == of[i]) {
				s[n] = 0;
				*at = s + n + 1;
				return s + begin;
			}
	*at = s + n;
	return s + begin;
}
char *strtok(char *s, const char *of)
{
	static char *at;
	size_t n = 0, i = 0, begin;
	if (!s)
		s = at;
	if (!s)
		return 0;
	for (;; n++) {
		for (i = 0; of[i] && of[i] != s[n]; i++)
			;
		if (!s[n] || !of[i])
			break;
	}
	if (!s[n]) {
		at = s + n;
		return 0;
	}
	for (begin = n; s[n]; n++)
		for (i = 0; of[i]; i++)
			if (s[n] == of[i]) {
				s[n] = 0;
				at = s + n + 1;
				return s + begin;
			}
	at = s + n;
	return s + begin;
}
long strtol(const char *s, char **end, int base)
{
	unsigned long n = 0, most;
	int neg = 0, any = 0, large = 0, digit;
	size_t i = 0;
	if (base < 0 || base == 1 || base > 36)
		__seltl_argument();
	while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13)
		i++;
	if (s[i] == '-' || s[i] == '+')
		neg = s[i++] == '-';
	if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X')
	    && (s[i + 2] >= '0' && s[i + 2] <= '9' || s[i + 2] >= 'a' && s[i + 2] <= 'f' || s[i + 2] >= 'A' && s[i + 2] <= 'F')) {
		i += 2;
		base = 16;
	} else if (base == 0)
		base = s[i] == '0' ? 8 : 10;
	most = (neg ? (unsigned long)1 << (sizeof(long) * 8 - 1) : ((unsigned long)1 << (sizeof(long) * 8 - 1)) - 1);
	for (;; i++) {
		if (s[i] >= '0' && s[i] <= '9')
			digit = s[i] - '0';
		else if (s[i] >= 'a' && s[i] <= 'z')
			digit = s[i] - 'a' + 10;
		else if (s[i] >= 'A' && s[i] <= 'Z')
			digit = s[i] - 'A' + 10;
		else
			break;
		if (digit >= base)
			break;
		any = 1;
		if (large || n > (most - digit) / base)
			large = 1;
		else
			n = n * base + digit;
	}
	if (end)
		*end = (char *)s + (any ? i : 0);
	if (large) {
		__seltl_errno(34);
		return neg ? -most : most;
	}
	if (!any)
		__seltl_errno(0);
	return neg ? -n : n;
}
long long strtoll(const char *s, char **end, int base)
{
	unsigned long long n = 0, most;
	int neg = 0, any = 0, large = 0, digit;
	size_t i = 0;
	if (base < 0 || base == 1 || base > 36)
		__seltl_argument();
	while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13)
		i++;
	if (s[i] == '-' || s[i] == '+')
		neg = s[i++] == '-';
	if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X')
	    && (s[i + 2] >= '0' && s[i + 2] <= '9' || s[i + 2] >= 'a' && s[i + 2] <= 'f' || s[i + 2] >= 'A' && s[i + 2] <= 'F')) {
		i += 2;
		base = 16;
	} else if (base == 0)
		base = s[i] == '0' ? 8 : 10;
	most = (neg ? (unsigned long long)1 << (sizeof(long long) * 8 - 1) : ((unsigned long long)1 << (sizeof(long long) * 8 - 1)) - 1);
	for (;; i++) {
		if (s[i] >= '0' && s[i] <= '9')
			digit = s[i] - '0';
		else if (s[i] >= 'a' && s[i] <= 'z')
			digit = s[i] - 'a' + 10;
		else if (s[i] >= 'A' && s[i] <= 'Z')
			digit = s[i] - 'A' + 10;
		else
			break;
		if (digit >= base)
			break;
		any = 1;
		if (large || n > (most - digit) / base)
			large = 1;
		else
			n = n * base + digit;
	}
	if (end)
		*end = (char *)s + (any ? i : 0);
	if (large) {
		__seltl_errno(34);
		return neg ? -most : most;
	}
	if (!any)
		__seltl_errno(0);
	return neg ? -n : n;
}
unsigned long strtoul(const char *s, char **end, int base)
{
	unsigned long n = 0, most;
	int neg = 0, any = 0, large = 0, digit;
	size_t i = 0;
	if (base < 0 || base == 1 || base > 36)
		__seltl_argument();
	while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13)
		i++;
	if (s[i] == '-' || s[i] == '+')
		neg = s[i++] == '-';
	if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X')
	    && (s[i + 2] >= '0' && s[i + 2] <= '9' || s[i + 2] >= 'a' && s[i + 2] <= 'f' || s[i + 2] >= 'A' && s[i + 2] <= 'F')) {
		i += 2;
		base = 16;
	} else if (base == 0)
		base = s[i] == '0' ? 8 : 10;
	most = (unsigned long)-1;
	for (;; i++) {
		if (s[i] >= '0' && s[i] <= '9')
			digit = s[i] - '0';
		else if (s[i] >= 'a' && s[i] <= 'z')
			digit = s[i] - 'a' + 10;
		else if (s[i] >= 'A' && s[i] <= 'Z')
			digit = s[i] - 'A' + 10;
		else
			break;
		if (digit >= base)
			break;
		any = 1;
		if (large || n > (most - digit) / base)
			large = 1;
		else
			n = n * base + digit;
	}
	if (end)
		*end = (char *)s + (any ? i : 0);
	if (large) {
		__seltl_errno(34);
		return -1;
	}
	if (!any)
		__seltl_errno(0);
	return neg ? -n : n;
}
unsigned long long strtoull(const char *s, char **end, int base)
{
	unsigned long long n = 0, most;
	int neg = 0, any = 0, large = 0, digit;
	size_t i = 0;
	if (base < 0 || base == 1 || base > 36)
		__seltl_argument();
	while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13)
		i++;
	if (s[i] == '-' || s[i] == '+')
		neg = s[i++] == '-';
	if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X')
	    && (s[i + 2] >= '0' && s[i + 2] <= '9' || s[i + 2] >= 'a' && s[i + 2] <= 'f' || s[i + 2] >= 'A' && s[i + 2] <= 'F')) {
		i += 2;
		base = 16;
	} else if (base == 0)
		base = s[i] == '0' ? 8 : 10;
	most = (unsigned long long)-1;
	for (;; i++) {
		if (s[i] >= '0' && s[i] <= '9')
			digit = s[i] - '0';
		else if (s[i] >= 'a' && s[i] <= 'z')
			digit = s[i] - 'a' + 10;
		else if (s[i] >= 'A' && s[i] <= 'Z')
			digit = s[i] - 'A' + 10;
		else
			break;
		if (digit >= base)
			break;
		any = 1;
		if (large || n > (most - digit) / base)
			large = 1;
		else
			n = n * base + digit;
	}
	if (end)
		*end = (char *)s + (any ? i : 0);
	if (large) {
		__seltl_errno(34);
		return -1;
	}
	if (!any)
		__seltl_errno(0);
	return neg ? -n : n;
}
long long strtoimax(const char *s, char **end, int base)
{
	unsigned long long n = 0, most;
	int neg = 0, any = 0, large = 0, digit;
	size_t i = 0;
	if (base < 0 || base == 1 || base > 36)
		__seltl_argument();
	while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13)
		i++;
	if (s[i] == '-' || s[i] == '+')
		neg = s[i++] == '-';
	if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X')
	    && (s[i + 2] >= '0' && s[i + 2] <= '9' || s[i + 2] >= 'a' && s[i + 2] <= 'f' || s[i + 2] >= 'A' && s[i + 2] <= 'F')) {
		i += 2;
		base = 16;
	} else if (base == 0)
		base = s[i] == '0' ? 8 : 10;
	most = (neg ? (unsigned long long)1 << (sizeof(long long) * 8 - 1) : ((unsigned long long)1 << (sizeof(long long) * 8 - 1)) - 1);
	for (;; i++) {
		if (s[i] >= '0' && s[i] <= '9')
			digit = s[i] - '0';
		else if (s[i] >= 'a' && s[i] <= 'z')
			digit = s[i] - 'a' + 10;
		else if (s[i] >= 'A' && s[i] <= 'Z')
			digit = s[i] - 'A' + 10;
		else
			break;
		if (digit >= base)
			break;
		any = 1;
		if (large || n > (most - digit) / base)
			large = 1;
		else
			n = n * base + digit;
	}
	if (end)
		*end = (char *)s + (any ? i : 0);
	if (large) {
		__seltl_errno(34);
		return neg ? -most : most;
	}
	if (!any)
		__seltl_errno(0);
	return neg ? -n : n;
}
unsigned long long strtoumax(const char *s, char **end, int base)
{
	unsigned long long n = 0, most;
	int neg = 0, any = 0, large = 0, digit;
	size_t i = 0;
	if (base < 0 || base == 1 || base > 36)
		__seltl_argument();
	while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13)
		i++;
	if (s[i] == '-' || s[i] == '+')
		neg = s[i++] == '-';
	if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X')
	    && (s[i + 2] >= '0' && s[i + 2] <= '9' || s[i + 2] >= 'a' && s[i + 2] <= 'f' || s[i + 2] >= 'A' && s[i + 2] <= 'F')) {
		i += 2;
		base = 16;
	} else if (base == 0)
		base = s[i] == '0' ? 8 : 10;
	most = (unsigned long long)-1;
	for (;; i++) {
		if (s[i] >= '0' && s[i] <= '9')
			digit = s[i] - '0';
		else if (s[i] >= 'a' && s[i] <= 'z')
			digit = s[i] - 'a' + 10;
		else if (s[i] >= 'A' && s[i] <= 'Z')
			digit = s[i] - 'A' + 10;
		else
			break;
		if (digit >= base)
			break;
		any = 1;
		if (large || n > (most - digit) / base)
			large = 1;
		else
			n = n * base + digit;
	}
	if (end)
		*end = (char *)s + (any ? i : 0);
	if (large) {
		__seltl_errno(34);
		return -1;
	}
	if (!any)
		__seltl_errno(0);
	return neg ? -n : n;
}
int atoi(const char *s)
{
	unsigned int n = 0, most;
	int neg = 0, digit;
	size_t i = 0;
	while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13)
		i++;
	if (s[i] == '-' || s[i] == '+')
		neg = s[i++] == '-';
	most = neg ? (unsigned int)1 << (sizeof(int) * 8 - 1) : ((unsigned int)1 << (sizeof(int) * 8 - 1)) - 1;
	for (; s[i] >= '0' && s[i] <= '9'; i++) {
		digit = s[i] - '0';
		if (n > (most - digit) / 10)
			return __seltl_far();
		n = n * 10 + digit;
	}
	return neg ? -n : n;
}
long atol(const char *s)
{
	unsigned long n = 0, most;
	int neg = 0, digit;
	size_t i = 0;
	while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13)
		i++;
	if (s[i] == '-' || s[i] == '+')
		neg = s[i++] == '-';
	most = neg ? (unsigned long)1 << (sizeof(long) * 8 - 1) : ((unsigned long)1 << (sizeof(long) * 8 - 1)) - 1;
	for (; s[i] >= '0' && s[i] <= '9'; i++) {
		digit = s[i] - '0';
		if (n > (most - digit) / 10)
			return __seltl_far();
		n = n * 10 + digit;
	}
	return neg ? -n : n;
}
long long atoll(const char *s)
{
	unsigned long long n = 0, most;
	int neg = 0, digit;
	size_t i = 0;
	while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13)
		i++;
	if (s[i] == '-' || s[i] == '+')
		neg = s[i++] == '-';
	most = neg ? (unsigned long long)1 << (sizeof(long long) * 8 - 1) : ((unsigned long long)1 << (sizeof(long long) * 8 - 1)) - 1;
	for (; s[i] >= '0' && s[i] <= '9'; i++) {
		digit = s[i] - '0';
		if (n > (most - digit) / 10)
			return __seltl_far();
		n = n * 10 + digit;
	}
	return neg ? -n : n;
}
struct div div(int x, int y)
{
	struct div both;
	both.quot = x / y;
	both.rem = x % y;
	return both;
}
struct ldiv ldiv(long x, long y)
{
	struct ldiv both;
	both.quot = x / y;
	both.rem = x % y;
	return both;
}
struct lldiv lldiv(long long x, long long y)
{
	struct lldiv both;
	both.quot = x / y;
	both.rem = x % y;
	return both;
}
struct imaxdiv imaxdiv(long long x, long long y)
{
	struct imaxdiv both;
	both.quot = x / y;
	both.rem = x % y;
	return both;
}
int ffs(int x)
{
	for (int i = 0; i < (int)sizeof(x) * 8; i++)
		if ((unsigned int)x >> i & 1)
			return i + 1;
	return 0;
}
int clz(unsigned int x)
{
	int n = 0;
	if (!x)
		__seltl_argument();
	for (; n < (int)sizeof(x) * 8 && !(x >> (sizeof(x) * 8 - 1 - n) & 1); n++)
		;
	return n;
}
int ctz(unsigned int x)
{
	int n = 0;
	if (!x)
		__seltl_argument();
	for (; n < (int)sizeof(x) * 8 && !(x >> n & 1); n++)
		;
	return n;
}
int popcount(unsigned int x)
{
	int n = 0;
	for (int i = 0; i < (int)sizeof(x) * 8; i++)
		n += x >> i & 1;
	return n;
}
int parity(unsigned int x)
{
	int n = 0;
	for (int i = 0; i < (int)sizeof(x) * 8; i++)
		n ^= x >> i & 1;
	return n;
}
int clrsb(int x)
{
	int n = 0;
	for (; n < (int)sizeof(x) * 8 - 1 && (x >> (sizeof(x) * 8 - 2 - n) & 1) == (x < 0); n++)
		;
	return n;
}
int ffsl(long x)
{
	for (int i = 0; i < (int)sizeof(x) * 8; i++)
		if ((unsigned long)x >> i & 1)
			return i + 1;
	return 0;
}
int clzl(unsigned long x)
{
	int n = 0;
	if (!x)
		__seltl_argument();
	for (; n < (int)sizeof(x) * 8 && !(x >> (sizeof(x) * 8 - 1 - n) & 1); n++)
		;
	return n;
}
int ctzl(unsigned long x)
{
	int n = 0;
	if (!x)
		__seltl_argument();
	for (; n < (int)sizeof(x) * 8 && !(x >> n & 1); n++)
		;
	return n;
}
int popcountl(unsigned long x)
{
	int n = 0;
	for (int i = 0; i < (int)sizeof(x) * 8; i++)
		n += x >> i & 1;
	return n;
}
int parityl(unsigned long x)
{
	int n = 0;
	for (int i = 0; i < (int)sizeof(x) * 8; i++)
		n ^= x >> i & 1;
	return n;
}
int clrsbl(long x)
{
	int n = 0;
	for (; n < (int)sizeof(x) * 8 - 1 && (x >> (sizeof(x) * 8 - 2 - n) & 1) == (x < 0); n++)
		;
	return n;
}
int ffsll(long long x)
{
	for (int i = 0; i < (int)sizeof(x) * 8; i++)
		if ((unsigned long long)x >> i & 1)
			return i + 1;
	return 0;
}
int clzll(unsigned long long x)
{
	int n = 0;
	if (!x)
		__seltl_argument();
	for (; n < (int)sizeof(x) * 8 && !(x >> (sizeof(x) * 8 - 1 - n) & 1); n++)
		;
	return n;
}
int ctzll(unsigned long long x)
{
	int n = 0;
	if (!x)
		__seltl_argument();
	for (; n < (int)sizeof(x) * 8 && !(x >> n & 1); n++)
		;
	return n;
}
int popcountll(unsigned long long x)
{
	int n = 0;
	for (int i = 0; i < (int)sizeof(x) * 8; i++)
		n += x >> i & 1;
	return n;
}
int parityll(unsigned long long x)
{
	int n = 0;
	for (int i = 0; i < (int)sizeof(x) * 8; i++)
		n ^= x >> i & 1;
	return n;
}
int clrsbll(long long x)
{
	int n = 0;
	for (; n < (int)sizeof(x) * 8 - 1 && (x >> (sizeof(x) * 8 - 2 - n) & 1) == (x < 0); n++)
		;
	return n;
}
unsigned short bswap16(unsigned short x) { return x << 8 | x >> 8; }
unsigned int bswap32(unsigned int x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
unsigned long long bswap64(unsigned long long x)
{
	unsigned long long y = 0;
	for (int i = 0; i < 8; i++)
		y = y << 8 | (x >> 8 * i & 0xff);
	return y;
}
unsigned short htons(unsigned short x) { return x << 8 | x >> 8; }
unsigned short ntohs(unsigned short x) { return x << 8 | x >> 8; }
unsigned int htonl(unsigned int x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
unsigned int ntohl(unsigned int x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
int *errno_location(void)
{
	static int value;
	return &value;
}
int isnan(double x) { return x != x; }
int isnanf(float x) { return x != x; }
int isinf(double x) { return (x == __builtin_inf()) - (x == -__builtin_inf()); }
int isinff(float x) { return (x == __builtin_inff()) - (x == -__builtin_inff()); }
int finite(double x) { return __builtin_fabs(x) < __builtin_inf(); }
int finitef(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
int signbit(double x) { return __builtin_copysign(1.0, x) < 0; }
int signbitf(float x) { return __builtin_copysignf(1.0f, x) < 0; }
int fpclassify(double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
int fpclassifyf(float x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
long lrint(double x) { return (long)__builtin_rint(x); }
long lrintf(float x) { return (long)__builtin_rintf(x); }
long lround(double x) { return (long)__builtin_round(x); }
long lroundf(float x) { return (long)__builtin_roundf(x); }
long long llrint(double x) { return (long long)__builtin_rint(x); }
long long llrintf(float x) { return (long long)__builtin_rintf(x); }
long long llround(double x) { return (long long)__builtin_round(x); }
long long llroundf(float x) { return (long long)__builtin_roundf(x); }
