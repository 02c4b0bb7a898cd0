// What the text quotes.
#include "support/list.hpp"

#include <coroutine>
#include <deque>
#include <string>

namespace {

// [snippet: naive]
// The loop that one writes first.
class naive_loop {
public:
    void post(std::coroutine_handle<> ready) { ready_.push_back(ready); }

    void run() {
        while (!ready_.empty()) {
            const std::coroutine_handle<> next = ready_.front();
            ready_.pop_front();
            next.resume();  // what if its frame has been destroyed since it was posted?
        }
    }

private:
    std::deque<std::coroutine_handle<>> ready_;
};
// [/snippet]

// [snippet: list]
struct guest : course::link {
    explicit guest(std::string called) : name(called) {}
    std::string name;
};

std::string names_in_order() {
    course::list<guest> waiting;
    guest first("a");
    guest last("c");
    waiting.push_back(first);
    {
        guest leaves("b");
        waiting.push_back(leaves);
    }  // here "b" leaves the list by itself
    waiting.push_back(last);

    std::string names;
    while (!waiting.empty())
        names += waiting.pop_front().name;
    return names;  // "ac"
}
// [/snippet]

}  // namespace

std::string text_of_lab2() {
    naive_loop().run();
    return names_in_order();
}
