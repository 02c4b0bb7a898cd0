#include <eddy/io/detail/stack_probe.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <execinfo.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <span>
#include <sys/syscall.h>
#include <system_error>
#include <ucontext.h>
#include <unistd.h>

namespace eddy::io {

// The steps of a capture. The calling thread stores the question and sends the signal (`idle` -> `requested`).
// The handler runs on the probed thread, wherever that is, takes the question (`requested` -> `answering`),
// writes the answer into the probe, and sets the state (`answered`), its last access to the probe. The
// calling thread waits for that, or withdraws an unanswered question (`requested` -> `idle`): then a signal that
// comes late finds nothing to do. So the probe may be destroyed once no capture() is under way.
struct stack_probe::state {
    enum class step : unsigned char { idle, requested, answering, answered };

    state() noexcept { ::sem_init(&has_answered, 0, 0); }
    state(const state&) = delete;
    state& operator=(const state&) = delete;
    ~state() { ::sem_destroy(&has_answered); }

    /// The signal, chosen by the first probe. 0: none is left.
    [[nodiscard]] static int signal_number() noexcept {
        static const int chosen = choose_signal();
        return chosen;
    }

    void enter_list() noexcept;
    void leave_list() noexcept;
    [[nodiscard]] bool ask(question wanted, void* of) noexcept;
    [[nodiscard]] bool wait_until_answered(duration wait_max) noexcept;

    pid_t thread = static_cast<pid_t>(::syscall(SYS_gettid));
    std::atomic<step> at{step::idle};
    question requested = nullptr;
    void* argument = nullptr;
    bool is_captured = false;
    captured_stack stack;
    sem_t has_answered;
    std::atomic<state*> next{nullptr};

    // The probes of a thread, one for each runtime that it takes part in.
    static constinit thread_local std::atomic<state*> first;
    static constinit thread_local bool was_blocked;

private:
    static int choose_signal() noexcept;
    static bool install_handler(int number) noexcept;
    static void handle(int number, siginfo_t* information, void* context) noexcept;
    void answer(const void* interrupted_at) noexcept;
};

constinit thread_local std::atomic<stack_probe::state*> stack_probe::state::first{nullptr};
constinit thread_local bool stack_probe::state::was_blocked = false;

namespace {

const void* interrupted_place(const void* context) noexcept {
#if defined(__x86_64__)
    return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc);
#else
    static_cast<void>(context);
    return nullptr;
#endif
}

bool set_blocked(int number, bool is_blocked) noexcept {
    sigset_t changed;
    sigset_t before;
    ::sigemptyset(&changed);
    ::sigaddset(&changed, number);
    ::pthread_sigmask(is_blocked ? SIG_BLOCK : SIG_UNBLOCK, &changed, &before);
    return ::sigismember(&before, number) == 1;
}

bool has_no_handler(int number) noexcept {
    struct sigaction now{};
    return ::sigaction(number, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
           now.sa_handler == SIG_DFL;
}

}  // namespace

int stack_probe::state::choose_signal() noexcept {
    // Loads what backtrace() needs, which must not happen inside of a handler.
    std::array<void*, 2> places{};
    ::backtrace(places.data(), static_cast<int>(places.size()));
    // From above: those from below are what programs pick themselves.
    for (int number = SIGRTMAX - 1; number >= SIGRTMIN; --number)
        if (has_no_handler(number) && install_handler(number))
            return number;
    return 0;
}

bool stack_probe::state::install_handler(int number) noexcept {
    struct sigaction wanted{};
    wanted.sa_sigaction = &handle;
    wanted.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigemptyset(&wanted.sa_mask);
    return ::sigaction(number, &wanted, nullptr) == 0;
}

void stack_probe::state::handle(int, siginfo_t* about, void* context) noexcept {
    // Another process may signal a thread that has no probes. In a plugin its list might not have memory yet,
    // and it must not be allocated inside a handler.
    if (about->si_code != SI_TKILL || about->si_pid != ::getpid())
        return;
    const int error_before = errno;
    for (state* each = first.load(std::memory_order_relaxed); each != nullptr;
         each = each->next.load(std::memory_order_relaxed))
        each->answer(interrupted_place(context));
    errno = error_before;
}

void stack_probe::state::answer(const void* interrupted_at) noexcept {
    step expected = step::requested;
    if (!at.compare_exchange_strong(expected, step::answering, std::memory_order_acquire))
        return;
    is_captured = requested(argument);
    if (is_captured) {
        stack.depth = static_cast<std::size_t>(
            std::max(::backtrace(stack.places.data(), static_cast<int>(stack.places.size())), 0));
        // Where the interrupted place is not found (if a sanitizer has delayed the signal, for example), the
        // handler's own frames are included.
        const auto places = std::span(stack.places).first(stack.depth);
        const auto interrupted = std::ranges::find(places, interrupted_at);
        stack.inner =
            interrupted == places.end() ? 0 : static_cast<std::size_t>(interrupted - places.begin());
    }
    ::sem_post(&has_answered);
    at.store(step::answered, std::memory_order_release);
}

// The handler may come between any two steps.
void stack_probe::state::enter_list() noexcept {
    state* const other = first.load(std::memory_order_relaxed);
    next.store(other, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_release);
    first.store(this, std::memory_order_relaxed);
    const bool is_changed = set_blocked(signal_number(), false);
    if (other == nullptr)
        was_blocked = is_changed;
}

void stack_probe::state::leave_list() noexcept {
    std::atomic<state*>* link = &first;
    while (link->load(std::memory_order_relaxed) != this)
        link = &link->load(std::memory_order_relaxed)->next;
    link->store(next.load(std::memory_order_relaxed), std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_release);
    if (first.load(std::memory_order_relaxed) == nullptr && was_blocked)
        static_cast<void>(set_blocked(signal_number(), true));
}

bool stack_probe::state::ask(question wanted, void* of) noexcept {
    requested = wanted;
    argument = of;
    at.store(step::requested, std::memory_order_release);
    return ::syscall(SYS_tgkill, ::getpid(), thread, signal_number()) == 0;
}

bool stack_probe::state::wait_until_answered(duration wait_max) noexcept {
    const duration until = (clock::now() + wait_max).time_since_epoch();
    constexpr duration second = std::chrono::seconds(1);
    const timespec deadline{static_cast<std::time_t>(until / second),
                            static_cast<long>((until % second).count())};
    int waited = 0;
    while ((waited = ::sem_clockwait(&has_answered, CLOCK_MONOTONIC, &deadline)) != 0 && errno == EINTR)
        continue;
    step expected = step::requested;
    if (waited != 0) {
        if (at.compare_exchange_strong(expected, step::idle, std::memory_order_relaxed))
            return false;
        while (::sem_wait(&has_answered) != 0)  // it is just answering
            continue;
    }
    while (at.load(std::memory_order_acquire) != step::answered)
        ::sched_yield();
    at.store(step::idle, std::memory_order_relaxed);
    return true;
}

stack_probe::stack_probe() : state_(std::make_unique<state>()) {
    if (state::signal_number() == 0)
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                                "stack_probe: every real-time signal has a handler");
    state_->enter_list();
}

stack_probe::~stack_probe() {
    state_->leave_list();
}

stack_probe::outcome stack_probe::capture(question requested, void* argument, duration wait_max,
                                          captured_stack& taken) {
    if (!state_->ask(requested, argument))
        wait_max = duration::zero();
    if (!state_->wait_until_answered(wait_max))
        return outcome::silent;
    if (!state_->is_captured)
        return outcome::declined;
    taken = state_->stack;
    return outcome::captured;
}

}  // namespace eddy::io
