#include "support/drop_moments.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/os/pipe.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <unistd.h>

namespace eddy::pipe_test {
namespace {

using test::moment;

class a_dropped_read_of_a_pipe : public ::testing::TestWithParam<moment> {};

TEST_P(a_dropped_read_of_a_pipe, loses_no_byte) {
    const auto main = [](moment when) -> task<> {
        auto ends = pipe();
        const int writing = ends.writer.descriptor();
        test::race race(when, [writing] { EXPECT_EQ(::write(writing, "abc", 3), 3); });
        auto reading = spawn([](pipe_reader& from) -> task<> {
            std::array<std::byte, 2> out{};
            co_await from.read(out);
        }(ends.reader));
        co_await race.reach();
        race.drop(reading);
        race.win();
        std::string seen;
        while (seen.size() < 3) {
            std::array<std::byte, 100> out{};
            const std::size_t count = co_await ends.reader.read(out);
            seen += as_text(std::span(out).first(count));
        }
        EXPECT_EQ(seen, "abc");
    };
    test::run_bounded(main(GetParam()), test::one_entry_options());
}

INSTANTIATE_TEST_SUITE_P(pipe, a_dropped_read_of_a_pipe, ::testing::ValuesIn(test::every_moment()),
                         [](const auto& instance) { return test::to_string(instance.param); });

}  // namespace
}  // namespace eddy::pipe_test
