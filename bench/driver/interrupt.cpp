#include "driver/interrupt.hpp"

#include "driver/errors.hpp"

#include <signal.h>

namespace bench {
namespace {

volatile sig_atomic_t interrupt_seen = 0;

}  // namespace

void catch_interrupts() {
    struct sigaction action{};
    action.sa_handler = [](int) { interrupt_seen = 1; };
    for (int signal : {SIGINT, SIGTERM, SIGHUP})
        sigaction(signal, &action, nullptr);
}

void check_interrupt() {
    if (interrupt_seen)
        throw interrupted();
}

}  // namespace bench
