#include <eddy/io/host.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <system_error>

namespace eddy::io {

namespace {

// The directory of this process's control group (version 2): the line "0::PATH".
std::string control_group_directory() {
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);)
        if (line.starts_with("0::"))
            return "/sys/fs/cgroup" + line.substr(3);
    return {};
}

// The smallest quota of the group and those above it, in CPUs rounded up; 0 for none.
std::size_t control_group_cpus() {
    std::size_t cpus = 0;
    for (std::string directory = control_group_directory(); directory.size() >= sizeof("/sys/fs/cgroup") - 1;
         directory.resize(directory.rfind('/'))) {
        std::ifstream file(directory + "/cpu.max");
        double quota = 0;
        double period = 0;
        if (file >> quota >> period && quota > 0 && period > 0) {
            const auto allowed = static_cast<std::size_t>((quota + period - 1) / period);
            cpus = cpus == 0 ? allowed : std::min(cpus, allowed);
        }
    }
    return cpus;
}

}  // namespace

std::size_t available_cpus() noexcept {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    std::size_t cpus = 1;
    if (::sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
        cpus = static_cast<std::size_t>(std::max(CPU_COUNT(&allowed), 1));
    try {
        if (const std::size_t quota = control_group_cpus(); quota != 0)
            cpus = std::min(cpus, quota);
    } catch (...) {  // out of memory: the affinity alone will do
    }
    return std::max<std::size_t>(cpus, 1);
}

void name_this_thread(const char* name) noexcept {
    std::array<char, 16> short_name{};
    std::strncpy(short_name.data(), name, short_name.size() - 1);
    static_cast<void>(::pthread_setname_np(::pthread_self(), short_name.data()));
}

std::vector<unsigned> cpus_of_this_thread() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    std::vector<unsigned> cpus;
    if (::sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
        for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &allowed))
                cpus.push_back(cpu);
    return cpus;
}

void move_this_thread(std::span<const unsigned> cpus) {
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    for (const unsigned cpu : cpus)
        if (cpu < CPU_SETSIZE)
            CPU_SET(cpu, &wanted);
    if (::sched_setaffinity(0, sizeof(wanted), &wanted) != 0)
        throw std::system_error(errno, std::system_category(), "sched_setaffinity");
}

constexpr rlim_t descriptors_wanted = 1 << 20;  // the usual fs.nr_open

std::size_t raise_descriptor_limit() noexcept {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 0;
    // A privileged process may go beyond its hard limit.
    for (const rlim_t wanted : {std::max<rlim_t>(limit.rlim_max, descriptors_wanted), limit.rlim_max}) {
        const rlimit raised{wanted, std::max(wanted, limit.rlim_max)};
        if (::setrlimit(RLIMIT_NOFILE, &raised) == 0)
            return wanted;
    }
    return limit.rlim_cur;
}

std::size_t count_open_descriptors() {
    const std::filesystem::directory_iterator listed("/proc/self/fd");
    // One of them is the listing's own.
    return static_cast<std::size_t>(std::distance(begin(listed), end(listed))) - 1;
}

struct signals_blocked::saved_mask {
    sigset_t mask;
};

signals_blocked::signals_blocked() : saved_(std::make_unique<saved_mask>()) {
    sigset_t every;
    sigfillset(&every);
    ::pthread_sigmask(SIG_SETMASK, &every, &saved_->mask);
}

signals_blocked::~signals_blocked() {
    ::pthread_sigmask(SIG_SETMASK, &saved_->mask, nullptr);
}

}  // namespace eddy::io
