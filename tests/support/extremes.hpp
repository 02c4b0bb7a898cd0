#pragma once

#include <chrono>
#include <concepts>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace eddy::test {

/// The values at which arithmetic goes wrong: the least, -1, 0, 1 and the largest, which means no limit.
template <class T>
std::vector<T> extremes() {
    if constexpr (std::unsigned_integral<T>)
        return {T(0), T(1), std::numeric_limits<T>::max()};
    else if constexpr (std::signed_integral<T>)
        return {std::numeric_limits<T>::min(), T(-1), T(0), T(1), std::numeric_limits<T>::max()};
    else
        return {T::min(), T(-1), T::zero(), T(1), T::max()};
}

/// A set of options of which one has an extreme value.
template <class Options>
class variation {
public:
    variation(std::string setter, Options made, bool is_largest)
        : name(std::move(setter)), options(std::move(made)), is_max(is_largest) {}

    std::string name;  // "idle_time, value 2 of 5"
    Options options;
    bool is_max;
};

/// All variations of some options, one setter after the other:
///
///     variations(client_options()).of<duration>("idle_time", &client_options::idle_time).all()
template <class Options>
class variations {
public:
    explicit variations(Options usual) : usual_(std::move(usual)) {}

    template <class T>
    variations& of(const std::string& name, Options& (Options::*set)(T)) {
        const std::vector<T> values = extremes<T>();
        for (std::size_t at = 0; at < values.size(); ++at) {
            Options changed = usual_;
            (changed.*set)(values[at]);
            all_.emplace_back(
                name + ", value " + std::to_string(at + 1) + " of " + std::to_string(values.size()),
                std::move(changed), at + 1 == values.size());
        }
        return *this;
    }
    /// By value: a range-for over all() of a temporary keeps only what it is given.
    [[nodiscard]] std::vector<variation<Options>> all() { return std::exchange(all_, {}); }

private:
    Options usual_;
    std::vector<variation<Options>> all_;
};

}  // namespace eddy::test
