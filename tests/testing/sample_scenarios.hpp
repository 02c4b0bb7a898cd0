#pragma once

#include "support/numbered_bytes.hpp"
#include "support/require.hpp"
#include "support/stream_pair.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

// What is right: scenarios in which no tool may find anything.

namespace eddy::test {

inline task<> yields_three_times() {
    for (int at = 0; at < 3; ++at)
        co_await yield();
}

inline task<> sleeps() {
    co_await sleep_for(std::chrono::microseconds(200));
}

inline task<> send_and_end(tcp_stream& to, std::span<const std::byte> bytes) {
    co_await to.write_all(bytes);
    co_await to.shutdown();
}

inline task<> echo_to_end(tcp_stream& stream) {
    try {
        for (;;) {
            const auto received = co_await stream.read_leased();
            if (received.empty())
                break;
            co_await stream.write_all(received.bytes());
        }
        co_await stream.shutdown();
    } catch (...) {
        stream.close();  // nobody waits for what will not come
        throw;
    }
}

/// Numbered bytes go to a peer and back, by leases there and borrowed memory here.
inline task<> echoes() {
    std::array<std::byte, 3000> sent{};
    fill_numbered(sent, 0);
    std::array<std::byte, 3000> out{};
    auto pair = co_await connected_streams();
    auto serving = spawn(echo_to_end(pair.server), "serving");
    auto sending = spawn(send_and_end(pair.client, sent), "sending");
    std::size_t filled = 0;
    while (filled < out.size()) {
        const auto count = co_await as_result(pair.client.read(std::span(out).subspan(filled)));
        if (!count) {
            if (serving.done())
                co_await serving;  // which knows why
            throw std::system_error(count.error());
        }
        require(*count != 0, "the stream ended too early");
        filled += *count;
    }
    require(count_numbered(out, 0) == out.size(), "the bytes are not those that were sent");
    const std::size_t after_end = co_await pair.client.read(std::span(out).first(1));
    require(after_end == 0, "the stream did not end");
    co_await sending;
    co_await serving;
}

inline task<> offloads() {
    auto call = [] { return std::make_unique<int>(7); };
    auto awaited = offload(std::move(call));
    const auto made = co_await std::move(awaited);
    require(*made == 7, "an offloaded call gave another value");
}

inline task<> fills_a_set() {
    task_set set([](const std::exception_ptr&) {});
    for (int at = 0; at < 3; ++at)
        set.spawn(yields_three_times());
    set.spawn(sleeps());
    co_await set.join();
}

inline task<> times_out() {
    auto pair = co_await connected_streams();
    std::array<std::byte, 8> out{};
    auto late = with_timeout(pair.client.read(out), std::chrono::milliseconds(1));
    const auto outcome = co_await as_result(std::move(late));
    require(!outcome && outcome.error() == std::errc::timed_out, "nothing timed out");
}

inline task<int> sleeps_for_seven() {
    co_await sleep_for(std::chrono::microseconds(100));
    co_return 7;
}

/// Requires: two workers.
inline task<> calls_another_worker() {
    auto remote = runtime::current().spawn_on(1, sleeps_for_seven());
    const int got = co_await remote;
    require(got == 7, "a remote task gave another value");
}

}  // namespace eddy::test
