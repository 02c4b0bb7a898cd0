#include "backend/posix/posix_processes.hpp"

#include "backend/posix/posix_file_system.hpp"
#include "backend/posix/system_call.hpp"
#include "detail/contains_nul.hpp"

#include <eddy/io/plain_descriptor.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace eddy::backends {

namespace {

using detail::contains_nul;
using io::plain_descriptor;
using io::process;
using io::process_end;
using io::process_request;
using io::process_result;
using io::process_stream;

/// The two descriptions of posix_spawn(3), and the first error met while making them.
class spawn_plan {
public:
    spawn_plan() noexcept {
        note(::posix_spawn_file_actions_init(&actions_));
        note(::posix_spawnattr_init(&attributes_));
    }
    spawn_plan(const spawn_plan&) = delete;
    spawn_plan& operator=(const spawn_plan&) = delete;
    ~spawn_plan() {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
    }

    void note(int result) noexcept {
        if (error_ == 0)
            error_ = result;
    }
    [[nodiscard]] int error() const noexcept { return error_; }
    [[nodiscard]] posix_spawn_file_actions_t& actions() noexcept { return actions_; }
    [[nodiscard]] posix_spawnattr_t& attributes() noexcept { return attributes_; }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
    int error_ = 0;
};

void plan_attributes(spawn_plan& plan, const process_request& wanted) noexcept {
    sigset_t none;
    sigemptyset(&none);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (wanted.group) {
        flags |= POSIX_SPAWN_SETPGROUP;
        plan.note(::posix_spawnattr_setpgroup(&plan.attributes(), *wanted.group));
    }
    plan.note(::posix_spawnattr_setsigmask(&plan.attributes(), &none));
    plan.note(::posix_spawnattr_setsigdefault(&plan.attributes(), &defaults));
    plan.note(::posix_spawnattr_setflags(&plan.attributes(), static_cast<short>(flags)));
}

/// The process's ends of its standard streams, none of which is another's place, and the starter's.
struct stream_ends {
    std::array<plain_descriptor, 3> theirs;
    std::array<plain_descriptor, 3> ours;
};

plain_descriptor duplicate_plainly(int descriptor) noexcept {
    return plain_descriptor(posix_files().duplicate(descriptor));
}

plain_descriptor or_error(int descriptor) noexcept {
    return plain_descriptor(descriptor < 0 ? -errno : descriptor);
}

// Opening must not wait, for the other end of a named pipe say; the process's reads and writes may.
plain_descriptor open_file(const char* path, bool is_input, bool is_appending) noexcept {
    const int way = is_input ? O_RDONLY : O_WRONLY | O_CREAT | (is_appending ? O_APPEND : O_TRUNC);
    plain_descriptor opened = or_error(::open(path, way | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666));
    if (opened.get() >= 0 && ::fcntl(opened.get(), F_SETFL, is_appending ? O_APPEND : 0) != 0)
        return or_error(-1);
    return opened;
}

plain_descriptor open_pipe(bool is_input, plain_descriptor& ours) noexcept {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return or_error(-1);
    ours = plain_descriptor(ends[is_input ? 1 : 0]);
    return plain_descriptor(ends[is_input ? 0 : 1]);
}

plain_descriptor open_stream(const process_stream& wanted, bool is_input, plain_descriptor& ours) noexcept {
    using target = process_stream::target;
    switch (wanted.to) {
        case target::inherited:
            break;
        case target::null:
            return or_error(::open("/dev/null", (is_input ? O_RDONLY : O_WRONLY) | O_CLOEXEC));
        case target::pipe:
            return open_pipe(is_input, ours);
        case target::file:
        case target::appended_file:
            return open_file(wanted.path.c_str(), is_input, wanted.to == target::appended_file);
        case target::descriptor:
            return duplicate_plainly(wanted.kept->get());
    }
    return {};
}

void plan_streams(spawn_plan& plan, const process_request& wanted, stream_ends& ends) noexcept {
    for (std::size_t place = 0; place < wanted.streams.size(); ++place) {
        plain_descriptor& theirs = ends.theirs[place];
        if (wanted.streams[place].to == process_stream::target::inherited)
            continue;
        theirs = open_stream(wanted.streams[place], place == 0, ends.ours[place]);
        // The places of the standard streams may be free in this process.
        if (theirs.get() >= 0 && theirs.get() < first_other_descriptor)
            theirs = duplicate_plainly(theirs.get());
        if (theirs.get() < 0)
            return plan.note(-theirs.get());
        plan.note(::posix_spawn_file_actions_adddup2(&plan.actions(), theirs.get(), static_cast<int>(place)));
    }
    plan.note(::posix_spawn_file_actions_addclosefrom_np(&plan.actions(), first_other_descriptor));
}

std::string_view variable_name(std::string_view variable) noexcept {
    return variable.substr(0, variable.find('='));
}

std::vector<std::string> environment_of(const process_request& wanted) {
    std::vector<std::string> made = wanted.variables;
    const auto is_replaced = [&](std::string_view variable) {
        const auto has_name = [&](std::string_view other) {
            return variable_name(other) == variable_name(variable);
        };
        return std::ranges::any_of(wanted.variables, has_name) ||
               std::ranges::any_of(wanted.left_out, has_name);
    };
    for (char** own = wanted.keeps_environment ? environ : nullptr; own != nullptr && *own != nullptr; ++own)
        if (!is_replaced(*own))
            made.emplace_back(*own);
    return made;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (const std::string& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

// What a C string cannot say must not be cut off in silence.
bool can_be_said(const process_request& wanted) noexcept {
    const auto holds_none = [](const auto& texts) { return std::ranges::none_of(texts, contains_nul); };
    const auto has_path = [](const process_stream& stream) { return !contains_nul(stream.path); };
    return !contains_nul(wanted.program) && !contains_nul(wanted.directory) && holds_none(wanted.arguments) &&
           holds_none(wanted.variables) && std::ranges::all_of(wanted.streams, has_path);
}

void kill_and_collect(int id) noexcept {
    ::kill(id, SIGKILL);
    uninterrupted([id] { return ::waitpid(id, nullptr, 0); });
}

// The waitid(2) of a process by its descriptor, which old headers do not name.
int collect_by(int descriptor, siginfo_t& end, int flags) noexcept {
    constexpr auto by_descriptor = static_cast<idtype_t>(3);
    return uninterrupted(
        [&] { return ::waitid(by_descriptor, static_cast<id_t>(descriptor), &end, WEXITED | flags); });
}

class posix_processes final : public io::processes {
public:
    process_result start(const process_request& wanted) override;
    int send(const process& to, int signal) noexcept override;
    std::optional<process_end> collect(const process& ended) noexcept override;
    void end(const process& killed) noexcept override;
};

int posix_processes::send(const process& to, int signal) noexcept {
    const auto result = to.is_leader()
                            ? ::kill(-to.id(), signal)
                            : ::syscall(SYS_pidfd_send_signal, to.descriptor(), signal, nullptr, 0);
    return result == 0 ? 0 : -errno;
}

std::optional<process_end> posix_processes::collect(const process& ended) noexcept {
    siginfo_t found{};
    const int result = collect_by(ended.descriptor(), found, WNOHANG);
    // ECHILD: it was reaped elsewhere, or SIGCHLD is ignored; its status is lost.
    if (result < 0)
        return process_end{-1, 0, false};
    if (found.si_pid == 0)
        return std::nullopt;
    if (found.si_code == CLD_EXITED)
        return process_end{found.si_status, 0, false};
    return process_end{0, found.si_status, found.si_code == CLD_DUMPED};
}

void posix_processes::end(const process& killed) noexcept {
    static_cast<void>(send(killed, SIGKILL));
    siginfo_t end{};
    collect_by(killed.descriptor(), end, 0);
}

process_result posix_processes::start(const process_request& wanted) {
    if (!can_be_said(wanted))
        return {{}, {}, -EINVAL};
    const std::vector<char*> arguments = pointers_to(wanted.arguments);
    const std::vector<std::string> environment = environment_of(wanted);
    const std::vector<char*> variables = pointers_to(environment);
    stream_ends ends;
    spawn_plan plan;
    plan_attributes(plan, wanted);
    if (!wanted.directory.empty())
        plan.note(::posix_spawn_file_actions_addchdir_np(&plan.actions(), wanted.directory.c_str()));
    plan_streams(plan, wanted, ends);
    if (plan.error() != 0)
        return {{}, {}, -plan.error()};
    pid_t id = 0;
    const int result = ::posix_spawnp(&id, wanted.program.c_str(), &plan.actions(), &plan.attributes(),
                                      arguments.data(), variables.data());
    if (result != 0)
        return {{}, {}, -result};
    plain_descriptor descriptor = or_error(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
    // ESRCH: it has ended, and was reaped by code that waits for any child, or because SIGCHLD is ignored.
    if (descriptor.get() < 0 && descriptor.get() != -ESRCH) {
        kill_and_collect(id);
        return {{}, {}, descriptor.get()};
    }
    return {process(*this, id, std::move(descriptor), wanted.group == 0), std::move(ends.ours), 0};
}

}  // namespace

io::processes& posix_children() noexcept {
    static posix_processes only;
    return only;
}

}  // namespace eddy::backends
