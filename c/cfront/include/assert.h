#undef assert
void __assert_fail(const char *, const char *, unsigned int, const char *);
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, ""))
#endif
#ifndef _SELTL_ASSERT
#define _SELTL_ASSERT
#define static_assert _Static_assert
#endif
