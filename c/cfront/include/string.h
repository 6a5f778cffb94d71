#ifndef _SELTL_STRING
#define _SELTL_STRING
#include <stddef.h>
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
int strcmp(const char *, const char *);
char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *);
size_t strnlen(const char *, size_t);
void *memchr(const void *, int, size_t);
char *strdup(const char *);
char *strerror(int);
int strncmp(const char *, const char *, size_t);
int strcoll(const char *, const char *);
size_t strxfrm(char *, const char *, size_t);
char *strpbrk(const char *, const char *);
char *strtok(char *, const char *);
/* POSIX */
char *strtok_r(char *, const char *, char **);
char *strsep(char **, const char *);
char *strndup(const char *, size_t);
char *stpcpy(char *, const char *);
char *stpncpy(char *, const char *, size_t);
void *memccpy(void *, const void *, int, size_t);
char *strsignal(int);
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
void bzero(void *, size_t);
void bcopy(const void *, void *, size_t);
int bcmp(const void *, const void *, size_t);
int ffs(int);
char *index(const char *, int);
char *rindex(const char *, int);
void explicit_bzero(void *, size_t);
#ifdef _GNU_SOURCE
void *memmem(const void *, size_t, const void *, size_t);
void *mempcpy(void *, const void *, size_t);
void *memrchr(const void *, int, size_t);
void *rawmemchr(const void *, int);
char *strchrnul(const char *, int);
char *strcasestr(const char *, const char *);
#endif
#endif
