package programs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// libraryCase is a program about a routine without a body: what stands before main, main's body,
// and the verdict: what the C library does, by its manual; gcc agrees where it is asked (run).
type libraryCase struct {
	name, before, body string
	want               report.Verdict
}

const (
	libraryHolds   = report.Holds
	libraryFails   = report.Violated
	libraryUnknown = report.Unknown
)

// libraryCases are by kinds; each line has one trap.
var libraryCases = []libraryCase{
	// floating point
	{"isnan", "int isnan(double);", "double d = 1.0; if (isnan(d)) reach_error();", libraryHolds},
	{"isinf", "int isinf(double);", "double d = 1.0; if (isinf(d)) reach_error();", libraryHolds},
	{"isfinite", "", "double d = 1.0; if (!__builtin_isfinite(d)) reach_error();", libraryHolds},
	{"signbit", "", "double d = 1.0; if (__builtin_signbit(d)) reach_error();", libraryHolds},
	{"lround", "long lround(double);", "if (lround(2.5) != 3) reach_error();", libraryHolds},
	{"lrint", "long lrint(double);", "if (lrint(2.0) != 2) reach_error();", libraryHolds},
	{"__isinff", "int __isinff(float);", "float f = 1; if (__isinff(f)) reach_error();", libraryHolds},
	{"__isinf", "int __isinf(double);", "if (__isinf(1.0)) reach_error();", libraryHolds},
	{"__isnan", "int __isnan(double);", "if (__isnan(1.0)) reach_error();", libraryHolds},
	{"__fpclassify", "int __fpclassify(double);", "if (__fpclassify(1.0) == 2) reach_error();", libraryHolds},
	{"__signbit", "int __signbit(double);", "if (__signbit(1.0)) reach_error();", libraryHolds},
	{"cbrt", "double cbrt(double);", "if (cbrt(8) != 2) reach_error();", libraryUnknown},
	{"fesetround", "int fesetround(int);", "fesetround(0x400); if (0.1 + 0.2 == 7) reach_error();", libraryUnknown},
	{"bits of what is no number", "", "union { float f; int i; } u; float z = 0; u.f = z / z; if (u.i == 0x7fc00000) reach_error();", libraryUnknown},
	{"the exponent of what is no number", "", "union { float f; int i; } u; float z = 0; u.f = z / z; if ((u.i & 0x7f800000) != 0x7f800000) reach_error();", libraryHolds},
	{"a number that does not fit", "", "double d = 1e10; if ((int)d == 5) reach_error();", libraryUnknown},
	{"long double that is computed", "", "long double d = 1; d += 1; if (d == 3) reach_error();", libraryUnknown},
	{"ilogb", "int ilogb(double);", "if (ilogb(8) != 3) reach_error();", libraryUnknown},
	{"long double", "int __isnanl(long double);", "if (__isnanl(1)) reach_error();", libraryUnknown},
	{"a proof without its value", "int isnan(double);", "int x = isnan(1.0) != 0; if (x > 1) reach_error();", libraryHolds},
	{"a value that nothing depends on", "int isnan(double); int any(void);", "int x = isnan(1.0); if (any() == 3) reach_error();", libraryFails},
	{"a value in a union", "", "union { float f; int i; } u; u.f = 1; if (u.i == 5) reach_error();", libraryHolds},
	{"free", "void *malloc(unsigned long); void free(void *);", "int *p = malloc(4); *p = 3; if (*p != 3) reach_error(); free(p);", libraryHolds},
	{"free before a failure", "void *malloc(unsigned long); void free(void *);", "int *p = malloc(4); free(p); reach_error();", libraryFails},
	{"a float that is returned", "double half(void) { return 0.5; } double any(void);", "union { double f; long long i; } u; u.f = half(); if (u.i == 5) reach_error();", libraryHolds},
	{"an own isnan", "int isnan(double d) { return 1; }", "if (isnan(1.0)) reach_error();", libraryFails},
	// strings
	{"strdup", "char *strdup(const char *);", `if (strdup("ab")[1] != 'b') reach_error();`, libraryHolds},
	{"strdup fails", "char *strdup(const char *);", `if (strdup("ab")[1] == 'b') reach_error();`, libraryFails},
	{"strndup", "char *strndup(const char *, unsigned long);", `if (strndup("abc", 1)[1]) reach_error();`, libraryHolds},
	{"strdup undeclared", "", `char *p = __builtin_strchr("ab", 98); if (*p != 'b') reach_error();`, libraryHolds},
	{"strcasecmp", "int strcasecmp(const char *, const char *);", `if (strcasecmp("A", "a")) reach_error();`, libraryHolds},
	{"strncasecmp", "int strncasecmp(const char *, const char *, unsigned long);", `if (strncasecmp("Ab", "aC", 1)) reach_error();`, libraryHolds},
	{"stpcpy", "char *stpcpy(char *, const char *);", `char s[4]; if (stpcpy(s, "ab") != s + 2) reach_error();`, libraryHolds},
	{"strpbrk", "char *strpbrk(const char *, const char *);", `if (*strpbrk("abc", "xc") != 'c') reach_error();`, libraryHolds},
	{"index", "char *index(const char *, int);", `if (*index("abc", 'b') != 'b') reach_error();`, libraryHolds},
	{"rindex", "char *rindex(const char *, int);", `if (rindex("aba", 'a')[1]) reach_error();`, libraryHolds},
	{"strtok", "char *strtok(char *, const char *);", `char s[] = "a,b"; strtok(s, ","); if (*strtok((char *)0, ",") != 'b') reach_error();`, libraryHolds},
	{"strtok_r", "char *strtok_r(char *, const char *, char **);", `char s[] = "a,b", *p; strtok_r(s, ",", &p); if (*strtok_r((char *)0, ",", &p) != 'b') reach_error();`, libraryHolds},
	{"strsep", "char *strsep(char **, const char *);", `char s[] = "a,b", *p = s; strsep(&p, ","); if (*p != 'b') reach_error();`, libraryHolds},
	{"memmem", "void *memmem(const void *, unsigned long, const void *, unsigned long);", `if (!memmem("abc", 3, "bc", 2)) reach_error();`, libraryHolds},
	{"memrchr", "void *memrchr(const void *, int, unsigned long);", `if (!memrchr("abc", 'b', 3)) reach_error();`, libraryHolds},
	{"strlcpy", "unsigned long strlcpy(char *, const char *, unsigned long);", `char s[2]; if (strlcpy(s, "abc", 2) != 3 || s[1]) reach_error();`, libraryHolds},
	{"strverscmp", "int strverscmp(const char *, const char *);", `if (strverscmp("a1", "a1")) reach_error();`, libraryUnknown},
	{"sprintf", "int sprintf(char *, const char *, ...);", `char s[4] = ""; sprintf(s, "%a", 1.0); if (s[0] == 'a') reach_error();`, libraryUnknown},
	{"sprintf of a literal", "int sprintf(char *, const char *, ...);", `char s[4] = ""; sprintf(s, "ab"); if (s[0] == 'a') reach_error();`, libraryFails},
	{"a format ends at the first zero", "int sprintf(char *, const char *, ...), scanf(const char *, ...);", `char s[9]; int x = 3; if (sprintf(s, "a\0b%d", 5) != 1) reach_error(); scanf("\0%d", &x); if (x != 3) reach_error();`, libraryHolds},
	{"sprintf of a number", "int sprintf(char *, const char *, ...); int any(void);", `char s[12]; int x = any(), n = sprintf(s, "%d", x); if (n < 1 || n > 11 || x < 0 != (s[0] == '-')) reach_error();`, libraryHolds},
	{"a digit behind a number", "int scanf(const char *, ...); int getchar(void);", `int x; if (scanf("%d", &x) == 1) { int c = getchar(); if (c >= '0' && c <= '9') reach_error(); }`, libraryUnknown},
	{"a letter behind a number", "int scanf(const char *, ...); int getchar(void);", `int x; if (scanf("%d", &x) == 1) { int c = getchar(); if (c == 'a') reach_error(); }`, libraryFails},
	{"a digit behind a number and more", "int scanf(const char *, ...); int getchar(void);", `int x; if (scanf("%d", &x) == 1) { getchar(); int c = getchar(); if (c == '7') reach_error(); }`, libraryFails},
	{"a digit where no number is", "int scanf(const char *, ...); int getchar(void);", `int x, r = scanf("%d", &x), c = getchar(); if (r == 0 && c == '5') reach_error();`, libraryUnknown},
	{"a word, or the end", "int scanf(const char *, ...);", `char w[4]; if (scanf(" %3s", w) == 0) reach_error();`, libraryHolds},
	{"a letter behind a hexadecimal number", "int scanf(const char *, ...); int getchar(void);", `unsigned x; if (scanf("%x", &x) == 1) { int c = getchar(); if (c == 'a') reach_error(); }`, libraryUnknown},
	{"scanf of a word", "int scanf(const char *, ...);", `char w[3]; if (scanf("%2s", w) == 1 && w[0] == 'a' && w[1] == 'b') reach_error();`, libraryFails},
	{"scanf of a word without blanks", "int scanf(const char *, ...);", `char w[3] = ""; if (scanf("%2s", w) == 1 && (w[0] == ' ' || w[1] == 9 || w[2])) reach_error();`, libraryHolds},
	{"a letter behind a word", "int scanf(const char *, ...); int getchar(void);", `char w[3]; if (scanf("%2s", w) == 1 && getchar() == 'a') reach_error();`, libraryUnknown},
	{"a blank behind a word", "int scanf(const char *, ...); int getchar(void);", `char w[3]; if (scanf("%2s", w) == 1 && getchar() == ' ') reach_error();`, libraryFails},
	{"a word too long", "int scanf(const char *, ...);", `char w[3]; scanf("%s", w); int x = 1; if (x == 2) reach_error();`, libraryUnknown},
	{"scanf of a set", "int scanf(const char *, ...);", `char w[9]; scanf("%[ab]", w); if (w[0] == 'a') reach_error();`, libraryUnknown},
	{"scanf of a set, not reached", "int scanf(const char *, ...);", `char w[9]; int x = 0; if (x) scanf("%[ab]", w); if (x) reach_error();`, libraryHolds},
	{"fgets", "extern struct _IO_FILE *stdin; char *fgets(char *, int, struct _IO_FILE *);", `char s[4]; if (fgets(s, 4, stdin) && (s[0] == 'x' || s[3])) reach_error();`, libraryFails},
	{"fgets ends a string", "extern struct _IO_FILE *stdin; char *fgets(char *, int, struct _IO_FILE *);", `char s[4]; if (fgets(s, 4, stdin) && s[0] && s[1] && s[2] && s[3]) reach_error();`, libraryHolds},
	{"a failure before", "int sprintf(char *, const char *, ...); int any(void);", `char s[4]; if (any()) reach_error(); sprintf(s, "%a", 1.0);`, libraryFails},
	{"a call that is not reached", "int sprintf(char *, const char *, ...);", `char s[4]; int x = 0; if (x) sprintf(s, "%a", 1.0); if (x) reach_error();`, libraryHolds},
	// integers and bits
	{"ffs", "int ffs(int);", "if (ffs(4) != 3) reach_error();", libraryHolds},
	{"ffsl", "int ffsl(long);", "if (ffsl(0)) reach_error();", libraryHolds},
	{"ffsll", "int ffsll(long long);", "if (ffsll(1LL << 40) != 41) reach_error();", libraryHolds},
	{"clz", "", "if (__builtin_clz(1) != 31) reach_error();", libraryHolds},
	{"ctzl", "", "if (__builtin_ctzl(8) != 3) reach_error();", libraryHolds},
	{"popcount", "int __builtin_popcount(unsigned);", "if (__builtin_popcount(7) != 3) reach_error();", libraryHolds},
	{"parity", "int __builtin_parity(unsigned);", "if (__builtin_parity(7) != 1) reach_error();", libraryHolds},
	{"clz of 0", "int any(void);", "if (__builtin_clz(any() & 1) == 31) reach_error();", libraryFails},
	{"clz of nothing", "", "unsigned z = 0; if (__builtin_clz(z) == 5) reach_error();", libraryUnknown},
	{"an overflow", "int any(void);", "int x; if (!__builtin_add_overflow(any(), 1, &x) && x == -2147483647 - 1) reach_error();", libraryHolds},
	{"an overflow that is found", "int any(void);", "int x; if (__builtin_mul_overflow(any(), 2, &x)) reach_error();", libraryFails},
	{"an overflow of a product of longs", "long any(void);", "long x; if (__builtin_mul_overflow(any(), 2L, &x)) reach_error();", libraryUnknown},
	{"atoi", "int atoi(const char *);", `if (atoi(" -12x") != -12) reach_error();`, libraryHolds},
	{"atoi of too much", "int atoi(const char *);", `if (atoi("99999999999") == 5) reach_error();`, libraryUnknown},
	{"strtol", "long strtol(const char *, char **, int);", `char *e; if (strtol("0x1fz", &e, 0) != 31 || *e != 'z') reach_error();`, libraryHolds},
	{"strtoul", "unsigned long strtoul(const char *, char **, int);", `if (strtoul("-1", (char **)0, 10) != ~0ul) reach_error();`, libraryHolds},
	{"imaxabs", "long imaxabs(long);", "if (imaxabs(-3) != 3) reach_error();", libraryHolds},
	{"div", "typedef struct { int quot, rem; } div_t; div_t div(int, int);", "div_t d = div(-7, 2); if (d.quot != -3 || d.rem != -1) reach_error();", libraryHolds},
	{"isascii", "int isascii(int);", "if (isascii(200)) reach_error();", libraryHolds},
	{"a64l", "long a64l(const char *);", `if (a64l("/") != 1) reach_error();`, libraryUnknown},
	// the order of bytes
	{"htonl", "unsigned htonl(unsigned);", "if (htonl(1) != 0x1000000) reach_error();", libraryHolds},
	{"ntohl htonl", "unsigned htonl(unsigned), ntohl(unsigned), any(void);", "unsigned x = any(); if (ntohl(htonl(x)) != x) reach_error();", libraryHolds},
	{"htons", "unsigned short htons(unsigned short);", "if (htons(1) != 256) reach_error();", libraryHolds},
	{"ntohs", "unsigned short ntohs(unsigned short);", "if (ntohs(0x1234) != 0x3412) reach_error();", libraryHolds},
	{"ntohs fails", "unsigned short ntohs(unsigned short), any(void);", "if (ntohs(any()) == 7) reach_error();", libraryFails},
	{"bswap16", "", "if (__builtin_bswap16(0x1234) != 0x3412) reach_error();", libraryHolds},
	{"bswap32", "", "if (__builtin_bswap32(1) != 0x1000000) reach_error();", libraryHolds},
	{"bswap64", "", "if (__builtin_bswap64(1) != 1ULL << 56) reach_error();", libraryHolds},
	{"bswap64 of any", "unsigned long any(void);", "if (__builtin_bswap64(any()) == 3) reach_error();", libraryFails},
	{"inet_addr", "unsigned inet_addr(const char *);", `if (inet_addr("1.0.0.0") != 1) reach_error();`, libraryUnknown},
	{"swab", "void swab(const void *, void *, long);", `char a[2] = "ab", b[2]; swab(a, b, 2); if (b[0] == 'b') reach_error();`, libraryUnknown},
	// the locale
	{"strcoll", "int strcoll(const char *, const char *);", `if (strcoll("a", "a")) reach_error();`, libraryHolds},
	{"strcoll in order", "int strcoll(const char *, const char *);", `if (strcoll("B", "a") >= 0) reach_error();`, libraryHolds},
	{"strxfrm", "unsigned long strxfrm(char *, const char *, unsigned long);", `char s[4]; if (strxfrm(s, "ab", 4) != 2) reach_error();`, libraryHolds},
	{"setlocale", "char *setlocale(int, const char *); int strcoll(const char *, const char *);", `setlocale(6, ""); if (strcoll("B", "a") >= 0) reach_error();`, libraryUnknown},
	{"toupper", "int toupper(int);", "if (toupper('x') != 'X') reach_error();", libraryHolds},
	{"iswalpha", "int iswalpha(unsigned);", "if (!iswalpha('x')) reach_error();", libraryUnknown},
	{"towupper", "unsigned towupper(unsigned);", "if (towupper('x') != 'X') reach_error();", libraryUnknown},
	{"wcslen", "unsigned long wcslen(const int *);", "int s[2] = {'a', 0}; if (wcslen(s) != 1) reach_error();", libraryUnknown},
	{"strerror is printed", "char *strerror(int); int puts(const char *), any(void);", "puts(strerror(3)); if (any() == 4) reach_error();", libraryFails},
	{"strerror is read", "char *strerror(int);", "char *p = strerror(3); strerror(1000); if (*p == 'x') reach_error();", libraryUnknown},
	{"nl_langinfo", "char *nl_langinfo(int); int puts(const char *);", "puts(nl_langinfo(14)); int x = 1; if (!x) reach_error();", libraryHolds},
	// the surroundings
	{"getpid twice", "int getpid(void);", "if (getpid() != getpid()) reach_error();", libraryUnknown},
	{"getpid", "int getpid(void);", "if (getpid() == 77) reach_error();", libraryFails},
	{"getpid is positive", "int getpid(void);", "if (getpid() <= 0) reach_error();", libraryHolds},
	{"time goes on", "long time(long *);", "long a = time((long *)0), b = time((long *)0); if (b < a) reach_error();", libraryUnknown},
	{"time", "long time(long *);", "if (time((long *)0) == 77) reach_error();", libraryFails},
	{"time through a pointer", "long time(long *);", "long t = 0; time(&t); if (t == 0) reach_error();", libraryUnknown},
	{"getenv", "char *getenv(const char *);", `if (getenv("A")) reach_error();`, libraryFails},
	{"getenv twice", "char *getenv(const char *);", `if (!getenv("A")) return 0; if (!getenv("A")) reach_error();`, libraryUnknown},
	{"what getenv has", "char *getenv(const char *);", `char *p = getenv("A"); if (p && *p == 'x') reach_error();`, libraryUnknown},
	{"open may fail", "int open(const char *, int, ...);", `if (open("a", 0) < 0) reach_error();`, libraryFails},
	{"open may not fail", "int open(const char *, int, ...);", `if (open("a", 0) >= 0) reach_error();`, libraryFails},
	{"open twice", "int open(const char *, int, ...);", `int a = open("a", 0), b = open("b", 0); if (a >= 0 && a == b) reach_error();`, libraryUnknown},
	{"fopen", "typedef struct f FILE; FILE *fopen(const char *, const char *);", `FILE *f = fopen("a", "r"); if (!f) reach_error();`, libraryFails},
	{"fopen twice", "typedef struct f FILE; FILE *fopen(const char *, const char *);", `FILE *f = fopen("a", "r"), *g = fopen("a", "r"); if (f && f == g) reach_error();`, libraryUnknown},
	{"close", "int close(int);", "if (close(3) == 5) reach_error();", libraryHolds},
	{"getchar", "int getchar(void);", "if (getchar() == 300) reach_error();", libraryHolds},
	{"getchar gives", "int getchar(void);", "if (getchar() == 200) reach_error();", libraryFails},
	{"read", "long read(int, void *, unsigned long);", "char c = 1; read(0, &c, 1); if (c != 1) reach_error();", libraryFails},
	{"pause", "int pause(void);", "pause(); reach_error();", libraryUnknown},
	// memory
	{"malloc", "void *malloc(unsigned long);", "char *p = malloc(2); p[1] = 3; if (p[1] != 3) reach_error();", libraryHolds},
	{"realloc", "void *realloc(void *, unsigned long);", "if (realloc((void *)0, 3) == (void *)5) reach_error();", libraryHolds},
	{"realloc may stay", "void *malloc(unsigned long); void *realloc(void *, unsigned long);", "char *p = malloc(8), *q = realloc(p, 4); if ((unsigned long)p == (unsigned long)q) reach_error();", libraryUnknown},
	{"realloc may move", "void *malloc(unsigned long); void *realloc(void *, unsigned long);", "char *p = malloc(8), *q = realloc(p, 4); if ((unsigned long)p != (unsigned long)q) reach_error();", libraryUnknown},
	{"realloc copies", "void *malloc(unsigned long); void *realloc(void *, unsigned long);", "int *p = malloc(8); p[0] = 3; p[1] = 4; p = realloc(p, 12); if (p[0] == 3 && p[1] == 4) reach_error();", libraryFails},
	{"reallocarray", "void *reallocarray(void *, unsigned long, unsigned long);", "if (reallocarray((void *)0, 3, 1) == (void *)5) reach_error();", libraryUnknown},
	{"two strdup", "char *strdup(const char *);", `if (strdup("a") == strdup("a")) reach_error();`, libraryUnknown},
	{"an own strdup with a body", "char *strdup(const char *s) { return 0; }", `if (!strdup("a")) reach_error();`, libraryFails},
	{"an own strdup of another type", "int strdup(int);", "if (strdup(1) == 7) reach_error();", libraryFails},
	// names of headers and compilers
	{"__memcpy_chk", "void *__memcpy_chk(void *, const void *, unsigned long, unsigned long);", `char s[2]; __memcpy_chk(s, "a", 2, 2); if (s[0] != 'a') reach_error();`, libraryHolds},
	{"__memset_chk", "void *__memset_chk(void *, int, unsigned long, unsigned long);", `char s[2]; __memset_chk(s, 3, 2, 2); if (s[1] != 3) reach_error();`, libraryHolds},
	{"__strcpy_chk", "char *__strcpy_chk(char *, const char *, unsigned long);", `char s[2]; __strcpy_chk(s, "a", 2); if (s[0] != 'a') reach_error();`, libraryHolds},
	{"__builtin___memcpy_chk", "", `char s[2]; __builtin___memcpy_chk(s, "a", 2, 2); if (s[0] != 'a') reach_error();`, libraryHolds},
	{"__sprintf_chk", "int __sprintf_chk(char *, int, unsigned long, const char *, ...);", `char s[4]; s[0] = 0; __sprintf_chk(s, 1, 4, "ab"); if (s[0]) reach_error();`, libraryFails},
	{"__printf_chk", "int __printf_chk(int, const char *, ...); int any(void);", `__printf_chk(1, "%d", 3); if (any()) reach_error();`, libraryFails},
	{"__builtin_strlen", "", `if (__builtin_strlen("abc") != 3) reach_error();`, libraryHolds},
	{"__builtin_expect", "int any(void);", "if (__builtin_expect(any() == 3, 0)) reach_error();", libraryFails},
	{"__builtin_object_size", "", "char s[3]; if (__builtin_object_size(s, 0) == 3) reach_error();", libraryUnknown},
	{"__builtin_constant_p", "int __builtin_constant_p();", "if (!__builtin_constant_p(3)) reach_error();", libraryUnknown},
	{"__sync_fetch_and_add", "", "int x = 1; __sync_fetch_and_add(&x, 1); if (x == 2) reach_error();", libraryUnknown},
	{"__atomic_load_n", "", "int x = 1; if (__atomic_load_n(&x, 5) == 7) reach_error();", libraryUnknown},
	{"errno set by a routine", "#include <errno.h>\n#include <stdio.h>", "errno = 0; getchar(); if (errno) reach_error();", libraryFails},
	{"__errno_location", "int *__errno_location(void);", "*__errno_location() = 3; if (*__errno_location() != 3) reach_error();", libraryHolds},
	{"__ctype_b_loc", "const unsigned short **__ctype_b_loc(void);", "if (!((*__ctype_b_loc())['1'] & 2048)) reach_error();", libraryUnknown},
	// pointers to routines
	{"strcasecmp by a pointer", "int strcasecmp(const char *, const char *);", `int (*f)(const char *, const char *) = strcasecmp; if (f("A", "a")) reach_error();`, libraryHolds},
	{"a table", "int ffs(int), abs(int); int any(void); int (*table[2])(int) = {ffs, abs};", "if (table[any() & 1](4) > 4) reach_error();", libraryHolds},
	{"isnan by a pointer", "int isnan(double);", "int (*f)(double) = isnan; if (f(1.0)) reach_error();", libraryHolds},
	{"getchar by a pointer", "int getchar(void);", "int (*f)(void) = getchar; if (f() == 300) reach_error();", libraryHolds},
	{"exit by a pointer", "void exit(int);", "void (*f)(int) = exit; f(1); reach_error();", libraryHolds},
	{"abort by a pointer", "void abort(void);", "void (*f)(void) = abort; f(); reach_error();", libraryHolds},
	{"a failure by a pointer", "", "void (*f)(void) = reach_error; f();", libraryFails},
	{"memcpy by a pointer", "void *memcpy(void *, const void *, unsigned long);", `char s[2]; void *(*f)(void *, const void *, unsigned long) = memcpy; f(s, "a", 2); if (s[0] != 'a') reach_error();`, libraryHolds},
	{"malloc by a pointer", "void *malloc(unsigned long);", "void *(*f)(unsigned long) = malloc; char *p = f(2); p[1] = 3; if (p[1] != 3) reach_error();", libraryHolds},
	{"sprintf by a pointer", "int sprintf(char *, const char *, ...);", `char s[4] = ""; int (*f)(char *, const char *, ...) = sprintf; f(s, "ab"); if (s[0]) reach_error();`, libraryUnknown},
	{"scanf by a pointer", "int scanf(const char *, ...);", `int x = 1; int (*f)(const char *, ...) = scanf; f("%d", &x); if (x != 1) reach_error();`, libraryUnknown},
	{"assume by a pointer", "void __VERIFIER_assume(int); int any(void);", "int x = any(); void (*f)(int) = __VERIFIER_assume; f(x > 3); if (x < 2) reach_error();", libraryHolds},
	{"a routine is given", "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); int c(const void *a, const void *b) { reach_error(); return 0; }", "char s[2] = {0}; qsort(s, 2, 1, c);", libraryFails},
	// the program's own
	{"an own index", "int index(int);", "if (index(3) == 7) reach_error();", libraryFails},
	{"an own wait", "struct queue { int n; }; int wait(struct queue *);", "struct queue q = {1}; if (wait(&q) == 7 && q.n == 1) reach_error();", libraryFails},
	{"an own close", "void close(void); int any(void);", "close(); if (any()) reach_error();", libraryFails},
	{"an own read", "int read(void);", "if (read() == 7) reach_error();", libraryFails},
	{"an own ffs with a body", "int ffs(int x) { return 9; }", "if (ffs(4) == 9) reach_error();", libraryFails},
	{"an own random", "int random(void);", "if (random() == -7) reach_error();", libraryFails},
	{"an own signal", "struct lock; void signal(struct lock *); int any(void);", "signal(0); if (any()) reach_error();", libraryFails},
	{"an own malloc", "static char heap[8]; void *malloc(unsigned long n) { return heap; }", "if (malloc(3) != malloc(3)) reach_error();", libraryHolds},
	{"strdup with an own malloc", "static char heap[8]; void *malloc(unsigned long n) { return heap; } char *strdup(const char *);", `if (strdup("a") != heap) reach_error();`, libraryHolds},
	{"an own exit", "void exit(int x) { } ", "exit(1); reach_error();", libraryFails},
	{"a static one", "static int isnan(double d) { return 1; }", "if (!isnan(1.0)) reach_error();", libraryHolds},
	{"another name", "int input(void);", "if (input() == 3) reach_error();", libraryFails},
	{"a strlen of another width", "int strlen(const char *);", `if (strlen("abc") != 3) reach_error();`, libraryHolds},
}

