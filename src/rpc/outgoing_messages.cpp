#include "rpc/outgoing_messages.hpp"

#include <eddy/io/buffer.hpp>

#include <utility>

namespace eddy::rpc {

/// Ends with what sends.
class outgoing_messages::sending {
public:
    explicit sending(outgoing_messages& of) noexcept : of_(of) {}
    sending(const sending&) = delete;
    sending& operator=(const sending&) = delete;
    ~sending() { of_.close(); }

private:
    outgoing_messages& of_;
};

task<bool> outgoing_messages::add(std::string frame) {
    while (!is_closed_ && !gathered_.empty() && gathered_.size() + frame.size() > gathered_bytes_max)
        co_await taken_.wait();
    if (is_closed_ || is_finished_)
        co_return false;
    if (gathered_.empty())
        gathered_ = std::move(frame);
    else
        gathered_ += frame;
    added_.set();
    co_return true;
}

void outgoing_messages::finish() noexcept {
    is_finished_ = true;
    added_.set();
}

void outgoing_messages::close() noexcept {
    is_closed_ = true;
    taken_.set();
}

async_generator<std::span<const std::byte>> outgoing_messages::pieces() {
    const sending until_the_end(*this);
    for (;;) {
        while (gathered_.empty() && !is_finished_)
            co_await added_.wait();
        if (gathered_.empty())
            co_return;
        sent_.clear();
        std::swap(sent_, gathered_);
        taken_.set();
        co_yield as_bytes(sent_);
    }
}

}  // namespace eddy::rpc
