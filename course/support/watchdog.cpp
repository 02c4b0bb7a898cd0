#include "support/watchdog.hpp"

#include "support/hang.hpp"
#include "support/test.hpp"

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace course {

namespace {

using namespace std::chrono_literals;

constexpr auto glance = 100ms;
constexpr int glances_idle_max = 20;
constexpr double busy_seconds_max = is_sanitized ? 30 : 8;

double processor_seconds() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

// Whether every thread but this one sleeps. The state stands behind the name, which is in parentheses.
bool do_others_sleep() {
    const std::string self = std::to_string(::gettid());
    std::error_code failed;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", failed)) {
        if (thread.path().filename() == self)
            continue;
        std::ifstream file(thread.path() / "stat");
        std::stringstream text;
        text << file.rdbuf();
        const std::string line = text.str();
        const auto name_end = line.rfind(") ");
        if (name_end != std::string::npos && line[name_end + 2] != 'S')
            return false;
    }
    return true;
}

}  // namespace

watchdog::watchdog() : thread_([this] { run(); }) {}

watchdog::~watchdog() {
    is_over_.store(true);
    thread_.join();
}

void watchdog::run() {
    double begun_at = 0;
    double seen_at = 0;
    int idle = 0;
    while (!is_over_.load()) {
        std::this_thread::sleep_for(idle == 0 ? 20ms : glance);
        const double present = processor_seconds();
        if (was_reset_.exchange(false)) {
            begun_at = seen_at = present;
            idle = 0;
        }
        // A thread that wakes up often sleeps whenever one looks, but it takes time.
        idle = do_others_sleep() && present - seen_at < 0.005 ? idle + 1 : 0;
        seen_at = present;
        if (idle > glances_idle_max)
            report_hang("every thread has been asleep for two seconds");
        if (present - begun_at > busy_seconds_max)
            report_hang("the test has computed for " + std::to_string(static_cast<int>(busy_seconds_max)) +
                        " s of processor time and does not end");
    }
}

}  // namespace course
