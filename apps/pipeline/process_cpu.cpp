#include "pipeline/process_cpu.hpp"

#include <cerrno>
#include <chrono>
#include <ctime>
#include <system_error>

namespace eddy::apps {

duration cpu_time_of(int process) {
    if (process == 0)
        return {};
    clockid_t clock{};
    timespec used{};
    if (const int error = clock_getcpuclockid(process, &clock); error != 0)
        throw std::system_error(error, std::generic_category(), "CPU time of the server");
    if (clock_gettime(clock, &used) != 0)
        throw std::system_error(errno, std::generic_category(), "CPU time of the server");
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace eddy::apps
