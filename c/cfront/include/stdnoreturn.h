#ifndef _SELTL_STDNORETURN
#define _SELTL_STDNORETURN
#define noreturn _Noreturn
#endif
