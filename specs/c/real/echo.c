/* An echo server over TCP: what a client sends is sent back, however the kernel cuts it.
   Without FIXED the number of bytes that are left is not taken down behind a short write, so that the next
   one sends more than was received.
     FAILS  seltl reach specs/c/real/echo.c --check=bounds
     HOLDS  seltl reach specs/c/real/echo.c --check=bounds -D FIXED */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PORT 7777
#define CHUNK 8

/* send_all sends n bytes: 0, or -1 with errno. */
static int send_all(int fd, const char *data, size_t n)
{
	size_t sent = 0;
	while (sent < n) {
#ifdef FIXED
		ssize_t k = write(fd, data + sent, n - sent);
#else
		ssize_t k = write(fd, data + sent, n);
#endif
		if (k < 0) {
			if (errno == EINTR)
				continue;
			return -1;
		}
		sent += (size_t)k;
	}
	assert(sent == n);
	return 0;
}

static int serve(int fd)
{
	char data[CHUNK];
	for (;;) {
		ssize_t n = read(fd, data, sizeof data);
		if (n == 0)
			return 0;
		if (n < 0) {
			if (errno == EINTR)
				continue;
			perror("read");
			return -1;
		}
		if (send_all(fd, data, (size_t)n) < 0) {
			perror("write");
			return -1;
		}
	}
}

static int listen_on(uint16_t port)
{
	struct sockaddr_in addr;
	int yes = 1;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0)
		return -1;
	memset(&addr, 0, sizeof addr);
	addr.sin_family = AF_INET;
	addr.sin_port = htons(port);
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0
	    || bind(fd, (struct sockaddr *)&addr, sizeof addr) < 0 || listen(fd, 16) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

int main(void)
{
	int server = listen_on(PORT);
	if (server < 0) {
		perror("listen");
		return EXIT_FAILURE;
	}
	for (;;) {
		struct sockaddr_in peer;
		socklen_t size = sizeof peer;
		int fd = accept(server, (struct sockaddr *)&peer, &size);
		if (fd < 0) {
			if (errno == EINTR || errno == ECONNABORTED)
				continue;
			perror("accept");
			close(server);
			return EXIT_FAILURE;
		}
		if (serve(fd) < 0)
			fprintf(stderr, "client %u is lost\n", (unsigned)ntohs(peer.sin_port));
		close(fd);
	}
}
