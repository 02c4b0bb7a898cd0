#pragma once

#include <thread>
#include <vector>

namespace bench {

// Runs one of Asio's contexts from so many threads, the calling one among them.
template <class Context>
void run_on_threads(Context& context, unsigned threads) {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; ++i)
        others.emplace_back([&context] { context.run(); });
    context.run();
}

}  // namespace bench
