#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/net/detail/stream_state.hpp>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <utility>

namespace eddy::detail {

stream_state::stream_state(worker_core& home, int descriptor) noexcept
    : descriptor_stream(home, descriptor, home.connections()), buffers_(home.backend().buffers()) {
    receiving_.descriptor = descriptor;
}

void stream_state::close() noexcept {
    if (!is_open())
        return;
    release_received();
    if (job* const reader = std::exchange(reader_, nullptr))
        reader->loop().make_ready(*reader);
    backend().cancel(receiving_);
    close_stream();
}

int stream_state::release() noexcept {
    EDDY_ASSERT(reader_ == nullptr && reading == nullptr && writing == nullptr && receiving_.is_idle() &&
                    !has_bytes(),
                "a stream is given away before anything is read by lease, and while nothing waits");
    if (!is_open())
        return -1;
    end_ = -ECANCELED;
    return release_descriptor();
}

void stream_state::abandon() noexcept {
    EDDY_ASSERT(reader_ == nullptr && reading == nullptr && writing == nullptr,
                "a stream outlives the reads and writes on it");
    close();
    is_abandoned_ = true;
    if (receiving_.is_idle())
        delete this;
}

void stream_state::release_received() noexcept {
    while (!received_.empty())
        buffers_.release(received_.pop_front(buffers_).buffer);
}

void stream_state::on_received(io::operation& receiving, const io::completion& outcome) noexcept {
    static_cast<multishot_receive&>(receiving).owner.accept_outcome(outcome);
}

void stream_state::accept_outcome(const io::completion& outcome) noexcept {
    if (is_abandoned_) {
        if (outcome.result > 0)
            buffers_.release(outcome.buffer);
        if (!outcome.more)
            delete this;
        return;
    }
    if (outcome.result > 0 && !is_open()) {
        buffers_.release(outcome.buffer);  // arrived while the stream was closed
    } else if (outcome.result > 0) {
        was_filled_ = static_cast<std::size_t>(outcome.result) == buffers_.buffer_size();
        keep(buffer_lease(buffers_, {outcome.buffer, 0, static_cast<std::uint32_t>(outcome.result)}));
        if (outcome.more && (received_.size() >= buffers_max || !unread_.empty()))
            backend().cancel(receiving_);
    } else if (end_ == still_open && outcome.result != -ECANCELED) {
        end_ = outcome.result;
    }
    if (reader_ == nullptr)
        return;
    if (has_answer()) {
        job& reader = *std::exchange(reader_, nullptr);
        reader.loop().make_ready(reader);
    } else if (!outcome.more) {
        receive();
    }
}

void stream_state::receive() noexcept {
    receiving_.whole = single_receives_left_ != 0;
    if (receiving_.whole)
        --single_receives_left_;
    backend().submit(receiving_);
}

bool stream_state::receive_at_once() noexcept {
    if (!std::exchange(was_filled_, false) || !receiving_.is_idle())
        return false;
    const std::int32_t result = io::try_as_requested(backend(), receiving_);
    if (result == io::not_now)
        return false;
    const auto buffer =
        result > 0 ? static_cast<io::buffer_pool::index>(receiving_.size) : io::buffer_pool::none;
    accept_outcome({result, false, buffer});
    return true;
}

std::size_t stream_state::try_read(std::span<std::byte> out) noexcept {
    EDDY_ASSERT(reader_ == nullptr && reading == nullptr, "one read at a time on a stream");
    if (has_bytes())
        return static_cast<std::size_t>(take_bytes(out));
    if (end_ != still_open || out.empty())
        return 0;
    if (out.size() >= direct_bytes_min)
        single_receives_left_ = single_receives;
    if (!receiving_.is_idle()) {
        if (single_receives_left_ != 0 && !receiving_.whole)
            backend().cancel(receiving_);
        return 0;
    }
    io::operation op(io::opcode::receive, nullptr);
    op.descriptor = descriptor();
    op.address = out.data();
    op.size = out.size();
    const std::int32_t result = io::try_as_requested(backend(), op);
    if (result == io::not_now)
        return 0;
    if (result <= 0)
        note_end(result);
    return static_cast<std::size_t>(std::max(result, 0));
}

std::size_t stream_state::try_write(std::span<const const_buffer> buffers) noexcept {
    EDDY_ASSERT(writing == nullptr, "one write at a time on a stream");
    if (!is_open())
        return 0;
    io::scratch_operation requested(io::opcode::send_vectored, nullptr);
    requested.descriptor = descriptor();
    requested.address = const_cast<const_buffer*>(buffers.data());
    requested.size = buffers.size();
    const std::int32_t result = io::try_as_requested(backend(), requested);
    return result == io::not_now ? 0 : static_cast<std::size_t>(std::max(result, 0));
}

void stream_state::keep(buffer_lease arrived) noexcept {
    if (buffers_.is_scarce() && copy_out(arrived.bytes())) [[unlikely]]
        return;
    const auto filled = arrived.release();
    received_.push_back(buffers_, filled.buffer, filled.begin, filled.end);
}

// Puts all that waits here, and what has arrived, into memory of its own. False if there is none.
bool stream_state::copy_out(std::span<const std::byte> arrived) noexcept {
    const std::size_t capacity = unread_.size() + received_.size() * buffers_.buffer_size() + arrived.size();
    std::unique_ptr<std::byte[]> memory(new (std::nothrow) std::byte[capacity]);
    if (memory == nullptr)
        return false;
    std::byte* end = std::ranges::copy(unread_.bytes(), memory.get()).out;
    while (!received_.empty())
        end = std::ranges::copy(buffer_lease(buffers_, received_.pop_front(buffers_)).bytes(), end).out;
    end = std::ranges::copy(arrived, end).out;
    const auto size = static_cast<std::uint32_t>(end - memory.get());
    unread_ = buffer_lease(std::move(memory), 0, size);
    return true;
}

std::int32_t stream_state::take_bytes(std::span<std::byte> out) noexcept {
    if (unread_.empty() && !received_.empty())
        unread_ = buffer_lease(buffers_, received_.pop_front(buffers_));
    return descriptor_stream::take_bytes(out);
}

}  // namespace eddy::detail
