// Tasks on several workers that speak through channels: work for many, answers back, an end.
//
//     build/release/examples/channel
//
// It prints:
//
//     squares: 2470 from 20 numbers
//     answered: 42
//     first: nothing within a millisecond
//     then: news

#include <eddy/eddy.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <variant>

using namespace std::chrono_literals;

// [snippet: work]
// What tasks on different workers share is owned by all of them.
struct workshop {
    eddy::channel<int> numbers{4};  // no more than four wait, so the sender is slowed down
    eddy::channel<int> squares = eddy::channel<int>::unbounded();
};

eddy::task<> produce(std::shared_ptr<workshop> shared, int from, int count) {
    for (int number = from; number < from + count; ++number)
        co_await shared->numbers.send(number);
}

eddy::task<> square(std::shared_ptr<workshop> shared) {
    while (auto number = co_await shared->numbers.recv())  // until it is closed and drained
        co_await shared->squares.send(*number * *number);
}

eddy::task<> share_work() {
    const auto shared = std::make_shared<workshop>();
    auto& here = eddy::runtime::current();
    auto one = here.spawn_on(1, square(shared), "square");
    auto other = here.spawn_on(2, square(shared), "square");
    co_await eddy::when_all(produce(shared, 0, 10), produce(shared, 10, 10));
    shared->numbers.close();
    co_await one;
    co_await other;
    shared->squares.close();

    int sum = 0;
    int count = 0;
    while (auto squared = co_await shared->squares.recv()) {
        sum += *squared;
        ++count;
    }
    std::printf("squares: %d from %d numbers\n", sum, count);
}
// [/snippet]

// [snippet: oneshot]
eddy::task<> answer(eddy::oneshot_sender<int> sender) {
    sender.send(42);
    co_return;
}

eddy::task<> ask() {
    eddy::oneshot<int> question;
    eddy::runtime::current().spawn_on(1, answer(std::move(question.sender))).detach();
    const int answered = co_await question.receiver;
    std::printf("answered: %d\n", answered);
}
// [/snippet]

// [snippet: select]
eddy::task<> choose() {
    eddy::channel<std::string> news(1);
    eddy::channel<int> numbers(1);
    const auto first = co_await eddy::select(news.recv(), numbers.recv(), eddy::sleep_for(1ms));
    if (first.index() == 2)
        std::printf("first: nothing within a millisecond\n");

    co_await news.send("news");
    const auto then = co_await eddy::select(news.recv(), numbers.recv(), eddy::sleep_for(1h));
    if (const auto* const text = std::get_if<0>(&then))
        std::printf("then: %s\n", (*text)->c_str());
}
// [/snippet]

eddy::task<> program() {
    co_await share_work();
    co_await ask();
    co_await choose();
}

int main() {
    eddy::run(program(), eddy::runtime_options().workers(3));
}
