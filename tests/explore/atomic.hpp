#pragma once

#include "explore/hooks.hpp"

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>
#include <typeinfo>

// The atomics that the library is built with where its schedules are explored (see eddy/detail/atomic.hpp). A
// step acts on a real atomic in the memory order that was requested, so that ThreadSanitizer judges the
// orders, while the explorer tries the interleavings, all of them sequentially consistent.

namespace eddy::detail {

template <class T>
class atomic : explore::atomic_hooks {
    using place = std::source_location;
    using action = explore::action;
    static constexpr auto seq_cst = std::memory_order_seq_cst;

public:
    using value_type = T;
    static constexpr bool is_always_lock_free = std::atomic<T>::is_always_lock_free;

    constexpr atomic() noexcept : atomic(T{}) {}
    constexpr atomic(T value) noexcept : atomic_hooks(typeid(T).name()), value_(value) {}
    constexpr ~atomic() = default;

    T load(std::memory_order order = seq_cst, place where = place::current()) const noexcept {
        before(action::load, false, where);
        const T seen = value_.load(order);
        tell(seen, seen);
        return seen;
    }
    void store(T value, std::memory_order order = seq_cst, place where = place::current()) noexcept {
        before(action::store, true, where);
        const T seen = value_.load(std::memory_order_relaxed);
        value_.store(value, order);
        tell(seen, value);
    }
    T exchange(T value, std::memory_order order = seq_cst, place where = place::current()) noexcept {
        before(action::exchange, true, where);
        const T seen = value_.exchange(value, order);
        tell(seen, value);
        return seen;
    }

    bool compare_exchange_strong(T& expected, T value, std::memory_order success, std::memory_order failure,
                                 place where = place::current()) noexcept {
        before(action::compare_exchange, true, where);
        const T wanted = expected;
        const bool is_done = value_.compare_exchange_strong(expected, value, success, failure);
        tell(is_done ? wanted : expected, is_done ? value : expected);
        return is_done;
    }
    bool compare_exchange_strong(T& expected, T value, std::memory_order order = seq_cst,
                                 place where = place::current()) noexcept {
        return compare_exchange_strong(expected, value, order, without_release(order), where);
    }
    /// Never fails by chance.
    bool compare_exchange_weak(T& expected, T value, std::memory_order success, std::memory_order failure,
                               place where = place::current()) noexcept {
        return compare_exchange_strong(expected, value, success, failure, where);
    }
    bool compare_exchange_weak(T& expected, T value, std::memory_order order = seq_cst,
                               place where = place::current()) noexcept {
        return compare_exchange_strong(expected, value, order, where);
    }

    // Other types than integers and pointers have no fetch_add() to call in these.
    template <class Amount>
    T fetch_add(Amount amount, std::memory_order order = seq_cst, place where = place::current()) noexcept {
        return modify([&] { return value_.fetch_add(amount, order); },
                      [&](T seen) { return static_cast<T>(seen + amount); }, where);
    }
    template <class Amount>
    T fetch_sub(Amount amount, std::memory_order order = seq_cst, place where = place::current()) noexcept {
        return modify([&] { return value_.fetch_sub(amount, order); },
                      [&](T seen) { return static_cast<T>(seen - amount); }, where);
    }
    template <class Bits>
    T fetch_or(Bits bits, std::memory_order order = seq_cst, place where = place::current()) noexcept {
        return modify([&] { return value_.fetch_or(bits, order); },
                      [&](T seen) { return static_cast<T>(seen | bits); }, where);
    }
    template <class Bits>
    T fetch_and(Bits bits, std::memory_order order = seq_cst, place where = place::current()) noexcept {
        return modify([&] { return value_.fetch_and(bits, order); },
                      [&](T seen) { return static_cast<T>(seen & bits); }, where);
    }
    template <class Bits>
    T fetch_xor(Bits bits, std::memory_order order = seq_cst, place where = place::current()) noexcept {
        return modify([&] { return value_.fetch_xor(bits, order); },
                      [&](T seen) { return static_cast<T>(seen ^ bits); }, where);
    }

    operator T() const noexcept { return load(); }
    T operator=(T value) noexcept {
        store(value);
        return value;
    }
    T operator++() noexcept { return fetch_add(1) + 1; }
    T operator--() noexcept { return fetch_sub(1) - 1; }
    T operator++(int) noexcept { return fetch_add(1); }
    T operator--(int) noexcept { return fetch_sub(1); }

    void wait(T old, std::memory_order order = seq_cst, place where = place::current()) const noexcept {
        for (;;) {
            before(action::wait, true, where);
            const T seen = value_.load(order);
            tell(seen, seen);
            if (bits_of(seen) != bits_of(old))
                return;
            sleep(where);
        }
    }
    /// Wakes the thread that has waited longest.
    void notify_one(place where = place::current()) noexcept { notify(false, where); }
    void notify_all(place where = place::current()) noexcept { notify(true, where); }

private:
    static constexpr std::memory_order without_release(std::memory_order order) noexcept {
        switch (order) {
            case std::memory_order_acq_rel:
                return std::memory_order_acquire;
            case std::memory_order_release:
                return std::memory_order_relaxed;
            default:
                return order;
        }
    }
    static std::uint64_t bits_of(const T& value) noexcept {
        static_assert(sizeof(T) <= sizeof(std::uint64_t));
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof(T));
        return bits;
    }
    void tell(const T& seen, const T& left) const noexcept {
        after(bits_of(seen), bits_of(left), bits_of(seen) != bits_of(left));
    }
    // The value may be gone after the change, so what it left is not looked at but calculated.
    template <class Change, class Left>
    T modify(Change change, Left left, const place& where) noexcept {
        before(action::modify, true, where);
        const T seen = change();
        tell(seen, left(seen));
        return seen;
    }

    std::atomic<T> value_;
};

inline void relax(unsigned, std::source_location where = std::source_location::current()) noexcept {
    explore::wait_for_change(where);
}

}  // namespace eddy::detail
