#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/net/socket_stream.hpp>
#include <eddy/runtime/worker.hpp>

#include <cerrno>
#include <type_traits>

namespace eddy {

namespace detail {

// What was taken at once was a buffer, or the last part of what had arrived.
bool leased_read::consume_budget() noexcept {
    constexpr std::size_t usual_bytes = 16'384;
    return resume_loop::consume_budget(resume_loop::budget_cost(usual_bytes));
}

borrowed_read::borrowed_read(stream_state& state, std::span<std::byte> out) noexcept
    : awaited_operation(state.backend(), io::opcode::receive), state_(state) {
    descriptor = state.descriptor();
    address = out.data();
    size = out.size();
}

borrowed_read::~borrowed_read() {
    abandon();
}

bool borrowed_read::await_ready() noexcept {
    // The system would answer a read into no memory as it does the end.
    if (size == 0 || state_.has_answer())
        return true;
    EDDY_ASSERT(state_.reading == nullptr, "one read at a time on a stream");
    if (state_.is_receiving())
        return false;
    const bool has_read = try_at_once(state_.read_speculation);
    if (std::exchange(state_.is_followed_up, false)) [[unlikely]]
        state_.more_speculation.note(has_read);
    if (!has_read)
        return false;
    way_ = way::direct;
    return consume_budget() || may_read_on();
}

// Readers may take more at once than writers write: otherwise a backlog between two tasks of this worker
// would never shrink, and its bytes would be out of the processor's caches when they are read. Where there
// was nothing more, the writer runs before the next attempt.
bool borrowed_read::may_read_on() noexcept {
    resume_loop& loop = resume_loop::current();
    const bool is_full = result() > 0 && static_cast<std::size_t>(result()) == size;
    if (is_full && loop.has_ready() && !state_.more_speculation.should_try())
        return false;
    const bool reads_on = loop.extend_budget();
    state_.is_followed_up = is_full && reads_on;
    return reads_on;
}

void borrowed_read::await_suspend(detail::suspension point) noexcept {
    if (state_.is_receiving()) {
        way_ = way::pooled;
        state_.wait_for_answer(resume_loop::current().suspend(point));
        return;
    }
    state_.require_no_read();
    way_ = way::direct;
    state_.reading = this;
    awaited_operation::await_suspend(point);
}

std::int32_t borrowed_read::take() noexcept {
    if (size == 0)
        return 0;
    if (std::exchange(way_, way::none) != way::direct)
        return state_.take_bytes({static_cast<std::byte*>(address), size});
    state_.reading = nullptr;
    if (result() <= 0 && result() != -ECANCELED)
        state_.note_end(result());
    return result();
}

std::size_t borrowed_read::await_resume() {
    return io::require_count(take(), "read");
}

std::expected<std::size_t, std::error_code> borrowed_read::outcome() noexcept {
    return io::expected_count(take());
}

bool borrowed_read::is_pending() const noexcept {
    return way_ == way::pooled ? state_.has_reader() : awaited_operation::is_pending();
}

void borrowed_read::interrupt() noexcept {
    if (way_ == way::pooled)
        state_.forget_reader();
    else
        awaited_operation::interrupt();
}

void borrowed_read::abandon() noexcept {
    if (way_ == way::pooled)
        state_.forget_reader();
    if (way_ != way::direct)
        return;
    withdraw_if_pending();
    state_.reading = nullptr;
    // The read had won the race: its bytes go to the next one.
    if (result() > 0)
        state_.put_back({static_cast<std::byte*>(address), static_cast<std::size_t>(result())});
    else if (result() != -ECANCELED)
        state_.note_end(result());
}

template <class Base>
bool awaited_write<Base>::await_ready() noexcept {
    EDDY_ASSERT(state_.writing == nullptr, "one write at a time on a stream");
    this->descriptor = state_.descriptor();
    return this->try_writing(state_.write_speculation, [this](std::int32_t count) noexcept {
        return advance(static_cast<std::size_t>(count));
    });
}

template <class Base>
void awaited_write<Base>::on_sent(io::operation& ended, const io::completion& step) noexcept {
    auto& self = static_cast<awaited_write&>(static_cast<Base&>(ended));
    if (!self.whole || step.result <= 0)
        return self.end_with(step.result);
    if (!self.advance(static_cast<std::size_t>(step.result)))
        return self.end_with(0);
    // A whole send that stopped early was ended by close(), after which the descriptor's number may be
    // reused; or it has met an error, which the next attempt will report, or a limit of the system.
    if (self.state_.descriptor() < 0)
        return self.end_with(-ECANCELED);
    self.backend().submit(self);
}

template <class Base>
std::int32_t awaited_write<Base>::take() noexcept {
    state_.writing = nullptr;
    // on_sent() has counted every step but that of a write which was interrupted.
    if (this->whole && this->result() > 0)
        return advance(static_cast<std::size_t>(this->result())) ? -ECANCELED : 0;
    return this->result();
}

template <class Base>
bool awaited_write<Base>::advance(std::size_t count) noexcept {
    sent_ += count;
    if constexpr (std::is_same_v<Base, io::operation>) {
        this->address = static_cast<std::byte*>(this->address) + count;
        this->size -= count;
    } else {
        auto* buffers = static_cast<const_buffer*>(this->address);
        for (; this->size != 0 && count >= buffers->size(); ++buffers, --this->size)
            count -= buffers->size();
        if (this->size != 0)
            buffers->remove_prefix(count);
        this->address = buffers;
    }
    return this->size != 0;
}

template class awaited_write<io::operation>;
template class awaited_write<io::scratch_operation>;

}  // namespace detail

socket_stream::socket_stream(int descriptor) : state_(nullptr) {
    detail::owned_descriptor guarded(worker::current().backend(), descriptor);
    state_ = new detail::stream_state(worker::current(), descriptor);
    guarded.release();
}

void socket_stream::abort() noexcept {
    if (is_open())
        static_cast<void>(state_->backend().system().sockets->set_option(state_->descriptor(),
                                                                         io::socket_option::linger_s, 0));
    close();
}

detail::awaited_shutdown socket_stream::shutdown(direction half) noexcept {
    detail::awaited_shutdown requested(state_->backend(), io::opcode::shutdown);
    requested.descriptor = state_->descriptor();
    requested.size = static_cast<std::uint64_t>(half);
    return requested;
}

void socket_stream::set_option(io::socket_option option, int value) {
    if (option == io::socket_option::linger_s && value > 0)
        io::throw_error(-EINVAL, "a connection does not linger, since close() does not wait");
    io::require_done(state_->backend().system().sockets->set_option(state_->descriptor(), option, value),
                     "setsockopt");
}

int socket_stream::get_option(io::socket_option option) const {
    int value = 0;
    io::require_done(state_->backend().system().sockets->get_option(state_->descriptor(), option, value),
                     "getsockopt");
    return value;
}

}  // namespace eddy
