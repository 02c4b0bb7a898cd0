// Must not compile: the parameter would dangle once the coroutine suspends.
#include <eddy/core/generator.hpp>

#include <string>

eddy::generator<char> letters(std::string&& text) {
    for (char letter : text)
        co_yield letter;
}
