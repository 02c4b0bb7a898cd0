#include <eddy/net/detail/owned_write.hpp>

#include <cerrno>
#include <utility>

namespace eddy::detail {

owned_send::owned_send(owned_bytes bytes, std::size_t zero_copy_above) noexcept
    : bytes_(std::move(bytes)),
      first_(bytes_.size() > zero_copy_above ? io::opcode::send_zero_copy : io::opcode::send, *this),
      rest_(io::opcode::send, *this) {}

void owned_send::begin(descriptor_stream& to, job& waiter) noexcept {
    to.require_no_write();
    to_ = &to;
    waiter_ = &waiter;
    submit(first_);
}

void owned_send::submit(step& begun) noexcept {
    active_ = &begun;
    to_->writing = &begun;
    begun.descriptor = to_->descriptor();
    begun.address = bytes_.bytes().data() + sent_;
    begun.size = bytes_.size() - sent_;
    to_->backend().submit(begun);
}

void owned_send::on_sent(io::operation& ended, const io::completion& outcome) noexcept {
    owned_send& self = static_cast<step&>(ended).owner;
    if (self.active_ != &ended)
        return self.end_unless_needed();  // the kernel has released the bytes
    self.count(outcome.result);
    if (self.active_ != nullptr)
        return;
    self.waiter_->loop().make_ready(*self.waiter_);
}

void owned_send::count(std::int32_t sent) noexcept {
    // Bytes that are sent without a copy count as locked memory of their user (RLIMIT_MEMLOCK).
    const bool is_too_much_locked = active_ == &first_ && first_.code == io::opcode::send_zero_copy &&
                                    (sent == -ENOMEM || sent == -ENOBUFS);
    if (is_too_much_locked && to_->is_open())
        return submit(rest_);
    if (sent < 0)
        return end_with(sent);
    sent_ += static_cast<std::size_t>(sent);
    if (sent_ == bytes_.size())
        return end_with(0);
    // It was ended by close(), or met an error, which the next attempt will report, or a limit of the system.
    if (sent == 0 || !to_->is_open())
        return end_with(-ECANCELED);
    submit(rest_);
}

void owned_send::end_with(std::int32_t result) noexcept {
    result_ = result;
    active_ = nullptr;
    to_->writing = nullptr;
}

void owned_send::interrupt() noexcept {
    // Not awaited any more before that: the system's last word may come inside of it.
    step& ended = *std::exchange(active_, nullptr);
    const std::int32_t sent = to_->backend().withdraw(ended);
    sent_ += sent > 0 ? static_cast<std::size_t>(sent) : 0;
    end_with(sent >= 0 && sent_ == bytes_.size() ? 0 : sent < 0 ? sent : -ECANCELED);
}

void owned_send::abandon() noexcept {
    is_abandoned_ = true;
    end_unless_needed();
}

void owned_send::end_unless_needed() noexcept {
    if (is_abandoned_ && first_.is_idle() && rest_.is_idle())
        delete this;
}

}  // namespace eddy::detail
