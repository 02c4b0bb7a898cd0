#include <eddy/io/buffer.hpp>
#include <eddy/stream/detail/read_requests.hpp>
#include <eddy/stream/stream_error.hpp>

#include <algorithm>
#include <limits>
#include <system_error>

namespace eddy::detail {

namespace {

[[noreturn]] void fail(stream_error error) {
    throw std::system_error(error, "read");
}

std::span<const std::byte> take_front(read_buffer& buffer, std::size_t size) noexcept {
    const auto taken = buffer.bytes().first(size);
    buffer.consume(size);
    return taken;
}

}  // namespace

std::span<const std::byte> some_request::take(read_buffer& buffer) const noexcept {
    return take_front(buffer, std::min(size_max_, buffer.size()));
}

std::size_t copy_some_request::take(read_buffer& buffer) const noexcept {
    if (passed_ != 0)
        return passed_;
    const auto taken = take_front(buffer, std::min(out_.size(), buffer.size()));
    std::ranges::copy(taken, out_.begin());
    return taken.size();
}

std::span<const std::byte> exact_request::take(read_buffer& buffer) const {
    if (buffer.size() < size_)
        fail(stream_error::unexpected_end);
    return take_front(buffer, size_);
}

void copy_exact_request::take(read_buffer& buffer) const {
    if (buffer.size() < out_.size())
        fail(stream_error::unexpected_end);
    std::ranges::copy(take_front(buffer, out_.size()), out_.begin());
}

delimiter_request::delimiter_request(std::string_view delimiter, std::size_t size_max) noexcept
    : delimiter_(delimiter), size_max_(size_max) {
    EDDY_ASSERT(!delimiter.empty(), "a delimiter has at least one byte");
    EDDY_ASSERT(size_max >= delimiter.size(), "the limit has room for the delimiter");
}

bool delimiter_request::is_met(read_buffer& buffer) noexcept {
    const std::string_view within = as_text(buffer.bytes()).substr(0, size_max_);
    const std::size_t at = within.find(delimiter_, searched_);
    if (at != std::string_view::npos) {
        found_ = at + delimiter_.size();
        return true;
    }
    // A delimiter may have begun in what is there.
    searched_ = std::max(searched_, within.size() - std::min(within.size(), delimiter_.size() - 1));
    return within.size() == size_max_;
}

std::span<const std::byte> delimiter_request::take(read_buffer& buffer) const {
    if (found_ != 0)
        return take_front(buffer, found_);
    if (buffer.size() >= size_max_)
        fail(stream_error::limit_exceeded);
    if (!buffer.empty())
        fail(stream_error::unexpected_end);
    return {};
}

bool line_request::is_met(read_buffer& buffer) noexcept {
    constexpr std::size_t line_end = 2;
    const std::size_t seen_max =
        size_max_ + std::min(line_end, std::numeric_limits<std::size_t>::max() - size_max_);
    const std::string_view within = as_text(buffer.bytes()).substr(0, seen_max);
    const std::size_t at = within.find('\n', searched_);
    is_found_ = at != std::string_view::npos;
    searched_ = is_found_ ? at : within.size();
    return is_found_ || within.size() == seen_max;
}

std::optional<std::string_view> line_request::take(read_buffer& buffer) const {
    if (buffer.empty())
        return std::nullopt;
    // At the end of the stream a line needs no end of its own.
    std::string_view line = as_text(buffer.bytes()).substr(0, is_found_ ? searched_ : buffer.size());
    if (is_found_ && line.ends_with('\r'))
        line.remove_suffix(1);
    if (line.size() > size_max_)
        fail(stream_error::limit_exceeded);
    buffer.consume(is_found_ ? searched_ + 1 : line.size());
    return line;
}

std::span<const std::byte> rest_request::take(read_buffer& buffer) const {
    if (buffer.size() > size_max_)
        fail(stream_error::limit_exceeded);
    return take_front(buffer, buffer.size());
}

bool skip_request::is_met(read_buffer& buffer) noexcept {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, buffer.size()));
    buffer.consume(count);
    left_ -= count;
    return left_ == 0;
}

void skip_request::take(read_buffer&) const {
    if (left_ != 0)
        fail(stream_error::unexpected_end);
}

}  // namespace eddy::detail
