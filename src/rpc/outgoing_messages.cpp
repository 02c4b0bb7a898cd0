#include "rpc/outgoing_messages.hpp"

#include <eddy/io/buffer.hpp>
#include <eddy/rpc/status.hpp>

#include <algorithm>
#include <utility>

namespace eddy::rpc {

/// Of one attempt. Ends with what sends.
class outgoing_messages::reader {
public:
    explicit reader(outgoing_messages& of) : of_(of) {
        of_.readers_.push_back(this);
        of_.has_begun_ = true;
        of_.taken_.set();
    }
    reader(const reader&) = delete;
    reader& operator=(const reader&) = delete;
    ~reader() {
        std::erase(of_.readers_, this);
        if (of_.is_committed_ && is_chosen)
            of_.close();
    }

    std::uint64_t position = 0;
    bool is_chosen = true;  // or another one was

private:
    outgoing_messages& of_;
};

std::size_t outgoing_messages::unsent() const noexcept {
    std::uint64_t furthest = kept_from_;
    for (const reader* const each : readers_)
        furthest = std::max(furthest, each->position);
    return static_cast<std::size_t>(total() - furthest);
}

task<bool> outgoing_messages::add(std::string frame) {
    for (;;) {
        if (is_closed_ || is_finished_)
            co_return false;
        const bool is_too_much = unsent() != 0 && unsent() + frame.size() > gathered_bytes_max;
        const bool is_kept = is_committed_ || kept_.size() + frame.size() <= kept_bytes_max_;
        if (!is_too_much && (is_kept || !readers_.empty())) {
            if (!is_kept)
                choose();
            break;
        }
        co_await taken_.wait();
    }
    if (kept_.empty())
        kept_ = std::move(frame);
    else
        kept_ += frame;
    added_.set();
    added_.reset();
    co_return true;
}

void outgoing_messages::finish() noexcept {
    is_finished_ = true;
    added_.set();
    added_.reset();
}

void outgoing_messages::close() noexcept {
    is_closed_ = true;
    taken_.set();
}

void outgoing_messages::commit() noexcept {
    if (std::exchange(is_committed_, true))
        return;
    if (!readers_.empty())
        choose();
    else if (has_begun_)
        close();
}

void outgoing_messages::choose() noexcept {
    is_committed_ = true;
    reader* const furthest = *std::ranges::max_element(readers_, {}, &reader::position);
    for (reader* const each : readers_)
        each->is_chosen = each == furthest;
    const auto sent = static_cast<std::size_t>(furthest->position - kept_from_);
    kept_.erase(0, sent);
    kept_from_ += sent;
    added_.set();
    added_.reset();
}

void outgoing_messages::take(reader& for_whom, std::string& piece) {
    piece.clear();
    if (is_committed_) {
        std::swap(piece, kept_);
        kept_from_ += piece.size();
    } else {
        piece.append(kept_, static_cast<std::size_t>(for_whom.position - kept_from_));
    }
    for_whom.position = total();
    taken_.set();
}

async_generator<std::span<const std::byte>> outgoing_messages::pieces() {
    reader self(*this);
    std::string piece;
    for (;;) {
        while (self.is_chosen && self.position == total() && !is_finished_)
            co_await added_.wait();
        if (!self.is_chosen)
            throw error(status_code::cancelled, "another attempt goes on");
        if (self.position == total())
            co_return;
        take(self, piece);
        co_yield as_bytes(piece);
    }
}

}  // namespace eddy::rpc
