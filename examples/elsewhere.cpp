// Work on other threads: blocking calls on the offload pool, tasks on another worker.
//
//     build/release/examples/elsewhere
//
// It prints:
//
//     4 characters
//     worker 1 has ended its task

#include <eddy/eddy.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

using namespace std::chrono_literals;

eddy::task<> call_what_blocks() {
    // [snippet: offload]
    std::string text = "word";
    auto measure = [text = std::move(text)] { return text.size(); };  // owns what it uses
    const std::size_t size = co_await eddy::offload(std::move(measure));
    // [/snippet]
    std::printf("%zu characters\n", size);
}

eddy::task<> wait_for_ever() {
    co_await eddy::sleep_for(1h);
}

eddy::task<> end_what_is_elsewhere() {
    // [snippet: remote]
    eddy::remote_handle<> waiting = eddy::runtime::current().spawn_on(1, wait_for_ever(), "waiting");
    co_await waiting.cancel();  // the destructor would only send the drop
    // [/snippet]
    if (waiting.done())
        std::puts("worker 1 has ended its task");
}

eddy::task<> program() {
    co_await call_what_blocks();
    co_await end_what_is_elsewhere();
}

int main() {
    eddy::run(program(), eddy::runtime_options().workers(2));
}
