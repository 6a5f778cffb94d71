/* Interrupts are off while shared data is used, also where who calls has switched them off
   already: flags are saved and restored. */

int enabled = 1;

int irq_save(void);      /* switches them off; whether they were on */
void irq_restore(int flags);
void irq_off(void);
void irq_on(void);
void touch(void);

static void inner(void) {
    int flags = irq_save();
    touch();
    irq_restore(flags);
}

int handler(void) {
    int flags = irq_save();
    inner();
    touch();
    irq_restore(flags);
    return 0;
}

static void blunt_inner(void) {
    irq_off();
    touch();
    irq_on();
}

int blunt_handler(void) {
    int flags = irq_save();
    blunt_inner();
    touch();
    irq_restore(flags);
    return 0;
}
