#include <eddy/detail/assert.hpp>
#include <eddy/tls/detail/tls_output.hpp>

#include <chrono>
#include <utility>

namespace eddy::detail {

void tls_output::reserve(std::size_t count) {
    const std::size_t wanted = fresh_.size() + count;
    if (wanted > fresh_.capacity())
        fresh_.reserve(wanted);
}

void tls_output::append(std::span<const std::byte> ciphertext) {
    fresh_.insert(fresh_.end(), ciphertext.begin(), ciphertext.end());
}

std::span<const std::byte> tls_output::next() noexcept {
    if (sending_.empty())
        sending_.swap(fresh_);
    return std::span<const std::byte>(sending_).subspan(sent_);
}

void tls_output::note_sent(std::size_t count) noexcept {
    EDDY_ASSERT(count <= sending_.size() - sent_, "a stream took more than it was given");
    sent_ += count;
    if (sent_ != sending_.size())
        return;
    sent_ = 0;
    // An idle connection keeps no buffer.
    std::vector<std::byte>().swap(sending_);
}

void tls_record_sizer::begin(time_point now) noexcept {
    if (now - last_ > std::chrono::seconds(1))
        sent_small_ = 0;
    last_ = now;
}

}  // namespace eddy::detail
