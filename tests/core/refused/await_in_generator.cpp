// Must not compile: a generator does not wait.
#include <eddy/core/generator.hpp>
#include <eddy/core/yield.hpp>

eddy::generator<int> waiting() {
    co_await eddy::yield();
    co_yield 1;
}
