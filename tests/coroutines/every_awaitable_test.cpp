#include <eddy/combine/race.hpp>
#include <eddy/combine/race_ok.hpp>
#include <eddy/combine/select.hpp>
#include <eddy/combine/shield.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/combine/wait_any.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/when_all_settled.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/async_generator.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/stop_scope.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/directory.hpp>
#include <eddy/fs/directory_walk.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/http/websocket/websocket.hpp>
#include <eddy/net/local_datagram.hpp>
#include <eddy/net/local_listener.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/net/readiness.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/os/child.hpp>
#include <eddy/os/pipe.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/runtime/clock_sleep.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/remote_handle.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/ticker.hpp>
#include <eddy/runtime/timer.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/buffered_writer.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/sync/auto_reset_event.hpp>
#include <eddy/sync/barrier.hpp>
#include <eddy/sync/broadcast.hpp>
#include <eddy/sync/channel.hpp>
#include <eddy/sync/condition_variable.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/sync/latch.hpp>
#include <eddy/sync/mutex.hpp>
#include <eddy/sync/once.hpp>
#include <eddy/sync/oneshot.hpp>
#include <eddy/sync/semaphore.hpp>
#include <eddy/sync/shared_mutex.hpp>
#include <eddy/sync/wait_group.hpp>
#include <eddy/sync/watch.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Whatever can be awaited can be given to every combinator, as a temporary and as what has a name. That it
// compiles is the test: nothing here is run.