// TestLibraryTruth: what a routine of the C library returns is what it is, or not known; a routine
// of the program's own returns any value.
func TestLibraryTruth(t *testing.T) {
	pool := Common
	for i, c := range libraryCases {
		if soak.Thin(i) {
			continue
		}
		text := fmt.Sprintf("void reach_error(void);\n%s\nint main(void) { %s return 0; }\n", c.before, c.body)
		got, reason := reachText(t, pool, text)
		if got != c.want {
			t.Errorf("%s: %s (%s), not %s\n%s", c.name, got, reason, c.want, text)
		}
		if c.want == libraryUnknown && strings.Contains(reason, "__builtin_") && !strings.Contains(text, "__builtin_") {
			t.Errorf("%s: %s", c.name, reason)
		}
	}
}

// TestLibraryTruthGCC: no program of the table that holds fails when gcc's program runs, and one
// that fails without a choice does. Sanitizers find nothing.
func TestLibraryTruthGCC(t *testing.T) {
	asked, linked := 0, 0
	for k, c := range libraryCases {
		if !soak.On() && k%5 != 0 || testing.Short() && k%25 != 0 || c.want == libraryUnknown {
			continue
		}
		if strings.Contains(c.name, "an own") {
			continue // C leaves open what a program's own routine of such a name is
		}
		choice := false
		for _, name := range []string{"any(", "getpid", "getenv", "open(", "close(3", "getchar", "scanf", "time(", "fgets(", "read("} {
			choice = choice || strings.Contains(c.body, name)
		}
		text := fmt.Sprintf("void _Exit(int); const char *__asan_default_options(void) { return \"detect_leaks=0\"; }\nvoid reach_error(void) { _Exit(9); }\n%s\nint main(void) { %s return 0; }\n", c.before, c.body)
		exe, err := gcc.Build(t.TempDir(), text, 64, "-O0", "-fwrapv", "-fno-builtin", "-fsanitize=address,undefined")
		asked++
		if err != nil {
			continue // it declares what no library has
		}
		linked++
		status, _, message, err := gcc.Run(context.Background(), exe)
		switch {
		case err != nil:
			t.Fatal(err)
		case strings.Contains(message, "runtime error") || strings.Contains(message, "AddressSanitizer"):
			t.Errorf("%s: %s\n%s", c.name, message, text)
		case c.want == libraryHolds && status == 9, c.want == libraryFails && !choice && status != 9:
			t.Errorf("%s: the status is %d, and the verdict %s\n%s", c.name, status, c.want, text)
		}
	}
	t.Logf("%d asked, %d of them are programs for gcc", asked, linked)
	if linked == 0 {
		t.Skip("SKIPPED: ", gcc.ErrMissing)
	}
}

