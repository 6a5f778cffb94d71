#ifndef _SELTL_MATH
#define _SELTL_MATH
/* Floating point is not computed: results are any values. */
#ifdef _LP64
typedef double double_t;
typedef float float_t;
#else
typedef long double double_t, float_t;
#endif
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define FP_INFINITE 1
#define FP_NAN 0
#define FP_NORMAL 4
#define FP_SUBNORMAL 3
#define FP_ZERO 2
double __builtin_huge_val(void);
float __builtin_huge_valf(void);
float __builtin_inff(void);
float __builtin_nanf(const char *);
int __builtin_isunordered(double, double);
#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VALL ((long double)__builtin_huge_val())
#define INFINITY (__builtin_inff())
#define MATH_ERREXCEPT 2
#define MATH_ERRNO 1
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_E 2.7182818284590452354
#define M_LN10 2.30258509299404568402
#define M_LN2 0.69314718055994530942
#define M_LOG10E 0.43429448190325182765
#define M_LOG2E 1.4426950408889634074
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT1_2 0.70710678118654752440
#define M_SQRT2 1.41421356237309504880
#define NAN (__builtin_nanf(""))
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isfinite(x) __builtin_isfinite(x)
#define isgreater(x,y) __builtin_isgreater(x, y)
#define isgreaterequal(x,y) __builtin_isgreaterequal(x, y)
#define isinf(x) isinf(x)
#define isless(x,y) __builtin_isless(x, y)
#define islessequal(x,y) __builtin_islessequal(x, y)
#define islessgreater(x,y) __builtin_islessgreater(x, y)
#define isnan(x) isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define isunordered(x,y) __builtin_isunordered(x, y)
#define math_errhandling (MATH_ERRNO | MATH_ERREXCEPT)
#define signbit(x) __builtin_signbit(x)
#define _SELTL_1(n) double n(double); float n##f(float); long double n##l(long double);
#define _SELTL_2(n) double n(double, double); float n##f(float, float); long double n##l(long double, long double);
#define _SELTL_TO(T, n) T n(double); T n##f(float); T n##l(long double);
#define _SELTL_BY(n, T) double n(double, T); float n##f(float, T); long double n##l(long double, T);
_SELTL_1(acos) _SELTL_1(asin) _SELTL_1(atan) _SELTL_1(cos) _SELTL_1(sin) _SELTL_1(tan)
_SELTL_1(acosh) _SELTL_1(asinh) _SELTL_1(atanh) _SELTL_1(cosh) _SELTL_1(sinh) _SELTL_1(tanh)
_SELTL_1(exp) _SELTL_1(exp2) _SELTL_1(expm1) _SELTL_1(log) _SELTL_1(log10) _SELTL_1(log1p)
_SELTL_1(log2) _SELTL_1(logb) _SELTL_1(cbrt) _SELTL_1(fabs) _SELTL_1(sqrt) _SELTL_1(erf)
_SELTL_1(erfc) _SELTL_1(lgamma) _SELTL_1(tgamma) _SELTL_1(ceil) _SELTL_1(floor) _SELTL_1(nearbyint)
_SELTL_1(rint) _SELTL_1(round) _SELTL_1(trunc)
_SELTL_2(atan2) _SELTL_2(fmod) _SELTL_2(remainder) _SELTL_2(copysign) _SELTL_2(nextafter) _SELTL_2(fdim)
_SELTL_2(fmax) _SELTL_2(fmin) _SELTL_2(hypot) _SELTL_2(pow)
_SELTL_TO(int, ilogb) _SELTL_TO(long, lrint) _SELTL_TO(long, lround) _SELTL_TO(long long, llrint) _SELTL_TO(long long, llround)
_SELTL_BY(ldexp, int) _SELTL_BY(scalbn, int) _SELTL_BY(scalbln, long) _SELTL_BY(frexp, int *) _SELTL_BY(nexttoward, long double)
double modf(double, double *); float modff(float, float *); long double modfl(long double, long double *);
double fma(double, double, double); float fmaf(float, float, float); long double fmal(long double, long double, long double);
double remquo(double, double, int *); float remquof(float, float, int *); long double remquol(long double, long double, int *);
double nan(const char *); float nanf(const char *); long double nanl(const char *);
#undef _SELTL_1
#undef _SELTL_2
#undef _SELTL_TO
#undef _SELTL_BY
#endif
