// One task sets an event, others wait for it: once without a value, once with one.
//
//     build/release/examples/event
//
// It prints:
//
//     the event is set
//     task 0 goes on
//     task 1 goes on
//     task 2 goes on
//     worker 1 has heard: the answer is 42

#include <eddy/eddy.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

using namespace std::chrono_literals;
eddy::task<> wait_task(eddy::event<>& begun, int number) {
    co_await begun.wait();
    std::printf("task %d goes on\n", number);
}

eddy::task<> set_task(eddy::event<>& begun) {
    co_await eddy::sleep_for(10ms);
    std::puts("the event is set");
    begun.set();
}
eddy::task<> listen(std::shared_ptr<eddy::event<std::string>> news) {
    const std::string& text = co_await news->wait();
    std::printf("worker %zu has heard: %s\n", eddy::worker::current().index(), text.c_str());
}

eddy::task<> program() {
    eddy::event<> begun;
    std::vector<eddy::handle<>> running;
    for (int number = 0; number < 3; ++number)
        running.push_back(eddy::spawn(wait_task(begun, number)));
    running.push_back(eddy::spawn(set_task(begun)));
    for (auto& each : running)
        co_await each;

    // What tasks on several workers use is owned by all of them.
    const auto news = std::make_shared<eddy::event<std::string>>();
    auto listening = eddy::runtime::current().spawn_on(1, listen(news));
    news->set("the answer is 42");
    co_await listening;
}

int main() {
    eddy::run(program(), eddy::runtime_options().workers(2));
}
