#pragma once

namespace bench {

// Passes time on the processor: that many additions, which the compiler may not leave out.
inline void busy_loop(int turns) {
    unsigned long count = 0;
    for (int at = 0; at < turns; ++at)
        asm volatile("" : "+r"(++count));
}

}  // namespace bench
