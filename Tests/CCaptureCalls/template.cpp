#include "CCaptureCalls.h"

namespace capture {

template <typename Number> class Caller {
public:
    __attribute__((noinline)) Number call(void (*body)(void *), void *argument, Number result) {
        body(argument);
        calls += 1;
        return result;
    }

private:
    volatile Number calls = 0;
};

} // namespace capture

void test_call_from_template(void (*body)(void *), void *argument) {
    capture::Caller<long> caller;
    caller.call(body, argument, 1);
}
