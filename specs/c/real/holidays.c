/* Holidays are sorted by date and looked up: qsort and bsearch with one comparison.
   Without FIXED the comparison says 0 where the first day is before the second: it sorts, but the search finds
   what is not there.
     FAILS  seltl reach specs/c/real/holidays.c
     HOLDS  seltl reach specs/c/real/holidays.c --check=bounds,null -D FIXED */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct date {
	uint16_t year;
	uint8_t month, day;
};

static const uint8_t month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int leap(unsigned year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int valid(const struct date *d)
{
	if (d->month < 1 || d->month > 12 || d->day < 1)
		return 0;
	return d->day <= month_days[d->month - 1] + (d->month == 2 && leap(d->year));
}

/* by_date orders dates. */
static int by_date(const void *x, const void *y)
{
	const struct date *a = x, *b = y;
	if (a->year != b->year)
		return a->year < b->year ? -1 : 1;
	if (a->month != b->month)
		return a->month < b->month ? -1 : 1;
#ifdef FIXED
	return (a->day > b->day) - (a->day < b->day);
#else
	return a->day > b->day;
#endif
}

static struct date holidays[] = {{2024, 12, 26}, {2024, 1, 1}, {2024, 12, 25}};

#define COUNT (sizeof holidays / sizeof holidays[0])

static const struct date *find(uint16_t year, uint8_t month, uint8_t day)
{
	struct date key = {year, month, day};
	if (!valid(&key))
		return NULL;
	return bsearch(&key, holidays, COUNT, sizeof holidays[0], by_date);
}

int main(void)
{
	qsort(holidays, COUNT, sizeof holidays[0], by_date);
	for (size_t i = 0; i + 1 < COUNT; i++)
		assert(by_date(&holidays[i], &holidays[i + 1]) <= 0);
	for (size_t i = 0; i < COUNT; i++) {
		const struct date *d = &holidays[i];
		assert(valid(d));
		assert(find(d->year, d->month, d->day) == d);
	}
	assert(find(2024, 12, 24) == NULL);
	assert(find(2023, 2, 29) == NULL);
	puts("sorted");
	return EXIT_SUCCESS;
}
