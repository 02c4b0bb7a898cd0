#pragma once

#include "support/seed.hpp"
#include "support/time_bound.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/runtime/runtime.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

namespace eddy::test {

/// How many operations a stress test makes: a million, a twentieth of that where a sanitizer slows it down,
/// or EDDY_TEST_OPERATIONS.
inline std::size_t stress_operations() {
    if (const char* const wanted = std::getenv("EDDY_TEST_OPERATIONS"))
        return std::strtoull(wanted, nullptr, 10);
    return EDDY_SANITIZED != 0 ? 50'000 : 1'000'000;
}

/// Random choices of one operation of a stress test.
class stress_choice {
public:
    explicit stress_choice(std::uint64_t seed) noexcept : state_(seed | 1) {}
    [[nodiscard]] std::uint64_t below(std::uint64_t count) noexcept {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return state_ % count;
    }
    [[nodiscard]] bool flip() noexcept { return below(2) == 0; }

private:
    std::uint64_t state_;
};

/// Runs `operations` tasks that make(choice) gives, sixteen at a time, and drops every third of them, at a
/// random moment. All must end by themselves if nobody drops them.
template <class Make>
task<> stress_here(Make make, std::uint64_t seed, std::size_t operations) {
    stress_choice choice(seed);
    std::array<handle<>, 16> running;
    for (std::size_t made = 0; made < operations; ++made) {
        auto& place = running[choice.below(running.size())];
        if (place && choice.below(3) == 0)
            place.cancel();
        else if (place)
            co_await place;
        place = spawn(make(stress_choice(choice.below(~std::uint64_t{0}))), "stress");
        if (choice.below(8) == 0)
            co_await yield();
    }
    for (auto& place : running)
        if (place)
            co_await place;
}

/// Does so on each of `workers` workers, stress_operations() altogether. `make` is copied to each.
template <class Make>
void stress(std::size_t workers, Make make) {
    const time_bound bound;
    auto generator = seeded_generator();
    const std::uint64_t seed = generator();
    const auto main = [](Make& made, std::uint64_t first_seed) -> task<> {
        auto& here = runtime::current();
        std::vector<remote_handle<>> started;
        for (std::size_t at = 0; at < here.workers(); ++at)
            started.push_back(here.spawn_on(at, stress_here(made, first_seed + at * 0x9e37'79b9'7f4a'7c15U,
                                                            stress_operations() / here.workers())));
        for (auto& each : started)
            co_await each;
    };
    runtime(runtime_options().workers(workers)).run(main(make, seed));
}

}  // namespace eddy::test
