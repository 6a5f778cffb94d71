/* A daemon that counts jobs until SIGTERM comes, and then flushes what it has: the handler sets a flag.
   Without FIXED the loop looks at the flag between taking a job and finishing it, so that a job that was
   taken is lost.
     FAILS  seltl reach specs/c/real/daemon.c
     HOLDS  seltl reach specs/c/real/daemon.c -D FIXED */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void on_term(int signo)
{
	(void)signo;
	stop = 1;
}

static int install(int signo)
{
	struct sigaction sa;
	memset(&sa, 0, sizeof sa);
	sa.sa_handler = on_term;
	sigemptyset(&sa.sa_mask);
	return sigaction(signo, &sa, NULL);
}

struct queue {
	unsigned taken, done;
	size_t length;
	char job[64];
};

/* take waits for a job: its length, 0 if none came, -1 with errno. */
static ssize_t take(struct queue *q)
{
	ssize_t n = read(STDIN_FILENO, q->job, sizeof q->job);
	if (n > 0) {
		q->length = (size_t)n;
		q->taken++;
	}
	return n;
}

static int finish(struct queue *q)
{
	q->length = 0;
	q->done++;
	return 0;
}

int main(void)
{
	struct queue q = {0};
	if (install(SIGTERM) < 0 || install(SIGINT) < 0) {
		perror("sigaction");
		return EXIT_FAILURE;
	}
	while (!stop) {
		ssize_t n = take(&q);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
#ifndef FIXED
		if (stop)
			break;
#endif
		finish(&q);
		assert(q.length == 0);
	}
	assert(q.taken == q.done);
	printf("%u jobs\n", q.done);
	return EXIT_SUCCESS;
}
