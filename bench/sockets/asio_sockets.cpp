#include "sockets/asio_sockets.hpp"

#include <future>

namespace bench {

void run_on_threads(boost::asio::io_context& context, std::size_t threads) {
    std::vector<std::future<void>> others;
    for (std::size_t at = 1; at < threads; ++at)
        others.push_back(std::async(std::launch::async, [&context] { context.run(); }));
    context.run();
    for (std::future<void>& other : others)
        other.get();
}

}  // namespace bench
