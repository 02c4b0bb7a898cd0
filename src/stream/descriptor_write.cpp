#include <eddy/stream/detail/descriptor_write.hpp>

#include <cerrno>
#include <cstdint>

namespace eddy::detail {

bool send_request::advance(std::size_t count) noexcept {
    address = static_cast<std::byte*>(address) + count;
    size -= count;
    return size != 0;
}

bool vectored_send_request::advance(std::size_t count) noexcept {
    auto* buffers = static_cast<const_buffer*>(address);
    for (; size != 0 && count >= buffers->size(); ++buffers, --size)
        count -= buffers->size();
    if (size != 0)
        buffers->remove_prefix(count);
    address = buffers;
    return size != 0;
}

bool write_request::advance(std::size_t count) noexcept {
    address = static_cast<std::byte*>(address) + count;
    size -= count;
    while (size == 0 && !later.empty()) {
        address = const_cast<void*>(later.front().data());
        size = later.front().size();
        later = later.subspan(1);
    }
    return size != 0;
}

template <class Request>
bool descriptor_write<Request>::await_ready() noexcept {
    stream_.require_no_write();
    this->descriptor = stream_.descriptor();
    return this->try_writing(stream_.write_speculation,
                             [this](std::int32_t count) noexcept { return advance_by(count); });
}

template <class Request>
bool descriptor_write<Request>::advance_by(std::int32_t count) noexcept {
    const auto bytes = static_cast<std::size_t>(count);
    written_ += bytes;
    return this->advance(bytes);
}

template <class Request>
void descriptor_write<Request>::on_step(io::operation& ended, const io::completion& step) noexcept {
    auto& self = static_cast<descriptor_write&>(static_cast<Request&>(ended));
    if (!self.must_wait_or_retry(step.result)) {
        if (!self.whole || step.result <= 0)
            return self.end_with(step.result);
        if (!self.advance_by(step.result))
            return self.end_with(0);
    }
    // A whole write that stopped early was ended by close(), after which the descriptor's number may be
    // reused; or it has met an error, which the next attempt will report, or a limit of the system.
    if (!self.stream_.is_open())
        return self.end_with(-ECANCELED);
    self.backend().submit(self);
}

/// Whether nothing was written, since a descriptor in non-blocking mode was not writable or has come to be so.
template <class Request>
bool descriptor_write<Request>::must_wait_or_retry(std::int32_t result) noexcept {
    if (Request::initial_code != io::opcode::write)
        return false;
    const bool is_ready = this->code == io::opcode::await_writable && result >= 0;
    const bool is_early = this->code == io::opcode::write && result == -EAGAIN;
    if (is_ready || is_early)
        this->code = is_ready ? io::opcode::write : io::opcode::await_writable;
    return is_ready || is_early;
}

template <class Request>
void descriptor_write<Request>::interrupt() noexcept {
    base::interrupt();
    if (this->code == io::opcode::await_writable)
        this->set_result(-ECANCELED);
    // A partial transfer is not the requested one, and must not be taken for it.
    else if (const std::int32_t count = this->result(); this->whole && count > 0)
        this->set_result(advance_by(count) ? -ECANCELED : 0);
}

template class descriptor_write<send_request>;
template class descriptor_write<vectored_send_request>;
template class descriptor_write<write_request>;

}  // namespace eddy::detail
