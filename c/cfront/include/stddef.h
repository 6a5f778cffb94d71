#ifndef _SELTL_STDDEF
#define _SELTL_STDDEF
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
#ifdef __i386__
typedef struct { long long _ll __attribute__((__aligned__(8))); long double _ld; char _f[16] __attribute__((__aligned__(16))); } max_align_t;
#else
typedef struct { long long _ll __attribute__((__aligned__(8))); long double _ld __attribute__((__aligned__(16))); } max_align_t;
#endif
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
