#pragma once

#include <coroutine>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#ifndef COURSE_LAB
#define COURSE_LAB "lab1"
#endif

// What the tests of all labs share.
namespace course {

/// How a test's program ends that did not end by itself.
inline constexpr int exit_hang = 41;
inline constexpr int exit_crash = 42;

/// For a failure's message: the likely cause, and the paragraph of the lab's text to read again.
///
///     EXPECT_EQ(alive, 0) << course::why("no one destroys the frame", "destroying-a-frame");
inline std::string why(const std::string& cause, const std::string& anchor) {
    return "\ncourse: why: " + cause + "\ncourse: read: course/" COURSE_LAB "/README.md#" + anchor + "\n";
}

/// Notes a likely cause in case the rest of the test crashes, hangs or is ended by a sanitizer.
void note_suspicion(std::string explanation);
inline void suspect(const std::string& cause, const std::string& anchor) {
    note_suspicion(why(cause, anchor));
}
void print_suspicion();
void print_waiting_places();

/// How many coroutines there are that have not been freed. 0 where they are not listed (COURSE_TRACE).
[[nodiscard]] int live_coroutines();

/// How often this thread has called operator new. Always 0 under ThreadSanitizer.
[[nodiscard]] std::size_t allocations() noexcept;
inline constexpr bool counts_allocations =
#if defined(COURSE_COUNTS_ALLOCATIONS) && !COURSE_COUNTS_ALLOCATIONS
    false;
#else
    true;
#endif

/// Whether a sanitizer slows the program down, and takes stack.
inline constexpr bool is_sanitized =
#ifdef COURSE_SANITIZED
    true;
#else
    false;
#endif

/// Counts the objects of `tracked` that exist, and how they came to be.
struct census {
    int alive = 0;
    int copies = 0;
    int moves = 0;
};

/// An object that shows whether what it lies in was destroyed.
class tracked {
public:
    explicit tracked(census& counts) noexcept : counts_(&counts) { ++counts_->alive; }
    tracked(const tracked& other) noexcept : counts_(other.counts_) {
        ++counts_->alive;
        ++counts_->copies;
    }
    tracked(tracked&& other) noexcept : counts_(other.counts_) {
        ++counts_->alive;
        ++counts_->moves;
    }
    tracked& operator=(const tracked&) = delete;
    ~tracked() { --counts_->alive; }

private:
    census* counts_;
};

/// Something to wait for that the test opens when it likes. The waiters are resumed inside open(), in order.
class gate {
public:
    gate() = default;
    gate(const gate&) = delete;

    void open() {
        is_open_ = true;
        for (auto waiting = std::exchange(waiting_, {}); std::coroutine_handle<> each : waiting)
            each.resume();
    }
    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size(); }

    class awaiter {
    public:
        explicit awaiter(gate& closed) noexcept : gate_(closed) {}
        bool await_ready() const noexcept { return gate_.is_open_; }
        void await_suspend(std::coroutine_handle<> caller) { gate_.waiting_.push_back(caller); }
        void await_resume() const noexcept {}

    private:
        gate& gate_;
    };
    awaiter operator co_await() noexcept { return awaiter(*this); }

private:
    bool is_open_ = false;
    std::vector<std::coroutine_handle<>> waiting_;
};

}  // namespace course
