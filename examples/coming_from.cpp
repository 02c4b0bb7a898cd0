// What users of Asio, Tokio, Go, libuv and Seastar write, written here: docs/guide/coming-from-*.md quotes it.
//
//     build/release/examples/coming_from
//
// It prints:
//
//     echoed: hello
//     gave up after 20 ms
//     the faster one: 1
//     both: 3
//     cancelled with its locals
//     through the channel: 1 2 3
//     added under a lock: 200
//     hashed elsewhere: 1046
//     read back: a line
//     from both workers: 0 1
//     drained

#include <eddy/eddy.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

using namespace std::chrono_literals;

// [snippet: echo]
eddy::task<> echo(eddy::tcp_stream client) {
    std::array<std::byte, 4096> buffer;
    while (const std::size_t count = co_await client.read(buffer))
        co_await client.write_all(std::span(buffer).first(count));
}

eddy::task<> accept_clients(eddy::tcp_listener& listener, eddy::task_set& sessions) {
    while (auto client = co_await listener.next())
        sessions.spawn(echo(std::move(*client)));
}
// [/snippet]

// [snippet: connect]
eddy::task<std::string> ask(eddy::endpoint server, std::string question) {
    eddy::tcp_stream stream = co_await eddy::tcp_stream::connect(server);
    co_await stream.write_all(eddy::as_bytes(question));
    std::string answer(question.size(), '\0');
    co_await stream.read(std::as_writable_bytes(std::span(answer)));
    co_return answer;
}
// [/snippet]

eddy::task<> echo_once() {
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    eddy::task_set sessions;
    const auto accepting = eddy::spawn(accept_clients(listener, sessions));
    const std::string answer = co_await ask(listener.local_endpoint(), "hello");
    std::printf("echoed: %s\n", answer.c_str());
}

eddy::task<int> after(eddy::duration wait, int result) {
    co_await eddy::sleep_for(wait);
    co_return result;
}

// [snippet: timeout]
eddy::task<> give_up() {
    const auto result = co_await eddy::as_result(eddy::with_timeout(after(1h, 1), 20ms));
    if (!result && result.error() == std::errc::timed_out)
        std::puts("gave up after 20 ms");
}
// [/snippet]

// [snippet: race]
eddy::task<> take_the_faster() {
    const auto first = co_await eddy::race(after(1ms, 1), after(1h, 2));
    std::printf("the faster one: %d\n", std::visit([](int value) { return value; }, first));
}
// [/snippet]

// [snippet: all]
eddy::task<> take_both() {
    const auto [one, two] = co_await eddy::when_all(after(1ms, 1), after(2ms, 2));
    std::printf("both: %d\n", one + two);
}
// [/snippet]

eddy::task<> wait_for_ever() {
    co_await eddy::sleep_for(24h);
}

// [snippet: cancel]
eddy::task<> start_and_cancel() {
    {
        const eddy::handle<> waiting = eddy::spawn(wait_for_ever());
        co_await eddy::yield();  // it runs, until it waits
    }  // its owner ends here, and it has ended, its locals too
    std::puts("cancelled with its locals");
}
// [/snippet]

// [snippet: channel]
eddy::task<> produce(eddy::channel<int>& numbers) {
    for (int number = 1; number <= 3; ++number)
        co_await numbers.send(number);  // waits while it is full
    numbers.close();
}

eddy::task<> consume(eddy::channel<int>& numbers) {
    std::printf("through the channel:");
    while (const auto number = co_await numbers.recv())  // until it is closed, and empty
        std::printf(" %d", *number);
    std::puts("");
}

eddy::task<> produce_and_consume() {
    eddy::channel<int> numbers(1);
    co_await eddy::when_all(produce(numbers), consume(numbers));
}
// [/snippet]

// [snippet: select]
eddy::task<bool> stop_or_next(eddy::event<>& stop, eddy::channel<int>& numbers) {
    const auto first = co_await eddy::select(stop.wait(), numbers.recv(), eddy::sleep_for(1s));
    co_return first.index() == 1;
}
// [/snippet]

// [snippet: lock]
struct account {
    eddy::mutex lock;
    int sum = 0;
};

eddy::task<> add(std::shared_ptr<account> shared, int times) {
    for (; times > 0; --times) {
        const auto guard = co_await shared->lock.lock();
        ++shared->sum;
    }
}

eddy::task<> add_on_two_workers() {
    const auto shared = std::make_shared<account>();
    auto other = eddy::runtime::current().spawn_on(1, add(shared, 100));
    co_await add(shared, 100);
    co_await other;
    std::printf("added under a lock: %d\n", shared->sum);
}
// [/snippet]

// [snippet: offload]
int hash(std::string_view text) {
    return std::accumulate(text.begin(), text.end(), 0);
}

eddy::task<> hash_elsewhere() {
    const int sum = co_await eddy::offload(hash, std::string("a long text"));
    std::printf("hashed elsewhere: %d\n", sum);
}
// [/snippet]

// [snippet: files]
eddy::task<> write_and_read(eddy::file_path path) {
    co_await eddy::fs::write_file(path, "a line");
    const std::string text = co_await eddy::fs::read_file(path);
    std::printf("read back: %s\n", text.c_str());
}
// [/snippet]

eddy::task<> use_a_file() {
    auto directory = co_await eddy::fs::make_temporary_directory();
    co_await write_and_read(directory.path().text() + "/text");
    co_await directory.remove();
}

// [snippet: workers]
eddy::task<> ask_each_worker() {
    std::printf("from both workers:");
    for (auto& each :
         eddy::runtime::current().run_on_each([](std::size_t worker) { return after(1ms, int(worker)); }))
        std::printf(" %d", co_await each);
    std::puts("");
}
// [/snippet]

// [snippet: drain]
eddy::task<> drain(eddy::tcp_listener& listener, eddy::task_set& sessions) {
    listener.close();
    sessions.close();
    co_await eddy::as_result(eddy::with_timeout(sessions.join(), 1s));
    sessions.cancel();  // those that are left are dropped
    std::puts("drained");
}
// [/snippet]

eddy::task<> drain_nothing() {
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    eddy::task_set sessions;
    co_await drain(listener, sessions);
}

eddy::task<> run_all() {
    co_await echo_once();
    co_await give_up();
    co_await take_the_faster();
    co_await take_both();
    co_await start_and_cancel();
    co_await produce_and_consume();
    co_await add_on_two_workers();
    co_await hash_elsewhere();
    co_await use_a_file();
    co_await ask_each_worker();
    co_await drain_nothing();
}

int main() {
    eddy::run(run_all(), eddy::runtime_options().workers(2));
}
