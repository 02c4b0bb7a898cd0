#pragma once

namespace course {

template <class T>
class list;

/// What a class derives from whose objects can be in a list: the links lie in the object itself, so that entering
/// and leaving take no memory. An object leaves its list when it is destroyed.
class link {
public:
    link() noexcept : previous_(this), next_(this) {}
    link(const link&) = delete;
    link& operator=(const link&) = delete;
    ~link() { unlink(); }

    [[nodiscard]] bool is_linked() const noexcept { return next_ != this; }

    /// Leaves the list that it is in, if any.
    void unlink() noexcept {
        previous_->next_ = next_;
        next_->previous_ = previous_;
        previous_ = next_ = this;
    }

private:
    template <class T>
    friend class list;

    link* previous_;
    link* next_;
};

/// A list of objects that it does not own. T derives from link, and is in one list at a time.
template <class T>
class list {
public:
    [[nodiscard]] bool empty() const noexcept { return !head_.is_linked(); }
    [[nodiscard]] T& front() noexcept { return static_cast<T&>(*head_.next_); }

    void push_back(T& added) noexcept {
        link& node = added;
        node.previous_ = head_.previous_;
        node.next_ = &head_;
        head_.previous_->next_ = &node;
        head_.previous_ = &node;
    }
    T& pop_front() noexcept {
        T& first = front();
        static_cast<link&>(first).unlink();
        return first;
    }

    /// Moves all that is in `other` to the end of this list.
    void append(list& other) noexcept {
        if (other.empty())
            return;
        link& from = other.head_;
        from.next_->previous_ = head_.previous_;
        from.previous_->next_ = &head_;
        head_.previous_->next_ = from.next_;
        head_.previous_ = from.previous_;
        from.previous_ = from.next_ = &from;
    }

private:
    link head_;
};

}  // namespace course
