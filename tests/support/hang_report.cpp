#include "support/hang_report.hpp"

#include <eddy/io/captured_stack.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <sys/resource.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::test {

namespace {

struct region {
    std::uintptr_t begin;
    std::uintptr_t end;
    std::string rights;
};

std::vector<region> memory_of_this_process() {
    std::vector<region> found;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long begin = 0;
        unsigned long end = 0;
        std::array<char, 5> rights{};
        if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, rights.data()) == 3)
            found.push_back({begin, end, rights.data()});
    }
    return found;
}

// A sanitizer's own memory is larger.
constexpr std::uintptr_t region_bytes_max = std::uintptr_t{1} << 28;

/// Calls the function with every pair of neighbouring words. Read by the system, which refuses what is gone.
template <class Function>
void for_each_pair(const region& looked_at, Function function) {
    std::vector<std::uintptr_t> words(std::size_t{1} << 16);
    const std::size_t bytes = words.size() * sizeof(words[0]);
    for (std::uintptr_t at = looked_at.begin; at < looked_at.end; at += bytes) {
        const iovec to{words.data(), bytes};
        const iovec from{reinterpret_cast<void*>(at), std::min<std::size_t>(bytes, looked_at.end - at)};
        const ssize_t count = ::process_vm_readv(::getpid(), &to, 1, &from, 1, 0);
        const std::size_t read = count > 0 ? static_cast<std::size_t>(count) / sizeof(words[0]) : 0;
        for (std::size_t place = 0; place + 1 < read; ++place)
            function(words[place], words[place + 1]);
    }
}

std::vector<std::string> names_of(const std::vector<std::uintptr_t>& functions) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at < functions.size();) {
        io::captured_stack places;
        for (; at < functions.size() && places.depth < places.places.size(); ++at)
            // What is looked up is the place before, since a stack has places that calls return to.
            places.places[places.depth++] = reinterpret_cast<void*>(functions[at] + 1);
        for (std::string& name : io::symbolised(places))
            names.push_back(std::move(name));
    }
    return names;
}

/// Whether a word is the address of code.
class code_addresses {
public:
    explicit code_addresses(std::vector<region> all) : all_(std::move(all)) {
        std::erase_if(all_, [](const region& each) { return each.rights[2] != 'x'; });
        for (const region& each : all_) {
            begin_ = std::min(begin_, each.begin);
            end_ = std::max(end_, each.end);
        }
    }

    [[nodiscard]] bool contain(std::uintptr_t word) const {
        if (word < begin_ || word >= end_) [[likely]]
            return false;
        return std::ranges::any_of(
            all_, [word](const region& each) { return word >= each.begin && word < each.end; });
    }

private:
    std::vector<region> all_;
    std::uintptr_t begin_ = std::numeric_limits<std::uintptr_t>::max();
    std::uintptr_t end_ = 0;
};

/// The coroutines that are alive: a frame begins with the functions that resume and destroy it, and the
/// former is missing once the coroutine has ended. Compilers give them names of their own.
std::map<std::string, std::size_t> live_coroutines() {
    const auto regions = memory_of_this_process();
    const code_addresses code(regions);
    std::map<std::uintptr_t, std::size_t> counts;
    for (const region& each : regions)
        if (each.rights.starts_with("rw") && each.end - each.begin <= region_bytes_max)
            for_each_pair(each, [&](std::uintptr_t resume, std::uintptr_t destroy) {
                if (resume != destroy && code.contain(resume) && code.contain(destroy))
                    ++counts[resume];
            });
    std::vector<std::uintptr_t> functions;
    for (const auto& [function, count] : counts)
        functions.push_back(function);
    const auto names = names_of(functions);
    std::map<std::string, std::size_t> named;
    for (std::size_t at = 0; at < names.size(); ++at)
        if (const auto end = std::min(names[at].find(" [clone .resume"), names[at].find(" [clone .actor"));
            end != std::string::npos)
            named[names[at].substr(0, end)] += counts[functions[at]];
    return named;
}

timer_t bound;
const char* bound_test = nullptr;

void set_bound(std::chrono::milliseconds after) {
    const itimerspec once{{0, 0}, {after.count() / 1000, after.count() % 1000 * 1'000'000}};
    ::timer_settime(bound, 0, &once, nullptr);
}

// Whatever it does here: the program hangs already, and the second expiry ends it if this does not.
void on_hang(int) {
    std::signal(SIGALRM, SIG_DFL);
    ::alarm(20);
    // A test of a shortage may have left none.
    rlimit descriptors{};
    ::getrlimit(RLIMIT_NOFILE, &descriptors);
    descriptors.rlim_cur = descriptors.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &descriptors);
    std::fprintf(stderr, "\n%s does not end within its bound. Coroutines that are alive:\n", bound_test);
    for (const auto& [name, count] : live_coroutines())
        std::fprintf(stderr, "  %zu x %s\n", count, name.c_str());
    std::abort();
}

int hang_signal() {
    return SIGRTMAX - 1;
}

bool install() {
    struct sigaction action{};
    action.sa_handler = &on_hang;
    ::sigaction(hang_signal(), &action, nullptr);
    sigevent expiry{};
    expiry.sigev_notify = SIGEV_SIGNAL;
    expiry.sigev_signo = hang_signal();
    return ::timer_create(CLOCK_MONOTONIC, &expiry, &bound) == 0;
}

bool is_installed() {
    static const bool is_done = install();
    return is_done;
}

}  // namespace

void report_hang_after(std::chrono::milliseconds after, const char* test) {
    bound_test = test;
    if (is_installed())
        set_bound(after);
}

void report_no_hang() {
    if (is_installed())
        set_bound(std::chrono::milliseconds(0));
}

}  // namespace eddy::test
