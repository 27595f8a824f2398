#include "words.h"

#include <stdlib.h>

mainspring_loop *mainspring_words_make(uint32_t generation) {
    mainspring_loop *loop = aligned_alloc(_Alignof(mainspring_loop), sizeof *loop);
    if (loop) *loop = (mainspring_loop){.descriptor = -1, .generation = generation};
    return loop;
}

void mainspring_words_free(mainspring_loop *loop) {
    free(loop);
}

uint32_t *mainspring_words_sleep(mainspring_loop *loop) {
    return &loop->sleep;
}

uint32_t *mainspring_words_door(mainspring_loop *loop) {
    return &loop->door;
}

int32_t *mainspring_words_descriptor(mainspring_loop *loop) {
    return &loop->descriptor;
}

uint32_t *mainspring_words_ringer(mainspring_loop *loop) {
    return &loop->ringer;
}

uint64_t *mainspring_words_stops(mainspring_loop *loop) {
    return &loop->stops;
}

uint32_t *mainspring_words_wake_requested(mainspring_loop *loop) {
    return &loop->wake_requested;
}