// reachText is the verdict about a program, and why it is unknown.
func reachText(t *testing.T, pool *smt.Pool, text string) (report.Verdict, string) {
	t.Helper()
	return reachTextWith(t, pool, text, cfront.Options{})
}

// reachTextWith is reachText of a text that is read with options.
func reachTextWith(t *testing.T, pool *smt.Pool, text string, opts cfront.Options) (report.Verdict, string) {
	t.Helper()
	p, err := cfront.Parse([]*source.File{source.NewFile("t.c", text)}, opts)
	if err != nil {
		t.Errorf("%v\n%s", err, text)
		return report.Unknown, err.Error()
	}
	if err := p.Verify(); err != nil {
		t.Error(err)
	}
	e, err := encode.Encode(p, "")
	if err != nil {
		return report.Unknown, err.Error()
	}
	r, _, err := ReachC(context.Background(), e, pool, check.Options{}, safety.Options{Engine: armc.Options{MaxQueries: 300}, Integers: safety.MachineIntegers})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	PlainAgain(t, p, r)
	return r.Results[0].Verdict, r.Results[0].Reason
}

// listed is a line of the list of routines.
type listed struct {
	meaning, result string
	least           string // of what it returns, where that is in a range
	params          []string
	names           []string
}

// listedRoutines reads the list as it is written.
func listedRoutines(t *testing.T) (all []listed) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "c", "ir", "routines.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		part := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(part) != 3 || strings.HasPrefix(line, "#") {
			continue
		}
		result, params, _ := strings.Cut(strings.TrimSuffix(part[1], ")"), "(")
		about := append(strings.Fields(part[0]), "")
		least := about[1]
		if _, err := strconv.Atoi(least); err != nil {
			least = ""
		}
		all = append(all, listed{about[0], strings.TrimSpace(result), least, strings.Split(params, ", "), strings.Fields(part[2])})
	}
	return all
}

