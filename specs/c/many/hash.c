/* A table of eight places by keys, which multiplication scatters: what was put last for a key is found.
 * With BAD: the search begins elsewhere where the key is even. */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#define PLACES 8

extern uint32_t any_key(void);

struct entry { uint32_t key; int value; unsigned char used; };
struct table { struct entry entry[PLACES]; unsigned count; };

static unsigned place(uint32_t key) {
    key ^= key >> 16;
    key *= 0x45d9f3bu;
    key ^= key >> 16;
    return key % PLACES;
}

static int put(struct table *t, uint32_t key, int value) {
    unsigned i = place(key);
    for (unsigned n = 0; n < PLACES; n++, i = (i + 1) % PLACES) {
        struct entry *e = &t->entry[i];
        if (!e->used) {
            e->used = 1;
            e->key = key;
            e->value = value;
            t->count++;
            return 1;
        }
        if (e->key == key) {
            e->value = value;
            return 1;
        }
    }
    return 0;
}

static int get(const struct table *t, uint32_t key, int *value) {
    unsigned i = place(key);
#ifdef BAD
    if (key % 2 == 0) i = place(key + 1);
#endif
    for (unsigned n = 0; n < PLACES; n++, i = (i + 1) % PLACES) {
        const struct entry *e = &t->entry[i];
        if (!e->used) return 0;
        if (e->key == key) {
            *value = e->value;
            return 1;
        }
    }
    return 0;
}

int main(void) {
    struct table t;
    memset(&t, 0, sizeof t);
    uint32_t a = any_key(), b = any_key();
    put(&t, a, 1);
    put(&t, b, 2);
    int value = 0;
    assert(get(&t, a, &value));
    assert(value == (a == b ? 2 : 1));
    assert(t.count <= 2);
    return 0;
}
