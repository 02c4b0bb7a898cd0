#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/os/command.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <sys/wait.h>
#include <utility>

namespace eddy::test {

/// Whether this process has a child, one that has ended included.
inline bool has_child() {
    siginfo_t found{};
    return ::waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT) == 0;
}

inline command shell(std::string script) {
    return command("sh").arguments("-c", script);
}

/// Everything until the end.
inline task<std::string> read_all(pipe_reader& from) {
    std::string all;
    std::array<std::byte, 4096> out{};
    for (;;) {
        const std::size_t count = co_await from.read(out);
        if (count == 0)
            co_return all;
        all += as_text(std::span(out).first(count));
    }
}

/// What it writes to its standard output.
inline task<std::string> output_of(command cmd) {
    auto started = co_await cmd.output(child_stream::pipe()).start();
    auto text = co_await read_all(started.output());
    const exit_status status = co_await started.wait();
    EXPECT_TRUE(status.is_success()) << status.code() << ' ' << status.signal();
    co_return text;
}

}  // namespace eddy::test
