#include "contest/isolated.hpp"

#include "driver/errors.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <poll.h>
#include <sched.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {
namespace {

// -- in the child: writes the sample and exits with 0, or a text and exits with 1 --

void pin(const std::vector<int>& cores) {
    if (cores.empty())
        return;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int core : cores)
        CPU_SET(core, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        throw failure(std::string("cannot be pinned to these cores: ") + std::strerror(errno));
}

double peak_memory_bytes() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_maxrss) * 1024;
}

[[noreturn]] void answer(int descriptor, const void* data, std::size_t size, int status) {
    const bool is_written = write(descriptor, data, size) == static_cast<ssize_t>(size);
    _exit(is_written ? status : 1);
}

[[noreturn]] void work(int descriptor, const std::function<sample()>& measured,
                       const std::vector<int>& cores) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // an interrupt of the parent leaves no measurement behind
    try {
        pin(cores);
        sample result = measured();
        if (result.peak_memory_bytes == 0)
            result.peak_memory_bytes = peak_memory_bytes();
        answer(descriptor, &result, sizeof result, 0);
    } catch (const std::exception& error) {
        const std::string_view text = error.what();
        answer(descriptor, text.data(), text.size(), 1);
    }
}

// -- in the parent --

// The answer, read to its end, and whether that came in time.
bool read_response(int descriptor, const time_window& allowed, std::string& answer) {
    for (;;) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(allowed.end() - std::chrono::steady_clock::now());
        pollfd readable{descriptor, POLLIN, 0};
        if (left.count() <= 0 || poll(&readable, 1, static_cast<int>(left.count())) == 0)
            return false;
        char bytes[512];
        const ssize_t count = read(descriptor, bytes, sizeof bytes);
        if (count <= 0)
            return true;
        answer.append(bytes, static_cast<std::size_t>(count));
    }
}

sample understand(const std::string& answer, int status) {
    if (WIFSIGNALED(status))
        throw failure(std::string("ended by ") + strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) != 0 || answer.size() != sizeof(sample))
        throw failure(answer.empty() ? "ended without a result" : answer);
    sample result;
    std::memcpy(&result, answer.data(), sizeof result);
    return result;
}

}  // namespace

sample measure_isolated(const std::function<sample()>& measured, const std::vector<int>& cores,
                        double seconds_max) {
    int ends[2];
    if (pipe(ends) != 0)
        throw failure(std::string("no pipe: ") + std::strerror(errno));
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        work(ends[1], measured, cores);
    }
    close(ends[1]);
    std::string answer;
    const bool in_time = child > 0 && read_response(ends[0], time_window(seconds_max), answer);
    close(ends[0]);
    if (child < 0)
        throw failure("no process could be made");
    if (!in_time)
        kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    if (!in_time)
        throw failure("has not ended in time");
    return understand(answer, status);
}

}  // namespace bench
