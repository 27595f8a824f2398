// A kernel whose clocks are said to count in milliseconds, as in some containers and on some boards: loaded before a
// process (LD_PRELOAD), the library answers for clock_getres.
#pragma once