namespace eddy::every_awaitable_test {
namespace {

template <class T>
T& of() {
    std::abort();
}

using bytes = std::span<const std::byte>;
using out = std::span<std::byte>;

struct compute {
    int operator()() const { return 1; }
};

template <class... Each>
struct list {};

// What is awaited where it stands only: `co_await` takes an lvalue of it.
using with_a_name = list<handle<int>, handle<>, remote_handle<int>, remote_handle<>>;

using awaitables = list<
    // core
    task<int>, task<>, task<int&>, task<std::unique_ptr<int>>, ready_or_task<int>, ready_or_task<>,
    decltype(yield()), decltype(check_stop()), decltype(of<async_generator<int>>().next()),
    decltype(as_result(of<task<int> (&)()>()())),
    // combine
    decltype(when_all(of<task<int> (&)()>()())), decltype(when_all(of<std::vector<task<int>>>())),
    decltype(when_all_settled(of<task<int> (&)()>()())), decltype(race(of<task<int> (&)()>()())),
    decltype(race_ok(of<task<int> (&)()>()())), decltype(select(of<task<int> (&)()>()())),
    decltype(shield(of<task<int> (&)()>()())),
    decltype(with_timeout(of<task<int> (&)()>()(), std::chrono::seconds(1))),
    decltype(with_timeout(of<tcp_stream>().read(out()), std::chrono::seconds(1))),
    decltype(wait_any(of<handle<int>>())), decltype(of<task_set>().join()),
    decltype(of<task_set>().fewer_than(1)), decltype(of<task_set>().spawn_when_free(of<task<> (&)()>()())),
    // runtime
    decltype(sleep_for(std::chrono::seconds(1))), decltype(sleep_until(time_point())),
    decltype(sleep_until(std::chrono::system_clock::time_point())),
    decltype(sleep_until(boot_clock::time_point())), decltype(of<timer>().wait()),
    decltype(of<ticker>().next()), decltype(offload(compute())), decltype(of<remote_handle<int>>().cancel()),
    // sync
    decltype(of<event<>>().wait()), decltype(of<event<int>>().wait()),
    decltype(of<auto_reset_event>().wait()), decltype(of<latch>().wait()),
    decltype(of<latch>().arrive_and_wait()), decltype(of<barrier<>>().arrive_and_wait()),
    decltype(of<wait_group>().wait()), decltype(of<mutex>().lock()), decltype(of<shared_mutex>().lock()),
    decltype(of<shared_mutex>().lock_shared()), decltype(of<semaphore>().acquire()),
    decltype(of<condition_variable>().wait(of<mutex_guard>())),
    decltype(of<condition_variable>().wait_until(of<mutex_guard>(), time_point())),
    decltype(of<channel<int>>().send(1)), decltype(of<channel<int>>().recv()),
    decltype(of<broadcast_receiver<int>>().recv()), decltype(of<watch_receiver<int>>().changed()),
    oneshot_receiver<int>,
    // stream
    decltype(of<duplex_stream>().read(out())), decltype(of<duplex_stream>().write(bytes())),
    decltype(of<duplex_stream>().write_all(bytes())), decltype(of<duplex_stream>().shutdown()),
    decltype(of<any_stream>().read(out())), decltype(of<any_stream>().read_leased()),
    decltype(of<any_stream>().write(bytes())), decltype(of<any_stream>().write_all(bytes())),
    decltype(of<any_stream>().shutdown()), decltype(of<buffered_reader<tcp_stream>>().read(out())),
    decltype(of<buffered_reader<tcp_stream>>().read_line(1)),
    decltype(of<buffered_reader<tcp_stream>>().read_exactly(1)),
    decltype(of<buffered_reader<tcp_stream>>().read_to_end(1)),
    decltype(of<buffered_reader<tcp_stream>>().peek(1)), decltype(of<buffered_reader<tcp_stream>>().skip(1)),
    decltype(of<buffered_writer<tcp_stream>>().write(bytes())),
    // net
    decltype(of<tcp_stream>().read(out())), decltype(of<tcp_stream>().read_leased()),
    decltype(of<tcp_stream>().write(bytes())), decltype(of<tcp_stream>().write_all(bytes())),
    decltype(of<tcp_stream>().write_all(of<std::span<const_buffer>>())),
    decltype(of<tcp_stream>().write_all(of<owned_bytes (&)()>()())), decltype(of<tcp_stream>().shutdown()),
    decltype(of<tcp_listener>().accept()), decltype(of<tcp_listener>().next()),
    decltype(of<local_listener>().accept()), decltype(of<udp_socket>().receive_from(out())),
    decltype(of<udp_socket>().receive(out())), decltype(of<udp_socket>().send_to(bytes(), of<endpoint>())),
    decltype(of<udp_socket>().send(bytes())), decltype(of<local_datagram>().receive(out())),
    // fs
    decltype(of<file>().read_at(out(), 0)), decltype(of<file>().read_owned_at(0, 1)),
    decltype(of<file>().read(out())), decltype(of<file>().write_at(bytes(), 0)),
    decltype(of<file>().write(bytes())), decltype(of<directory>().open_file("")),
    decltype(of<directory_walk>().next()),
    // os
    decltype(of<pipe_reader>().read(out())), decltype(of<pipe_writer>().write(bytes())),
    decltype(of<pipe_writer>().write_all(bytes())), decltype(of<signal_set>().wait()),
    decltype(of<child>().wait()),
    // http
    decltype(of<http::websocket>().receive()), decltype(of<http::websocket>().send_text(""))>;

// `begin()` is what a program writes in place of it.
template <class Begin>
task<> in_every_combinator(Begin begin) {
    using std::chrono_literals::operator""s;
    static_cast<void>(co_await begin());
    static_cast<void>(co_await as_result(begin()));
    static_cast<void>(co_await with_timeout(begin(), 1s));
    static_cast<void>(co_await as_result(with_timeout(begin(), 1s)));
    static_cast<void>(co_await race(begin(), yield()));
    static_cast<void>(co_await race_ok(begin(), yield()));
    static_cast<void>(co_await select(begin(), yield()));
    static_cast<void>(co_await when_all(begin(), yield()));
    static_cast<void>(co_await when_all_settled(begin(), yield()));
    static_cast<void>(co_await shield(begin()));
}

template <class Awaitable>
struct begin_named {
    Awaitable& operator()() const { return of<Awaitable>(); }
};

template <class... Named, class... Temporary>
std::size_t count(list<Named...>, list<Temporary...>) {
    const bool all_compile[] = {(&in_every_combinator<begin_named<Named>> != nullptr)...,
                                (&in_every_combinator<Temporary (*)()> != nullptr)...};
    return std::size(all_compile);
}

TEST(every_awaitable, can_be_given_to_every_combinator) {
    EXPECT_GE(count(with_a_name(), awaitables()), 80u);
}

}  // namespace

// Never called.
template <class T>
T& of() {
    std::abort();
}

}  // namespace eddy::every_awaitable_test
