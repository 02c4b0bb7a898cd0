// Uses nothing: it is enough that it includes a header.
#include <eddy/core/clock.hpp>

int main() {}
