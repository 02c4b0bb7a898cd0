// main() of the explored tests, which must not be linked with the library as it is, as tests/support/main.cpp
// is.
#include "support/source_filter.hpp"

#include <gtest/gtest.h>

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    eddy::test::choose_source(argc, argv);
    return eddy::test::status_of_run(RUN_ALL_TESTS());
}
