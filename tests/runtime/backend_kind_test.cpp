#include "support/environment_variable.hpp"
#include "support/io_uring_refusal.hpp"
#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"

#include <eddy/io/buffer.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/runtime_options.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace eddy::backend_kind_test {
namespace {

std::string chosen_backend(const runtime_options& options = {}) {
    runtime made(runtime_options(options).workers(1));
    return std::string(made.backend_name());
}

TEST(backend_kind, has_a_name_that_reads_back) {
    for (const auto kind : {backend_kind::automatic, backend_kind::io_uring, backend_kind::epoll})
        EXPECT_EQ(parse_backend_kind(to_string(kind)), kind);
}

TEST(backend_kind, that_is_unknown_is_named_in_the_error) {
    for (const auto* name : {"iouring", "", "EPOLL", "kqueue", "epoll "}) {
        const auto parsed = parse_backend_kind(name);
        ASSERT_FALSE(parsed.has_value());
        EXPECT_NE(parsed.error().find("'" + std::string(name) + "'"), std::string::npos) << parsed.error();
        EXPECT_NE(parsed.error().find("io_uring, epoll or auto"), std::string::npos) << parsed.error();
    }
}

TEST(choice_of_a_backend, follows_the_environment) {
    if (test::refusal_of_io_uring() != 0)
        GTEST_SKIP() << test::needs_io_uring;
    for (const char* name : {"io_uring", "epoll"}) {
        const test::environment_variable variable("EDDY_BACKEND", name);
        EXPECT_EQ(chosen_backend(), name);
    }
}

TEST(choice_of_a_backend, prefers_the_option_to_the_environment) {
    const test::environment_variable variable("EDDY_BACKEND", "io_uring");
    EXPECT_EQ(chosen_backend(runtime_options().backend(backend_kind::epoll)), "epoll");
}

TEST(choice_of_a_backend, is_io_uring_where_nothing_is_said_and_the_kernel_allows_it) {
    if (test::refusal_of_io_uring() != 0)
        GTEST_SKIP() << test::needs_io_uring;
    for (const char* name : {static_cast<const char*>(nullptr), "", "auto"}) {
        const test::environment_variable variable("EDDY_BACKEND", name);
        EXPECT_EQ(chosen_backend(), "io_uring");
    }
}

TEST(choice_of_a_backend, refuses_a_name_that_it_does_not_know) {
    const test::environment_variable variable("EDDY_BACKEND", "kqueue");
    try {
        chosen_backend();
        FAIL() << "nothing thrown";
    } catch (const std::invalid_argument& caught) {
        EXPECT_STREQ(caught.what(), "EDDY_BACKEND: unknown backend 'kqueue' (io_uring, epoll or auto)");
    }
    EXPECT_EQ(chosen_backend(runtime_options().backend(backend_kind::epoll)), "epoll")
        << "the variable is not asked where the program has said what it wants";
}

TEST(options_of_a_backend, are_refused_by_name_where_they_are_out_of_range) {
    constexpr auto largest = std::numeric_limits<std::size_t>::max();
    const std::vector<std::pair<io::backend_options, std::string>> refused{
        {io::backend_options().queue_entries(0), "queue_entries: 0 is not 1 or more"},
        {io::backend_options().receive_buffers_max(0), "receive_buffers_max: 0 is not 1 or more"},
        {io::backend_options().receive_buffer_bytes(0),
         "receive_buffer_bytes: 0 is not between 1 and 1073741824"},
        {io::backend_options().receive_buffer_bytes(largest),
         "receive_buffer_bytes: 18446744073709551615 is not between 1 and 1073741824"},
    };
    for (const backend_kind kind : {backend_kind::automatic, backend_kind::io_uring, backend_kind::epoll}) {
        for (const auto& [options, message] : refused) {
            try {
                chosen_backend(runtime_options().backend(kind).io(options));
                ADD_FAILURE() << message;
            } catch (const std::invalid_argument& error) {
                EXPECT_EQ(error.what(), message);
            }
        }
    }
}

std::size_t bytes_of_an_exchange(const io::backend_options& options, backend_kind kind) {
    const auto main = []() -> task<std::size_t> {
        auto pair = co_await test::connected_streams();
        co_await pair.client.write_all(as_bytes("hello"));
        std::size_t received = 0;
        while (received < 5)
            received += (co_await pair.server.read_leased()).size();
        co_return received;
    };
    return test::run_bounded(main(), runtime_options().workers(1).backend(kind).io(options));
}

TEST(options_of_a_backend, may_be_as_small_and_as_large_as_can_be) {
    for (const backend_kind kind : {backend_kind::io_uring, backend_kind::epoll}) {
        if (kind == backend_kind::io_uring && test::refusal_of_io_uring() != 0)
            continue;
        EXPECT_EQ(
            bytes_of_an_exchange(
                io::backend_options().queue_entries(1).receive_buffers_max(1).receive_buffer_bytes(1), kind),
            5U);
        EXPECT_EQ(bytes_of_an_exchange(io::backend_options()
                                           .queue_entries(std::numeric_limits<unsigned>::max())
                                           .receive_buffers_max(std::numeric_limits<std::size_t>::max()),
                                       kind),
                  5U);
    }
}

#ifdef EDDY_FILTERED_EXCHANGE

/// What a filtered exchange prints, standard error included.
std::string output_of(const std::string& arguments) {
    const std::string command =
        "unset EDDY_BACKEND; timeout 60 " EDDY_FILTERED_EXCHANGE " " + arguments + " 2>&1";
    FILE* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr)
        return "popen failed";
    std::string text;
    std::array<char, 256> part{};
    while (std::fgets(part.data(), part.size(), pipe) != nullptr)
        text += part.data();
    ::pclose(pipe);
    return text;
}

int occurrences(const std::string& text, const std::string& of) {
    int count = 0;
    for (std::size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + 1))
        ++count;
    return count;
}

TEST(backend_under_a_filter, falls_back_to_epoll_and_says_so_once) {
    for (const std::string error : {"EPERM", "ENOSYS"}) {
        const std::string output = output_of(error + " auto");
        EXPECT_EQ(occurrences(output, "epoll: hello\n"), 2) << output;
        EXPECT_EQ(occurrences(output, "eddy: io_uring is not available ("), 1) << output;
        EXPECT_EQ(occurrences(output, "; using epoll\n"), 1) << output;
        EXPECT_EQ(occurrences(output, "\n"), 3) << output;
    }
}

TEST(backend_under_a_filter, is_not_replaced_when_io_uring_was_asked_for) {
    EXPECT_EQ(output_of("EPERM io_uring"),
              "error: the io_uring backend is not available: Operation not permitted\n");
    EXPECT_EQ(output_of("ENOSYS io_uring"),
              "error: the io_uring backend is not available: Function not implemented\n");
}

TEST(backend_under_a_filter, is_epoll_without_a_word_when_that_was_asked_for) {
    EXPECT_EQ(output_of("EPERM epoll"), "epoll: hello\nepoll: hello\n");
}

TEST(backend_without_a_filter, is_io_uring_without_a_word) {
    if (test::refusal_of_io_uring() != 0)
        GTEST_SKIP() << test::needs_io_uring;
    EXPECT_EQ(output_of("none auto"), "io_uring: hello\nio_uring: hello\n");
}

#endif

}  // namespace
}  // namespace eddy::backend_kind_test
