#include "internal.h"

#include <sys/syscall.h>

bool ms_is_own_thread(int32_t thread) {
    return thread > 0 && ms_raw_call(SYS_tgkill, ms_own_process, thread, 0, 0, 0, 0) == 0;
}
