#include "driver/machine.hpp"

#include <boost/version.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <sys/utsname.h>
#include <unistd.h>

namespace bench {
namespace {

std::string first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::string first_line_of_command(const char* command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command, "r"), pclose);
    char line[256] = "";
    if (!pipe || !fgets(line, sizeof line, pipe.get()))
        return "not found";
    std::string text(line);
    return text.substr(0, text.find('\n'));
}

std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            return line.substr(line.find(':') + 2);
    return "unknown";
}

std::string kernel() {
    utsname names;
    uname(&names);
    return fmt::format("{} {} {}", names.sysname, names.release, names.machine);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> describe_machine() {
    return {
        {"processor", fmt::format("{}, {} cores", processor(), sysconf(_SC_NPROCESSORS_ONLN))},
        {"memory", fmt::format("{} MiB", sysconf(_SC_PHYS_PAGES) / 256 * (sysconf(_SC_PAGESIZE) / 4096))},
        {"kernel", kernel()},
        {"compiler", __VERSION__},
        {"liburing", EDDY_BENCH_LIBURING_VERSION},
        {"Boost",
         fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
        {"nginx", first_line_of_command("PATH=$PATH:/usr/sbin nginx -v 2>&1")},
        {"load average at start", first_line("/proc/loadavg")},
    };
}

}  // namespace bench
