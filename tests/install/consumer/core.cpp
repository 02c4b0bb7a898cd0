// A program that uses an installed eddy.
#include <eddy/eddy.hpp>

#include <system_error>

// A receiver that is handed its item while it waits, and a channel that is closed before it takes it.
eddy::task<int> sum_of(eddy::channel<int>& numbers) {
    int sum = 0;
    while (const auto next = co_await numbers.recv())
        sum += *next;
    co_return sum;
}

eddy::task<int> answer() {
    eddy::channel<int> numbers(1);
    auto sum = eddy::spawn(sum_of(numbers));
    co_await eddy::yield();
    co_await numbers.send(40);
    co_await eddy::yield();
    co_await numbers.send(2);
    numbers.close();
    co_return co_await sum;
}

int main() {
    return eddy::run(answer()) == 42 ? 0 : 1;
}