// choice reports routines of which some results are a choice of the run.
func (l listed) choice() bool {
	return l.meaning == "input" || l.meaning == "once" || l.meaning == "sign"
}

// callOf declares a routine of the list, and is a program that fails if it returns one of two values,
// or, if it returns nothing, if it returns; "" if its type has no place in a program.
func (l listed) callOf(name string, declared bool) string {
	structs, args := map[string]bool{}, []string{}
	spell := func(t string) string {
		for w := range strings.SplitSeq(t, "struct ") {
			if tag, _, _ := strings.Cut(w, " "); strings.HasPrefix(t[strings.Index(t, w)-min(7, strings.Index(t, w)):], "struct ") {
				structs[strings.TrimRight(tag, "*")] = true
			}
		}
		if strings.HasPrefix(t, "fn ") {
			return "void (*)(void)"
		}
		return strings.ReplaceAll(t, "va_list", "void *")
	}
	var params []string
	for k, p := range l.params {
		if p == "complex" {
			return ""
		}
		params = append(params, spell(p))
		switch {
		case p == "..." && len(l.params) == 1:
			args = append(args, "1")
		case p == "void" || p == "" || p == "...":
		case strings.HasPrefix(p, "fn "):
			args = append(args, "callback")
		case strings.HasPrefix(p, "struct ") && !strings.Contains(p, "*"):
			args = append(args, fmt.Sprintf("*(%s *)bytes", p))
		case strings.HasPrefix(name, "feof") || strings.HasPrefix(name, "ferror"):
			args = append(args, "stdin")
		case strings.HasPrefix(p, "struct FILE") && !strings.HasPrefix(name, "fflush") || strings.HasPrefix(name, "fputs") || strings.HasPrefix(name, "puts"):
			args = append(args, "(void *)bytes")
		case strings.Contains(p, "*") && l.choice(): // what is written through one is not followed
			args = append(args, "(void *)0")
		case strings.Contains(p, "*") || p == "va_list":
			args = append(args, fmt.Sprintf("(void *)(bytes + %d)", 16*k))
		default:
			args = append(args, "1")
		}
	}
	result := spell(l.result)
	call := fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
	switch {
	case l.result == "complex" || l.result == "fn *" || strings.Contains(l.result, "fn"):
		return ""
	case l.result == "void":
		call += "; reach_error();"
	case strings.HasSuffix(l.result, "*"):
		call = fmt.Sprintf("%s r = %s; if (r == (void *)0) reach_error(); if (*(char *)r == 3) reach_error();", result, call)
		if l.choice() {
			call = fmt.Sprintf("if (%s == (void *)0) reach_error();", name+"("+strings.Join(args, ", ")+")")
		}
	case strings.HasPrefix(l.result, "struct"):
		call = fmt.Sprintf("%s r = %s; if (r.x == 3) reach_error();", result, call)
	case l.choice():
		call = fmt.Sprintf("%s r = %s; if (r == -1 || r == 1 && %d) reach_error();", result, call, map[bool]int{true: 1}[l.meaning != "sign"])
	case l.least != "":
		call = fmt.Sprintf("%s r = %s; if (r == %s) reach_error();", result, call, l.least)
	default:
		call = fmt.Sprintf("%s r = %s; if (r > 77) reach_error(); if (r == 3) reach_error();", result, call)
	}
	var b strings.Builder
	b.WriteString("void reach_error(void);\nint called; void callback(void) { called = 1; }\n")
	for tag := range structs {
		if tag != "" {
			fmt.Fprintf(&b, "struct %s { int x; };\n", tag)
		}
	}
	if !strings.HasPrefix(name, "__builtin_") || declared {
		fmt.Fprintf(&b, "%s %s(%s);\n", result, name, strings.Join(params, ", "))
	}
	if strings.HasPrefix(name, "feof") || strings.HasPrefix(name, "ferror") { // they are 0 before something is read
		b.WriteString("int getchar(void); extern struct FILE *stdin;\n")
		call = "getchar(); " + call
	}
	fmt.Fprintf(&b, "long bytes[512];\nint main(void) { %s return 0; }\n", call)
	return b.String()
}

