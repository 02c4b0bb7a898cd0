#include <eddy/detail/assert.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/os/detail/descriptor_stream.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace eddy::detail {

// -- what stays --

descriptor_stream::descriptor_stream(worker& home, owned_descriptor opened) noexcept
    : home_(home), descriptor_(opened.release()) {
    ++home_.others_open();
}

void descriptor_stream::close() noexcept {
    if (descriptor() < 0)
        return;
    if (reading != nullptr)
        backend().cancel(*reading);
    if (writing != nullptr)
        backend().cancel(*writing);
    backend().close(std::exchange(descriptor_, -1));
    home_.others_open().subtract(1);
    kept_.clear();
    begin_ = 0;
    end_ = -ECANCELED;
}

std::int32_t descriptor_stream::take(std::span<std::byte> out) noexcept {
    if (!has_bytes())
        return end_ == -ECANCELED ? end_ : std::exchange(end_, still_open);
    const std::size_t count = std::min(out.size(), kept_.size() - begin_);
    std::memcpy(out.data(), kept_.data() + begin_, count);
    skip(count);
    return static_cast<std::int32_t>(count);
}

void descriptor_stream::skip(std::size_t count) noexcept {
    begin_ += count;
    if (!has_bytes()) {
        kept_.clear();
        begin_ = 0;
    }
}

void descriptor_stream::put_back(std::span<const std::byte> bytes) noexcept {
    try {
        kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(std::exchange(begin_, 0)));
        kept_.insert(kept_.begin(), bytes.begin(), bytes.end());
    } catch (const std::bad_alloc&) {
        end_ = -ENOMEM;  // bytes are missing from here on, and the reader gets an error
    }
}

// -- reading --

descriptor_read::descriptor_read(descriptor_stream& stream, std::span<std::byte> out) noexcept
    : awaited_operation(stream.backend(), io::opcode::read, &on_step), stream_(stream) {
    descriptor = stream.descriptor();
    address = out.data();
    size = out.size();
}

descriptor_read::~descriptor_read() {
    if (!is_under_way_)
        return;
    const std::int32_t won = take();
    // What was won goes to the next read.
    if (won > 0)
        stream_.put_back({static_cast<std::byte*>(address), static_cast<std::size_t>(won)});
    else if (won != -ECANCELED)
        stream_.note_end(won);
}

bool descriptor_read::await_ready() noexcept {
    if (size == 0)
        return true;
    stream_.require_no_read();
    if (stream_.has_answer())
        return true;
    descriptor = stream_.descriptor();
    if (stream_.expects_writer() || descriptor < 0 || !try_at_once(stream_.read_speculation))
        return false;
    is_under_way_ = true;
    return consume_budget();
}

void descriptor_read::await_suspend(detail::suspension point) noexcept {
    stream_.require_no_read();
    is_under_way_ = true;
    stream_.reading = this;
    descriptor = stream_.descriptor();
    code = stream_.expects_writer() ? io::opcode::await_readable : io::opcode::read;
    awaited_operation::await_suspend(point);
}

void descriptor_read::on_step(io::operation& ended, const io::completion& step) noexcept {
    auto& self = static_cast<descriptor_read&>(ended);
    const bool is_ready = self.code == io::opcode::await_readable && step.result >= 0;
    // A descriptor in non-blocking mode may have said that it is readable when it was not.
    const bool is_early = self.code == io::opcode::read && step.result == -EAGAIN;
    if (!is_ready && !is_early)
        return self.end_with(step.result);
    if (self.stream_.descriptor() < 0)
        return self.end_with(-ECANCELED);
    if (is_ready)
        self.stream_.expect_writer(false);
    self.code = is_ready ? io::opcode::read : io::opcode::await_readable;
    self.backend().submit(self);
}

void descriptor_read::interrupt() noexcept {
    withdraw_if_pending();
    if (code == io::opcode::await_readable)
        set_result(-ECANCELED);
}

std::int32_t descriptor_read::take() noexcept {
    if (size == 0)
        return 0;
    if (!std::exchange(is_under_way_, false))
        return stream_.take({static_cast<std::byte*>(address), size});
    if (is_pending())
        interrupt();
    stream_.reading = nullptr;
    return result();
}

std::size_t descriptor_read::await_resume() {
    return io::require_count(take(), "read");
}

std::expected<std::size_t, std::error_code> descriptor_read::outcome() noexcept {
    return io::expected_count(take());
}

// -- writing --

descriptor_write::descriptor_write(descriptor_stream& stream, std::span<const std::byte> bytes,
                                   bool is_whole) noexcept
    : awaited_operation(stream.backend(), io::opcode::write, &on_step), stream_(stream) {
    descriptor = stream.descriptor();
    address = const_cast<std::byte*>(bytes.data());
    size = bytes.size();
    whole = is_whole;
}

descriptor_write::descriptor_write(descriptor_stream& stream, std::span<const_buffer> buffers) noexcept
    : descriptor_write(stream, std::span<const std::byte>(), true) {
    later_ = buffers;
    take_next_buffer();
}

descriptor_write::~descriptor_write() {
    withdraw_if_pending();
    if (stream_.writing == this)
        stream_.writing = nullptr;
}

bool descriptor_write::await_ready() noexcept {
    stream_.require_no_write();
    descriptor = stream_.descriptor();
    return try_writing(stream_.write_speculation,
                       [this](std::int32_t count) noexcept { return advance(count); });
}

void descriptor_write::await_suspend(detail::suspension point) noexcept {
    stream_.require_no_write();
    stream_.writing = this;
    descriptor = stream_.descriptor();
    awaited_operation::await_suspend(point);
}

void descriptor_write::on_step(io::operation& ended, const io::completion& step) noexcept {
    auto& self = static_cast<descriptor_write&>(ended);
    const bool is_ready = self.code == io::opcode::await_writable && step.result >= 0;
    const bool is_early = self.code == io::opcode::write && step.result == -EAGAIN;
    const bool is_part = self.code == io::opcode::write && self.whole && step.result > 0;
    if (!is_ready && !is_early && !is_part)
        return self.end_with(step.result);
    if (is_part && !self.advance(step.result))
        return self.end_with(0);
    if (self.stream_.descriptor() < 0)
        return self.end_with(-ECANCELED);
    self.code = is_early ? io::opcode::await_writable : io::opcode::write;
    self.backend().submit(self);
}

bool descriptor_write::advance(std::int32_t count) noexcept {
    written_ += static_cast<std::size_t>(count);
    address = static_cast<std::byte*>(address) + count;
    size -= static_cast<std::size_t>(count);
    take_next_buffer();
    return size != 0;
}

void descriptor_write::take_next_buffer() noexcept {
    while (size == 0 && !later_.empty()) {
        address = const_cast<void*>(later_.front().data());
        size = later_.front().size();
        later_ = later_.subspan(1);
    }
}

void descriptor_write::interrupt() noexcept {
    withdraw_if_pending();
    if (code == io::opcode::await_writable)
        set_result(-ECANCELED);
    // A partial transfer is not the requested one, and must not be taken for it.
    else if (whole && result() > 0)
        set_result(advance(result()) ? -ECANCELED : 0);
}

std::int32_t descriptor_write::take() noexcept {
    stream_.writing = nullptr;
    return result();
}

std::size_t descriptor_write::await_resume() {
    const std::size_t last = io::require_count(take(), "write");
    return written_ + last;
}

std::expected<std::size_t, std::error_code> descriptor_write::outcome() noexcept {
    auto count = io::expected_count(take());
    if (count)
        *count += written_;
    return count;
}

}  // namespace eddy::detail
