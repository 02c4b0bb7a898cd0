// What the text quotes.
#include "support/test.hpp"

#include <coroutine>
#include <cstdio>
#include <exception>

namespace {

// [snippet: smallest]
// The smallest coroutine type there is: it starts at once, returns nothing, and frees itself at its end.
struct fire_and_forget {
    struct promise_type {
        fire_and_forget get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};

fire_and_forget greet(const char* name) {
    std::printf("Hello, %s\n", name);
    co_return;
}
// [/snippet]

// [snippet: awaiter]
// Suspends the coroutine and keeps its handle, so that `last.resume()` lets it go on.
struct stop_here {
    std::coroutine_handle<>& last;

    bool await_ready() noexcept { return false; }  // true: the result is there, so do not suspend at all
    void await_suspend(std::coroutine_handle<> caller) noexcept {
        last = caller;
    }  // the caller is suspended by now
    int await_resume() noexcept { return 42; }  // what co_await evaluates to, once the caller was resumed
};

fire_and_forget answer(std::coroutine_handle<>& last) {
    stop_here stop{last};
    std::printf("the answer is %d\n", co_await stop);
}
// [/snippet]

// [snippet: three-forms]
struct three_forms {
    bool await_ready() noexcept { return false; }
    void await_resume() noexcept {}

    // void: the caller stays suspended, and control goes back to what had resumed it.
    //     void await_suspend(std::coroutine_handle<> caller);
    // bool: the same for true. For false the caller goes on at once.
    //     bool await_suspend(std::coroutine_handle<> caller);
    // A handle: the caller stays suspended, and the coroutine of that handle goes on in its place.
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept { return caller; }
};
// [/snippet]

fire_and_forget use(three_forms forms) {
    co_await forms;
}

}  // namespace

void text_of_lab1() {
    greet("reader");
    std::coroutine_handle<> last;
    answer(last);
    last.resume();
    use({});
}
