/* A tenth of a second is no number of binary32, and a clock that adds tenths is wrong after some seconds: one that
   counts them is not.
   seltl reach specs/c/floats/clock.c            fails
   seltl reach specs/c/floats/clock.c -D FIXED   holds */
#include <assert.h>
#include <math.h>

int main(void)
{
	float time = 0;
	for (int ticks = 1; ticks <= 100; ticks++) {
#ifdef FIXED
		time = ticks / 10.0f;
#else
		time += 0.1f;
#endif
	}
	assert(fabsf(time - 10) < 1e-6f);
	return 0;
}
