// Environments of programs that use streams: what stands before and behind the programs of streamsrandom_test.go.
// stdin, stdout and what fopen gives are streams of fopencookie, so that the GNU C library keeps the indicators. What
// reading, writing, seeking, opening and closing come to is asked for when it is needed, so that all environments up
// to a number of such choices are tried, each in a process of its own.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { most = 24 };

// shared is what a run is to do, and what it was asked.
static struct { int chosen[most], of[most], asked, bound, seed; } *shared;

void reach_error(void) { _exit(77); }

// choose chooses one of n, 0 behind the bound. A run that asks for too much ends.
static int choose(int n) {
	int k = shared->asked;
	if (k == most) _exit(1);
	shared->asked++;
	shared->of[k] = n;
	if (k >= shared->bound) return 0;
	if (shared->seed) shared->chosen[k] = rand() % n;
	return shared->chosen[k];
}

static long position(void *cookie) { return *(long *)cookie; }

static ssize_t env_read(void *cookie, char *to, size_t room) {
	static const struct { const char *text; size_t n; } gives[] = {{"", 0}, {"a", 1}, {"\n", 1}, {"5", 1}, {"\377", 1}, {"", 1}, {"5a\n", 3}};
	unsigned k = choose(9);
	if (k >= sizeof gives / sizeof *gives) {
		errno = k == 7 ? EIO : EAGAIN; // fgets keeps what it has behind the latter
		return -1;
	}
	size_t n = gives[k].n < room ? gives[k].n : room;
	memcpy(to, gives[k].text, n);
	*(long *)cookie += n;
	return n;
}

static ssize_t env_write(void *cookie, const char *from, size_t n) {
	if (choose(2)) {
		errno = ENOSPC;
		return 0; // cookie_write_function_t: an error is 0
	}
	*(long *)cookie += n;
	return n;
}

static int env_seek(void *cookie, off64_t *to, int whence) {
	if (choose(2)) {
		errno = ESPIPE;
		return -1;
	}
	*to += whence == SEEK_SET ? 0 : position(cookie);
	if (*to < 0) return -1;
	*(long *)cookie = *to;
	return 0;
}

static int env_close(void *cookie) { return -choose(2); }

static FILE *stream(const char *mode) {
	return fopencookie(calloc(1, sizeof(long)), mode, (cookie_io_functions_t){env_read, env_write, env_seek, env_close});
}

static FILE *env_fopen(const char *path, const char *mode) { return choose(2) ? 0 : stream(mode); }

// env_freopen keeps the stream, with nothing in it, as the C library does with those of files.
static FILE *env_freopen(const char *path, const char *mode, FILE *f) {
	if (choose(2)) return 0;
	__fpurge(f);
	clearerr(f);
	return f;
}

// run runs a program in the environment of shared, and reports whether it fails.
static int run(int (*program)(void)) {
	shared->asked = 0;
	pid_t child = fork();
	if (child == 0) {
		srand(shared->seed);
		setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = 200000}, 0);
		stdin = stream("r");
		stdout = stream("w");
		if (choose(2)) setvbuf(stdout, 0, _IONBF, 0);
		program();
		_exit(0);
	}
	int status;
	waitpid(child, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == 77;
}

// tell prints a line: whether the program fails, how many runs there were, whether these are all; and the choices.
static void tell(int fails, int runs, int all) {
	dprintf(1, "%d %d %d", fails, runs, all);
	for (int i = 0; fails && i < shared->asked; i++) dprintf(1, " %d/%d", i < shared->bound ? shared->chosen[i] : 0, shared->of[i]);
	dprintf(1, "\n");
}

// try tries environments with more and more choices, then random ones with many.
static void try(int (*program)(void), int limit) {
	int runs = 0;
	for (int bound = 0; bound <= most && runs < limit; bound++) {
		int k, longer = 0;
		memset(shared, 0, sizeof *shared);
		shared->bound = bound;
		do {
			if (++runs, run(program)) {
				tell(1, runs, 0);
				return;
			}
			k = shared->asked < bound ? shared->asked : bound;
			longer |= shared->asked > bound;
			while (k > 0 && shared->chosen[k - 1] + 1 == shared->of[k - 1]) shared->chosen[--k] = 0;
			if (k > 0) shared->chosen[k - 1]++;
		} while (k > 0 && runs < limit);
		if (k == 0 && !longer) {
			tell(0, runs, 1);
			return;
		}
	}
	for (int seed = 1; seed <= limit; seed++) {
		memset(shared, 0, sizeof *shared);
		shared->bound = most;
		shared->seed = seed;
		if (++runs, run(program)) {
			tell(1, runs, 0);
			return;
		}
	}
	tell(0, runs, 0);
}

#define fopen env_fopen
#define freopen env_freopen
