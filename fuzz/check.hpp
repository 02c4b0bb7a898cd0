#pragma once

#include <cstdio>
#include <cstdlib>

// Ends the program, which the fuzzer takes for a finding, when something that must always hold does not.
#define EDDY_FUZZ_CHECK(condition)                                                       \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            std::fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                                \
        }                                                                                \
    } while (false)
