#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"

#include <eddy/runtime/backend_kind.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

namespace eddy {
namespace {

/// Sets EDDY_BACKEND for as long as it lives.
class backend_variable {
public:
    explicit backend_variable(const char* value) {
        if (const char* const found = std::getenv("EDDY_BACKEND"))
            before_ = found;
        set(value);
    }
    backend_variable(const backend_variable&) = delete;
    backend_variable& operator=(const backend_variable&) = delete;
    ~backend_variable() { set(before_ ? before_->c_str() : nullptr); }

private:
    static void set(const char* value) {
        if (value != nullptr)
            ::setenv("EDDY_BACKEND", value, 1);
        else
            ::unsetenv("EDDY_BACKEND");
    }
    std::optional<std::string> before_;
};

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
    for (const char* name : {"io_uring", "epoll"}) {
        const backend_variable variable(name);
        EXPECT_EQ(chosen_backend(), name);
    }
}

TEST(choice_of_a_backend, prefers_the_option_to_the_environment) {
    const backend_variable variable("io_uring");
    EXPECT_EQ(chosen_backend(runtime_options().backend(backend_kind::epoll)), "epoll");
}

TEST(choice_of_a_backend, is_io_uring_where_nothing_is_said_and_the_kernel_allows_it) {
    for (const char* name : {static_cast<const char*>(nullptr), "", "auto"}) {
        const backend_variable variable(name);
        EXPECT_EQ(chosen_backend(), "io_uring");
    }
}

TEST(choice_of_a_backend, refuses_a_name_that_it_does_not_know) {
    const backend_variable variable("kqueue");
    try {
        chosen_backend();
        FAIL() << "nothing thrown";
    } catch (const std::invalid_argument& caught) {
        EXPECT_STREQ(caught.what(), "EDDY_BACKEND: unknown backend 'kqueue' (io_uring, epoll or auto)");
    }
    EXPECT_EQ(chosen_backend(runtime_options().backend(backend_kind::epoll)), "epoll")
        << "the variable is not asked where the program has said what it wants";
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
    EXPECT_EQ(output_of("none auto"), "io_uring: hello\nio_uring: hello\n");
}

#endif

}  // namespace
}  // namespace eddy
