/* A driver that takes three things, and gives them back in the other order where one of them
   cannot be had. */

int request_region(void); /* 0, or -1 */
void release_region(void);
int request_irq(void);
void free_irq(void);
int register_device(void);

int probe(void) {
    if (request_region() != 0)
        goto failed;
    if (request_irq() != 0)
        goto no_irq;
    if (register_device() != 0)
        goto no_device;
ready:
    return 0;
no_device:
    free_irq();
no_irq:
    release_region();
failed:
    return -1;
}

/* Jumps too far where the device cannot be registered. */
int hasty_probe(void) {
    if (request_region() != 0)
        goto failed;
    if (request_irq() != 0)
        goto no_irq;
    if (register_device() != 0)
        goto no_irq;
ready:
    return 0;
no_irq:
    release_region();
failed:
    return -1;
}
