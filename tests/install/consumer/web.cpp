#include "web.hpp"

int main() {
    return eddy::run(ask_itself()) ? 0 : 1;
}
