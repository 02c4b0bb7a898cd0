// Running other programs: speaking with them through pipes, joining them, and dropping them.
//
//     build/release/examples/children
//
// It prints:
//
//     sort says: apple banana cherry
//     it ended with code 3
//     no program of that name
//     12 bytes went through two programs
//     too slow, and gone
//     said on the way out: bye

#include <eddy/eddy.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <system_error>
#include <utility>

using namespace std::chrono_literals;
using eddy::child_stream;
using eddy::command;

// [snippet: speak]
eddy::task<std::string> read_all(eddy::pipe_reader& from) {
    std::string text;
    std::array<std::byte, 4096> arrived;
    while (const std::size_t count = co_await from.read(arrived))
        text += eddy::as_text(std::span(arrived).first(count));
    co_return text;
}

eddy::task<> write_and_end(eddy::pipe_writer& to, std::string text) {
    co_await to.write_all(eddy::as_bytes(text));
    to.close();  // sort begins when it sees the end
}

eddy::task<> sort_three_words() {
    auto sorting = co_await command("sort").input(child_stream::pipe()).output(child_stream::pipe()).start();
    // While the output is read: pipes hold only so much.
    auto writing = eddy::spawn(write_and_end(sorting.input(), "cherry\napple\nbanana\n"));
    std::string sorted = co_await read_all(sorting.output());
    co_await writing;
    const eddy::exit_status status = co_await sorting.wait();
    for (char& each : sorted)
        each = each == '\n' ? ' ' : each;
    if (status.is_success())
        std::printf("sort says: %.*s\n", static_cast<int>(sorted.size()) - 1, sorted.c_str());
}
// [/snippet]

// [snippet: errors]
eddy::task<> tell_ends_and_errors() {
    auto failing = co_await command("sh").arguments("-c", "exit 3").start();
    const eddy::exit_status status = co_await failing.wait();
    std::printf("it ended with code %d\n", status.code());
    const auto missing = co_await eddy::as_result(command("eddy-no-such-program").start());
    if (!missing && missing.error() == std::errc::no_such_file_or_directory)
        std::puts("no program of that name");
}
// [/snippet]

// [snippet: join]
eddy::task<> join_two() {
    auto first = co_await command("echo").argument("hello, world").output(child_stream::pipe()).start();
    auto second = co_await command("tr")
                      .arguments("-d", "\n")
                      .input(child_stream::pipe_end(std::move(first.output())))
                      .output(child_stream::pipe())
                      .start();
    const std::string text = co_await read_all(second.output());
    co_await first.wait();
    co_await second.wait();
    std::printf("%zu bytes went through two programs\n", text.size());
}
// [/snippet]

// [snippet: drop]
eddy::task<> abandon() {
    auto slow = co_await command("sleep").argument("1000").start();
    const auto late = co_await eddy::as_result(eddy::with_timeout(slow.wait(), 10ms));
    if (!late && late.error() == std::errc::timed_out)
        std::puts("too slow, and gone");
}  // here SIGKILL is sent, and no zombie stays

eddy::task<> stop_gracefully() {
    eddy::pipe_ends farewell = eddy::pipe();
    auto polite = co_await command("sh")
                      .arguments("-c", "trap 'echo bye; exit' TERM; echo ready; while :; do sleep 0.01; done")
                      .output(child_stream::pipe_end(std::move(farewell.writer)))
                      .grace(5s)
                      .start();
    std::array<std::byte, 6> ready;
    co_await farewell.reader.read(ready);
    polite = co_await command("true").start();  // the one before is dropped: SIGTERM, and SIGKILL 5 s later
    const std::string said = co_await read_all(farewell.reader);
    std::printf("said on the way out: %s", said.c_str());
}
// [/snippet]

eddy::task<> run_all() {
    co_await sort_three_words();
    co_await tell_ends_and_errors();
    co_await join_two();
    co_await abandon();
    co_await stop_gracefully();
}

int main() {
    try {
        eddy::run(run_all());
    } catch (const std::system_error& error) {
        std::fprintf(stderr, "children: %s\n", error.what());
        return 1;
    }
}
