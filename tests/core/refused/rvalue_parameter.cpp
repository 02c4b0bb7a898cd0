// Must not compile: the parameter would dangle once the coroutine suspends.
#include <eddy/core/task.hpp>

#include <string>

eddy::task<> greet(std::string&& name) {
    static_cast<void>(name);
    co_return;
}
