#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/io/captured_stack.hpp>

#include <memory>

namespace eddy::io {

/// Lets another thread interrupt the one that made it, to see where it is: by a real-time signal that has no
/// handler yet when the first probe of the process is made, and keeps ours from then on. Its system calls
/// that would fail with EINTR are restarted where the system does that (SA_RESTART).
///
/// Thread safety: made and destroyed by the thread that it is about; capture() is for others, one at a time,
/// while it exists.
class stack_probe {
public:
    /// Called on the interrupted thread, inside a signal's handler, so it may call only what is safe there.
    /// False: the stack is of no interest any more.
    using question = bool (*)(void* argument) noexcept;

    /// Throws std::system_error if no signal is left.
    stack_probe();
    stack_probe(const stack_probe&) = delete;
    stack_probe& operator=(const stack_probe&) = delete;
    ~stack_probe();

    enum class outcome : unsigned char {
        captured,
        declined,  ///< the question was answered by no
        silent     ///< no answer came in time: the thread takes no signals, or has no processor
    };
    /// Interrupts the thread, evaluates the question there, and captures its stack if the answer is yes. For
    /// a thread that does not respond in time, the question is withdrawn.
    [[nodiscard]] outcome capture(question requested, void* argument, duration wait_max,
                                  captured_stack& taken);

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace eddy::io
