#pragma once

#include <eddy/detail/build.hpp>

#include <concepts>
#include <coroutine>
#include <exception>

namespace eddy::detail {

class chain_link;
class job;

/// Ends the program with a message that names the task, by default the running one: one of its destructors
/// has thrown what is handled now.
[[noreturn]] void destructor_threw(const job* of) noexcept;

/// Destroys a coroutine of a task and what belongs to it.
inline void destroy_frame(std::coroutine_handle<> frame, const job* of = nullptr) noexcept {
    try {
        frame.destroy();
    } catch (...) {
        destructor_threw(of);
    }
}

template <class Promise>
inline constexpr bool is_chain_link = std::derived_from<Promise, chain_link>;
// For an erased coroutine_handle<>.
template <>
inline constexpr bool is_chain_link<void> = false;

/// Where a coroutine has suspended. The library's awaiters take this type in await_suspend, which makes of a
/// coroutine handle both the place to resume at and whether the coroutine is one of the library's.
class suspension {
public:
    template <class Promise>
    suspension(std::coroutine_handle<Promise> point) noexcept
        : point_(point), is_link_(is_chain_link<Promise>) {}

    [[nodiscard]] std::coroutine_handle<> point() const noexcept { return point_; }
    /// Whether link() may be called.
    [[nodiscard]] bool is_link() const noexcept { return is_link_; }
    [[nodiscard]] chain_link& link() const noexcept;

private:
    std::coroutine_handle<> point_;
    bool is_link_;
};

/// An awaiter that is the library's own: it makes its task ready through the resume loop.
template <class Awaiter>
concept native_awaiter = requires(Awaiter& awaiter, suspension point) { awaiter.await_suspend(point); };

/// The beginning of a promise of the library's: what links a chain of awaits, from the innermost coroutine
/// outwards. A promise derives from it first, and is aligned as operator new aligns, so that it can be found
/// from an erased handle.
class chain_link {
public:
    /// Sets what is resumed once this coroutine has ended: its job, if it is a root.
    void continue_at(std::coroutine_handle<> next) noexcept {
        continuation_ = next;
        holder_ = nullptr;
    }
    /// The same for a coroutine that is awaited; `holder` is the handle by which the awaiting one owns it.
    void continue_at(suspension parent, std::coroutine_handle<>& holder) noexcept {
        continuation_ = parent.point();
        holder_ = parent.is_link() ? &holder : &outside_;
    }

    [[nodiscard]] std::coroutine_handle<> continuation() const noexcept { return continuation_; }

    /// Says that the coroutine is about to be destroyed where it has suspended.
    void note_drop() noexcept {
        if (is_inside())
            holder_ = &dropped_inside_;
        else
            note_drop_of_outermost();
    }
    /// What left the coroutine, for its unhandled_exception(). Where its frame is being destroyed that came
    /// from a destructor, which the coroutine's own handler catches: it ends the program.
    [[nodiscard]] std::exception_ptr escaped_exception() const noexcept;

    /// Destroys the coroutines of a chain from the innermost one outwards, without recursion, up to the
    /// outermost, or up to one of another library: that one is left, and owns no other any more.
    static void unwind(suspension innermost) noexcept;

private:
    // Whether the continuation is a link, too. Requires: it has not been dropped.
    [[nodiscard]] bool is_inside() const noexcept { return holder_ != nullptr && holder_ != &outside_; }
    [[nodiscard]] bool is_dropped_outermost() const noexcept {
        return holder_ == &dropped_outermost_ || holder_ == &dropped_outside_;
    }
    void note_drop_of_outermost() noexcept {
        holder_ = holder_ == nullptr ? &dropped_outermost_ : &dropped_outside_;
    }
    static void unwind_from(std::coroutine_handle<> ended) noexcept;

    std::coroutine_handle<> continuation_;
    // Null if the continuation is a job's or none, a mark if it is another library's. Once the coroutine is being
    // destroyed one of three other marks, which keep that apart.
    std::coroutine_handle<>* holder_ = nullptr;
    static std::coroutine_handle<> outside_;
    static std::coroutine_handle<> dropped_inside_;
    static std::coroutine_handle<> dropped_outermost_;
    static std::coroutine_handle<> dropped_outside_;
};

inline chain_link& suspension::link() const noexcept {
    return std::coroutine_handle<chain_link>::from_address(point_.address()).promise();
}

inline void chain_link::unwind(suspension innermost) noexcept {
    if (!innermost.is_link())
        return;
    chain_link& link = innermost.link();
    if (link.holder_ == nullptr)
        link.holder_ = &dropped_outermost_;
    else
        unwind_from(innermost.point());
}

}  // namespace eddy::detail
