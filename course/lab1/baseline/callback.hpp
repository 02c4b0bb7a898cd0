#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace baseline {

/// What one writes without coroutines: an operation on the heap that is started, and calls a function when it ends.
class operation {
public:
    virtual ~operation() = default;
    virtual void start() = 0;

    std::function<void(long)> on_end;
};

class constant : public operation {
public:
    explicit constant(long value) : value_(value) {}
    void start() override { on_end(value_); }

private:
    long value_;
};

// As if it were elsewhere: what the compiler sees through costs nothing.
[[gnu::noinline]] inline std::unique_ptr<operation> make_constant(long value) {
    return std::make_unique<constant>(value);
}

/// Adds up what `count` operations end with, one after the other.
inline long sum_of(long count) {
    long sum = 0;
    for (long at = 0; at < count; ++at) {
        auto next = make_constant(at);
        next->on_end = [&sum](long value) { sum += value; };
        next->start();
    }
    return sum;
}

/// The same, all started before the first is waited for.
inline long sum_of_all(long count) {
    std::unique_ptr<long[]> values(new long[static_cast<std::size_t>(count)]);
    std::unique_ptr<std::unique_ptr<operation>[]> operations(
        new std::unique_ptr<operation>[static_cast<std::size_t>(count)]);
    auto left = std::make_shared<long>(count);
    for (long at = 0; at < count; ++at) {
        operations[static_cast<std::size_t>(at)] = make_constant(at);
        operations[static_cast<std::size_t>(at)]->on_end =
            [left, into = &values[static_cast<std::size_t>(at)]](long value) {
                *into = value;
                --*left;
            };
        operations[static_cast<std::size_t>(at)]->start();
    }
    long sum = 0;
    for (long at = 0; at < count; ++at)
        sum += values[static_cast<std::size_t>(at)];
    return sum;
}

}  // namespace baseline
