/* Who gets no answer waits twice as long the next time: without a bound, for ever at last, since the time becomes
   infinite.
   seltl reach specs/c/floats/backoff.c            fails
   seltl reach specs/c/floats/backoff.c -D FIXED   holds */
#include <assert.h>
#include <math.h>

extern int answered(void);

int main(void)
{
	float wait = 0.5f;
	while (1) {
		if (answered())
			wait = 0.5f;
		else
			wait *= 2;
#ifdef FIXED
		wait = fminf(wait, 60);
#endif
		assert(isfinite(wait) && wait > 0);
	}
}
