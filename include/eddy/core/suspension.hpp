#pragma once

#include <concepts>
#include <coroutine>

namespace eddy::detail {

class chain_link;

template <class Promise>
inline constexpr bool is_chain_link = std::derived_from<Promise, chain_link>;
// For an erased coroutine_handle<>.
template <>
inline constexpr bool is_chain_link<void> = false;

/// Where a coroutine has suspended. The library's awaiters take this type in await_suspend, which makes of a
/// coroutine handle both the place to go on at and whether the coroutine is one of the library's.
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
    /// Says where to go on once this coroutine has ended.
    void continue_at(std::coroutine_handle<> next) noexcept {
        continuation_ = next;
        holder_ = nullptr;
    }
    /// The same for a coroutine that is awaited; `holder` is the handle by which the awaiting one owns it.
    void continue_at(suspension parent, std::coroutine_handle<>& holder) noexcept {
        continuation_ = parent.point();
        holder_ = parent.is_link() ? &holder : nullptr;
    }

    [[nodiscard]] std::coroutine_handle<> continuation() const noexcept { return continuation_; }

    /// Destroys the coroutines of a chain from the innermost one outwards, without recursion, up to the
    /// outermost, or up to one of another library: that one is left, and owns no other any more.
    static void unwind(suspension innermost) noexcept;

private:
    std::coroutine_handle<> continuation_;
    std::coroutine_handle<>* holder_ = nullptr;  // null unless the continuation is a link too
};

inline chain_link& suspension::link() const noexcept {
    return std::coroutine_handle<chain_link>::from_address(point_.address()).promise();
}

}  // namespace eddy::detail
