// nested: a pass within N runs, each begun in a callback of the one around it.
// modes: what common modes cost. N: how many there are besides those that there are anyway.
#include "workload.h"

static const long passes = 10000;

static void measure(void) {
    for (int i = 0; i < 100; i++) ops.pass(LA);
    region_begin();
    chunk_start(passes);
    for (long i = 0; i < passes; i++) {
        ops.pass(LA);
        chunk_tick();
    }
    region_end();
}

static void go_deeper(void *arg) {
    long depth = (long)arg;
    if (depth == N) {
        measure();
        return;
    }
    ops.post(LA, go_deeper, (void *)(depth + 1));
    ops.pass(LA);
}

void nested(void) {
    if (!ops.can_nest) not_possible("its passes do not nest");
    make_loop();
    ops.post(LA, go_deeper, (void *)1);
    ops.pass(LA);
    emit_chunked(region_ns(), (double)passes, "");
}

void modes(void) {
    NEED(common_modes);
    make_loop();
    ops.common_modes(LA, N);
    for (int i = 0; i < 100; i++) ops.common_timer(LA);
    region_begin();
    for (long i = 0; i < passes; i++) ops.common_timer(LA);
    region_end();
    double change = region_ns() / (double)passes;
    measure();
    emit_chunked(region_ns(), (double)passes, "change_ns=%.1f", change);
}
