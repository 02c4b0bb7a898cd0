#include "integrations/redis/command_writer.hpp"

#include <span>
#include <utility>

namespace eddy::redis::detail {

namespace {
/// Memory for more than this is not kept.
constexpr std::size_t kept_bytes_max = std::size_t{256} << 10;
}  // namespace

task<mutex_guard> command_writer::turn() {
    mutex_guard mine = co_await turns_.lock();
    while (gathered_.size() > bytes_max_) {
        has_room_.reset();
        co_await has_room_.wait();
    }
    co_return mine;
}

task<> command_writer::run() {
    std::string leaving;
    for (;;) {
        co_await has_some_.wait();
        leaving.clear();
        if (leaving.capacity() > kept_bytes_max)
            leaving.shrink_to_fit();
        std::swap(leaving, gathered_);
        has_room_.set();
        if (!leaving.empty())
            co_await stream_.write_all(std::as_bytes(std::span(leaving)));
    }
}

}  // namespace eddy::redis::detail
