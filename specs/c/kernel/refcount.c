/* A reference that is given back where a step fails. */

void get_device(void);
void put_device(void);
int set_up(void); /* 0, or -1 */
int map_memory(void);

int open_device(void) {
    int refs = 0;
    get_device();
    refs++;
    if (set_up() != 0)
        goto fail;
    if (map_memory() != 0)
        goto fail;
ready:
    return 0;
fail:
    put_device();
    refs--;
failed:
    return -1;
}

int careless_open_device(void) {
    int refs = 0;
    get_device();
    refs++;
    if (set_up() != 0) {
        put_device();
        refs--;
        goto failed;
    }
    if (map_memory() != 0)
        goto failed;
ready:
    return 0;
failed:
    return -1;
}
