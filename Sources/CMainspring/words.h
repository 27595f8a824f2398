// The layout of a loop's words: on cache lines by who writes them. The sleep word is read at every post, the door is
// used by those who ring, the stops and the wake are read at every pass.
#pragma once

#include "CMainspring.h"

struct mainspring_loop {
    _Alignas(64) uint32_t sleep;
    _Alignas(64) uint32_t door;
    int32_t descriptor;
    uint32_t generation;
    uint32_t ringer;
    _Alignas(64) uint64_t stops;
    uint32_t wake_requested;
};
