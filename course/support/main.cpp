#include "support/test.hpp"
#include "support/watchdog.hpp"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <pthread.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

// Of the sanitizers, where there is one.
extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());

namespace {

std::uintptr_t stack_end = 0;

// The program ends here in any case, so what a handler must not call may be called.
void on_crash(int signal, siginfo_t* info, void*) {
    const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
    constexpr std::uintptr_t near = 1 << 20;
    if (signal == SIGSEGV && at > stack_end - near && at < stack_end + near)
        std::printf("\ncourse: crash: the stack overflowed\n");
    else
        std::printf("\ncourse: crash: %s\n", sigdescr_np(signal));
    course::print_suspicion();
    ::_exit(course::exit_crash);
}

void on_terminate() {
    const char* what = "std::terminate() was called";
    std::string text;
    if (auto error = std::current_exception()) {
        try {
            std::rethrow_exception(error);
        } catch (const std::exception& thrown) {
            text = std::string("an exception went where none may go: ") + thrown.what();
            what = text.c_str();
        } catch (...) {
            what = "an exception went where none may go";
        }
    }
    std::printf("\ncourse: crash: %s\n", what);
    course::print_suspicion();
    ::_exit(course::exit_crash);
}

void report_crashes() {
    pthread_attr_t attributes;
    void* begin = nullptr;
    std::size_t size = 0;
    ::pthread_getattr_np(::pthread_self(), &attributes);
    ::pthread_attr_getstack(&attributes, &begin, &size);
    stack_end = reinterpret_cast<std::uintptr_t>(begin);

    static std::array<char, 64 * 1024> stack_of_handler;
    const stack_t alternate{
        .ss_sp = stack_of_handler.data(), .ss_flags = 0, .ss_size = stack_of_handler.size()};
    ::sigaltstack(&alternate, nullptr);
    struct sigaction action{};
    action.sa_sigaction = &on_crash;
    action.sa_flags = SA_ONSTACK | SA_SIGINFO;
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
        ::sigaction(signal, &action, nullptr);
}

class listener : public testing::EmptyTestEventListener {
public:
    explicit listener(course::watchdog& watches) : watchdog_(watches) {}

    void OnTestStart(const testing::TestInfo&) override {
        watchdog_.reset();
        course::note_suspicion("");
    }

private:
    course::watchdog& watchdog_;
};

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    std::set_terminate(&on_terminate);
    if (__sanitizer_set_death_callback != nullptr)
        __sanitizer_set_death_callback(&course::print_suspicion);
    else
        report_crashes();
    course::watchdog watches;
    testing::UnitTest::GetInstance()->listeners().Append(new listener(watches));
    return RUN_ALL_TESTS();
}
