#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace eddy::detail {

/// A source of random order that the same seed repeats (splitmix64). A uniform random bit generator, for
/// std::shuffle. The seed 0 stands for no shuffling.
class shuffler {
public:
    using result_type = std::uint64_t;

    explicit shuffler(std::uint64_t seed) noexcept : is_on_(seed != 0), state_(seed) {}

    /// Whether there is to be any shuffling.
    [[nodiscard]] bool is_on() const noexcept { return is_on_; }

    static constexpr result_type min() noexcept { return 0; }
    static constexpr result_type max() noexcept { return std::numeric_limits<result_type>::max(); }
    result_type operator()() noexcept {
        std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15U;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
        return mixed ^ (mixed >> 31);
    }

    /// A number from 0 to `end` - 1. Requires: end > 0.
    [[nodiscard]] std::size_t below(std::size_t end) noexcept {
        return static_cast<std::size_t>((*this)() % end);
    }

    /// Takes an element of an intrusive list out of it, the first unless order is shuffled. Turning the list
    /// by a random number of places spares counting it. Requires: it is not empty.
    template <class List>
    auto& take(List& list) noexcept {
        if (!is_on_) [[likely]]
            return list.pop_front();
        constexpr std::size_t places = 61;
        for (std::size_t left = below(places); left != 0; --left)
            list.push_back(list.pop_front());
        return list.pop_front();
    }

private:
    bool is_on_;
    std::uint64_t state_;
};

}  // namespace eddy::detail
