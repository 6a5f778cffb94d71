#ifndef _SELTL_MATH
#define _SELTL_MATH
/* Floating point is not computed: results are any values. */
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
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
