#ifndef _SELTL_STDIO
#define _SELTL_STDIO
#include <stddef.h>
typedef struct _seltl_file FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int puts(const char *);
int putchar(int);
int getchar(void);
int fputs(const char *, FILE *);
int fflush(FILE *);
#endif
