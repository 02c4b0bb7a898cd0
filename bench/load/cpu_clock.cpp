#include "load/cpu_clock.hpp"

#include "load/clock.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace bench {
namespace {

[[noreturn]] void report_gone(pid_t process) {
    throw std::runtime_error("process " + std::to_string(process) + " is gone: cannot read its CPU time");
}

std::uint64_t read_scheduler_time_ns(pid_t process) {
    clockid_t clock;
    if (clock_getcpuclockid(process, &clock) != 0)
        report_gone(process);
    return read_clock_ns(clock);
}

// Fields 14 and 15 of /proc/PID/stat. The name in field 2 may hold spaces, so reading starts behind its ')'.
void add_split(pid_t process, cpu_time& sum) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    if (!std::getline(file, line))
        report_gone(process);
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string skipped;
    for (int field = 3; field < 14; ++field)
        fields >> skipped;
    std::uint64_t user_ticks = 0, system_ticks = 0;
    fields >> user_ticks >> system_ticks;
    const auto tick_ns = 1'000'000'000u / static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
    sum.user_ns += user_ticks * tick_ns;
    sum.system_ns += system_ticks * tick_ns;
}

}  // namespace

cpu_time read_cpu_time(const std::vector<pid_t>& processes) {
    cpu_time sum;
    for (pid_t process : processes) {
        sum.total_ns += read_scheduler_time_ns(process);
        add_split(process, sum);
    }
    return sum;
}

}  // namespace bench