// TestLibraryList: no failure rests on what a routine of the list returns, writes or calls that is
// not computed and no choice.
func TestLibraryList(t *testing.T) {
	pool := Common
	asked, left, fails := 0, 0, 0
	k := 0
	for _, l := range listedRoutines(t) {
		for _, name := range l.names {
			if slices.Contains([]string{"own", "body", "math", "sort", "format"}, l.meaning) || strings.HasPrefix(name, "__seltl_") || l.meaning == "unknown" && l.result == "void" {
				continue // TestLibraryTruth, TestLibraryGCC
			}
			if k++; !soak.On() && k%4 != 0 && name != "feof" || testing.Short() && k%80 != 0 { // half a minute for all
				continue
			}
			text := l.callOf(name, false)
			if text == "" {
				left++
				continue
			}
			if _, err := cfront.Parse([]*source.File{source.NewFile("t.c", text)}, cfront.Options{}); err != nil && strings.Contains(err.Error(), "it is a compiler's") {
				text = l.callOf(name, true) // the parser does not have it
			}
			asked++
			got, reason := reachText(t, pool, text)
			switch by := name + "()"; {
			case l.choice():
				if fails++; got != report.Violated {
					t.Errorf("%s, %s: %s (%s)\n%s", name, l.meaning, got, reason, text)
				}
			case got != report.Unknown:
				t.Errorf("%s, %s: %s\n%s", name, l.meaning, got, text)
			case !strings.Contains(reason, by) && !strings.Contains(reason, "floating point") && !strings.Contains(reason, "it is a compiler's"):
				t.Errorf("%s, %s: %s", name, l.meaning, reason)
			}
		}
	}
	t.Logf("%d asked, %d fail by a choice, %d left out", asked, fails, left)
	if left > 160 || asked < min(soak.Least(400), 1500) {
		t.Errorf("%d asked, %d left out", asked, left)
	}
}
