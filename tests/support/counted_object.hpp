#pragma once

#include <atomic>
#include <utility>

namespace eddy::test {

/// Counts the living of its kind in a counter that outlives them; moves, does not copy. Any thread.
class counted_object {
public:
    explicit counted_object(std::atomic<int>& living) noexcept : living_(&living) { ++living; }
    counted_object(counted_object&& other) noexcept : living_(std::exchange(other.living_, nullptr)) {}
    counted_object& operator=(counted_object&&) = delete;
    ~counted_object() {
        if (living_ != nullptr)
            --*living_;
    }

private:
    std::atomic<int>* living_;
};

}  // namespace eddy::test
