/* A program that uses a device: open it, tell it a speed, close it. configure looks whether
   opening and telling succeeds; configure_rashly does not. */

int open(const char *path, int flags);
int ioctl(int fd, unsigned long request, int speed);
int close(int fd);

enum { SET_SPEED = 0x5401 };

int configure(int speed) {
    int fd, result;
    if (speed <= 0)
        return -1;
    fd = open("/dev/line", 2);
    if (fd < 0)
        return -1;
    result = ioctl(fd, SET_SPEED, speed);
    close(fd);
    if (result < 0)
        return -1;
    return 0;
}

int configure_rashly(int speed) {
    int fd = open("/dev/line", 2);
    int result = ioctl(fd, SET_SPEED, speed);
    if (result < 0)
        return -1; /* and the device stays open */
    close(fd);
    return 0;
}
