// A program of somebody who has eddy installed.
#include <eddy/eddy.hpp>

eddy::task<int> answer() {
    co_return 42;
}

int main() {
    return eddy::run(answer()) == 42 ? 0 : 1;
}
