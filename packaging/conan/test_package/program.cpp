#include <eddy/eddy.hpp>

#include <cstdio>

int main() {
    std::printf("it returns %d\n", eddy::run([]() -> eddy::task<int> { co_return 42; }()));
}
