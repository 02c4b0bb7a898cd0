#include "driver/process.hpp"

#include "driver/errors.hpp"
#include "driver/interrupt.hpp"
#include "driver/process_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace bench {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

// Runs between fork and exec: system calls only. What fails is reported through `report`, which exec closes.
[[noreturn]] void become(char* const* arguments, const cpu_set_t& cores, const char* output, pid_t parent,
                         int report) {
    // Asked to end with the driver, even if that is killed.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (getppid() == parent && file >= 0 && dup2(file, 1) >= 0 && dup2(file, 2) >= 0 &&
        sched_setaffinity(0, sizeof cores, &cores) == 0)
        execv(arguments[0], arguments);
    const int error = errno;
    [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
    _exit(127);
}

}  // namespace

process::process(const std::vector<std::string>& arguments, const std::vector<int>& cores,
                 const std::filesystem::path& output)
    : name_(std::filesystem::path(arguments[0]).filename()) {
    std::vector<char*> pointers;
    for (const std::string& argument : arguments)
        pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    for (const int core : cores)
        CPU_SET(core, &allowed);
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        throw failure("cannot make a pipe");
    const pid_t parent = getpid();
    id_ = fork();
    if (id_ == 0)
        become(pointers.data(), allowed, output.c_str(), parent, report[1]);
    close(report[1]);
    int error = id_ < 0 ? errno : 0;
    while (id_ > 0 && read(report[0], &error, sizeof error) < 0 && errno == EINTR) {
    }
    close(report[0]);
    if (error == 0)
        return;
    if (id_ > 0)
        waitpid(id_, nullptr, 0);
    throw failure(
        fmt::format("cannot start {} on core {}: {}", arguments[0], fmt::join(cores, ", "), strerror(error)));
}

process::~process() {
    if (has_ended())
        return;
    const std::vector<pid_t> all = family();
    kill(id_, SIGTERM);
    if (ends_within(2s))
        return;
    for (pid_t member : all)
        kill(member, SIGKILL);
    ends_within(2s);
}

bool process::has_ended() {
    if (!ended_ && waitpid(id_, &status_, WNOHANG) == id_)
        ended_ = true;
    return ended_;
}

bool process::has_succeeded() const {
    return WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
}

bool process::ends_within(std::chrono::milliseconds time) {
    const auto deadline = steady_clock::now() + time;
    while (!has_ended() && steady_clock::now() < deadline)
        std::this_thread::sleep_for(2ms);
    return ended_;
}

void process::wait_until(steady_clock::time_point deadline) {
    while (!ends_within(50ms)) {
        check_interrupt();
        if (steady_clock::now() >= deadline)
            throw failure(fmt::format("{} did not end in time", name_));
    }
}

std::vector<pid_t> process::family() const {
    return processes_below(id_);
}

}  // namespace bench
