#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <ucontext.h>

namespace eddy::explore {

/// A stack of its own on the one real thread. The sanitizers know of it, and ThreadSanitizer takes fibers for
/// threads that nothing orders but what they do themselves.
class fiber {
public:
    using entry_function = void (*)(void* argument);

    /// The stack on which the calling thread runs.
    fiber();
    /// One that will call `entry`, which must never return. First switched to from the thread's own.
    fiber(entry_function entry, void* argument);
    fiber(const fiber&) = delete;
    fiber& operator=(const fiber&) = delete;
    /// What is on the stack is forgotten. Requires: it does not run.
    ~fiber();

    /// Keeps one that stands in the middle of something, with all that its stack leads to.
    static void abandon(std::unique_ptr<fiber> left);

    /// Requires: this one runs, and so does one guard of `unseen` on it. Returns when another one switches back.
    void switch_to(fiber& next) noexcept;

private:
    static void start(unsigned high, unsigned low);
    void swap(fiber& next) noexcept;
    void finish_switch() noexcept;

    ucontext_t context_{};
    void* stack_ = nullptr;
    std::size_t stack_size_ = 0;
    entry_function entry_ = nullptr;
    void* argument_ = nullptr;
    fiber* from_ = nullptr;
    [[maybe_unused]] void* fake_stack_ = nullptr;       // AddressSanitizer's
    [[maybe_unused]] void* sanitizer_fiber_ = nullptr;  // ThreadSanitizer's
    std::array<std::byte, 16> caught_{};                // the exceptions that are being handled
};

}  // namespace eddy::explore
