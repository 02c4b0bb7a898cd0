#pragma once

#include <eddy/detail/assert.hpp>

#include <cstddef>

namespace eddy::detail {

/// A place in at most one intrusive_list. A class that stands in several lists at once derives from
/// list_hook<Tag> once for each, with a tag of its own. Leaves its list when it is destroyed.
template <class Tag = void>
class list_hook {
public:
    list_hook() noexcept = default;
    list_hook(const list_hook&) = delete;
    list_hook& operator=(const list_hook&) = delete;
    ~list_hook() { unlink(); }

    [[nodiscard]] bool is_linked() const noexcept { return next_ != nullptr; }

    /// Leaves the list in O(1); nothing happens when the hook is in none.
    void unlink() noexcept {
        if (next_ == nullptr)
            return;
        previous_->next_ = next_;
        next_->previous_ = previous_;
        next_ = nullptr;
    }

private:
    template <class, class>
    friend class intrusive_list;

    list_hook* next_ = nullptr;      // null in no list
    list_hook* previous_ = nullptr;  // means nothing in no list
};

/// A doubly linked list of objects that carry their own hook: no allocation, O(1) at both ends and for
/// unlinking. Owns nothing. Not thread-safe.
template <class T, class Tag = void>
class intrusive_list {
public:
    using hook = list_hook<Tag>;

    intrusive_list() noexcept { clear(); }
    intrusive_list(const intrusive_list&) = delete;
    intrusive_list& operator=(const intrusive_list&) = delete;
    ~intrusive_list() {
        while (!empty())
            pop_front();
    }

    [[nodiscard]] bool empty() const noexcept { return end_.next_ == &end_; }
    /// Whether there are two or more.
    [[nodiscard]] bool has_several() const noexcept { return end_.next_ != end_.previous_; }
    [[nodiscard]] T& front() noexcept { return static_cast<T&>(*end_.next_); }

    /// Requires: `element` is in no list with this tag.
    void push_back(T& element) noexcept { link_before(end_, element); }
    /// Requires: `element` is in no list with this tag.
    void push_front(T& element) noexcept { link_before(*end_.next_, element); }

    T& pop_front() noexcept {
        hook& first = *end_.next_;
        end_.next_ = first.next_;
        first.next_->previous_ = &end_;
        first.next_ = nullptr;
        return static_cast<T&>(first);
    }

    /// Moves all elements of `other` behind those of this list.
    void splice_back(intrusive_list& other) noexcept {
        if (other.empty())
            return;
        hook* first = other.end_.next_;
        hook* last = other.end_.previous_;
        other.clear();
        first->previous_ = end_.previous_;
        end_.previous_->next_ = first;
        last->next_ = &end_;
        end_.previous_ = last;
    }

    /// Calls visit(element) for each, front to back. `visit` must not change the list.
    template <class Visit>
    void for_each(Visit visit) {
        for (hook* at = end_.next_; at != &end_; at = at->next_)
            // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): the list is a ring
            visit(static_cast<T&>(*at));
    }

    template <class Visit>
    void for_each(Visit visit) const {
        for (const hook* at = end_.next_; at != &end_; at = at->next_)
            // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): the list is a ring
            visit(static_cast<const T&>(*at));
    }

    /// How many there are, by walking.
    [[nodiscard]] std::size_t count() const noexcept {
        std::size_t counted = 0;
        for (const hook* at = end_.next_; at != &end_; at = at->next_)
            ++counted;
        return counted;
    }

private:
    void clear() noexcept { end_.next_ = end_.previous_ = &end_; }

    static void link_before(hook& place, T& element) noexcept {
        hook& added = element;
        EDDY_ASSERT(!added.is_linked(), "an element is linked into one list at a time");
        added.next_ = &place;
        added.previous_ = place.previous_;
        place.previous_->next_ = &added;
        place.previous_ = &added;
    }

    // The sentinel closes the ring. Its own hook is unlinked from itself by ~intrusive_list.
    hook end_;
};

}  // namespace eddy::detail
