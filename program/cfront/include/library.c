/* Routines of the C library that programs call and do not define. */
#include <stddef.h>
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
