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
long double __builtin_huge_val(void);
float __builtin_huge_valf(void);
long double __builtin_huge_vall(void);
float __builtin_inff(void);
float __builtin_nanf(const char *);
int __builtin_isunordered(double, double);
#define HUGE_VAL ((double)__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VALL (__builtin_huge_vall())
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
double acos(double);
float acosf(float);
double asin(double);
float asinf(float);
double atan(double);
float atanf(float);
double ceil(double);
float ceilf(float);
double cos(double);
float cosf(float);
double cosh(double);
float coshf(float);
double exp(double);
float expf(float);
double fabs(double);
float fabsf(float);
double floor(double);
float floorf(float);
double log(double);
float logf(float);
double log10(double);
float log10f(float);
double log2(double);
float log2f(float);
double round(double);
float roundf(float);
double sin(double);
float sinf(float);
double sinh(double);
float sinhf(float);
double sqrt(double);
float sqrtf(float);
double tan(double);
float tanf(float);
double tanh(double);
float tanhf(float);
double trunc(double);
float truncf(float);
double cbrt(double);
float cbrtf(float);
double pow(double, double);
float powf(float, float);
double fmod(double, double);
float fmodf(float, float);
double atan2(double, double);
double hypot(double, double);
double fmin(double, double);
double fmax(double, double);
double ldexp(double, int);
long lround(double);
long lrint(double);
#endif
