// A run in twenty stretches, and samples in order.
#include "workload.h"

#include <stdarg.h>
#include <stdio.h>

static int compare(const void *one, const void *other) {
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

void sort_samples(int64_t *samples, long n) { qsort(samples, (size_t)n, sizeof *samples, compare); }

double percentile_us(const int64_t *sorted, long n, int percent) {
    long index = n * percent / 100;
    return n ? (double)sorted[index < n ? index : n - 1] / 1e3 : 0;
}

enum { chunks = 20 };
long chunk_left;
static long chunk_length, chunk_count;
static uint64_t chunk_began;
static int64_t chunk_times[chunks];

void chunk_start(long total) {
    chunk_length = chunk_left = total / chunks > 0 ? total / chunks : 1;
    chunk_count = 0;
    chunk_began = now_ns();
}

void chunk_end(void) {
    uint64_t now = now_ns();
    if (chunk_count < chunks) chunk_times[chunk_count++] = (int64_t)(now - chunk_began);
    chunk_began = now;
    chunk_left = chunk_length;
}

void emit_chunked(double ns, double operations, const char *format, ...) {
    char more[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(more, sizeof more, format, arguments);
    va_end(arguments);
    sort_samples(chunk_times, chunk_count);
    // Without a whole stretch, all of it was one.
    double best = ns / operations, middle = best;
    if (chunk_count > 0) {
        best = (double)chunk_times[0] / (double)chunk_length;
        middle = (double)chunk_times[chunk_count / 2] / (double)chunk_length;
    }
    emit(ns, operations, "mid=%.1f best=%.1f%s%s", middle, best, *more ? " " : "", more);
}
