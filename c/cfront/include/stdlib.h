#ifndef _SELTL_STDLIB
#define _SELTL_STDLIB
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX (__ctype_get_mb_cur_max())
size_t __ctype_get_mb_cur_max(void);
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
div_t div(int, int);
ldiv_t ldiv(long, long);
lldiv_t lldiv(long long, long long);
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void abort(void);
void exit(int);
void _Exit(int);
int rand(void);
void srand(unsigned int);
int abs(int);
long labs(long);
long long llabs(long long);
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
double atof(const char *);
long long strtoll(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
float strtof(const char *, char **);
double strtod(const char *, char **);
long double strtold(const char *, char **);
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
void *aligned_alloc(size_t, size_t);
void quick_exit(int);
int at_quick_exit(void (*)(void));
int system(const char *);
int mblen(const char *, size_t);
int mbtowc(wchar_t *, const char *, size_t);
int wctomb(char *, wchar_t);
size_t mbstowcs(wchar_t *, const char *, size_t);
size_t wcstombs(char *, const wchar_t *, size_t);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
int atexit(void (*)(void));
char *getenv(const char *);
/* POSIX */
long random(void);
void srandom(unsigned);
int rand_r(unsigned *);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
int putenv(char *);
int clearenv(void);
int mkstemp(char *);
char *mkdtemp(char *);
char *realpath(const char *, char *);
int posix_memalign(void **, size_t, size_t);
void *reallocarray(void *, size_t, size_t);
double drand48(void);
long lrand48(void);
void srand48(long);
#endif
