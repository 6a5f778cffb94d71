/* A server of one connection at a time. serve answers so many clients; serve_early forgets
   that a socket listens before it accepts. */

int socket(int domain, int type, int protocol);
int bind(int fd, int port);
int listen(int fd, int backlog);
int accept(int fd);
int answer(int fd); /* reads and writes; what it returns tells nothing about the protocol */
int close(int fd);

int serve(int port, int clients) {
    int fd, client, served = 0;
    fd = socket(2, 1, 0);
    if (fd < 0)
        return -1;
    if (bind(fd, port) < 0 || listen(fd, 5) < 0) {
        close(fd);
        return -1;
    }
    while (served < clients) {
        client = accept(fd);
        if (client >= 0) {
            answer(client);
            close(client);
            served++;
        }
    }
    close(fd);
    return served;
}

int serve_early(int port) {
    int fd, client;
    fd = socket(2, 1, 0);
    if (fd < 0)
        return -1;
    if (bind(fd, port) < 0) {
        close(fd);
        return -1;
    }
    client = accept(fd);
    if (client < 0 && listen(fd, 5) == 0)
        client = accept(fd);
    if (client >= 0)
        close(client);
    close(fd);
    return 0;
}
