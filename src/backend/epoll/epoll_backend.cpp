#include "backend/epoll/epoll_backend.hpp"

#include "backend/epoll/buffer_waiters.hpp"
#include "backend/epoll/descriptor_table.hpp"
#include "backend/epoll/epoll_set.hpp"
#include "backend/epoll/event_batches.hpp"
#include "backend/epoll/file_calls.hpp"
#include "backend/epoll/file_work.hpp"
#include "backend/epoll/listed_buffers.hpp"
#include "backend/epoll/opcode_traits.hpp"
#include "backend/epoll/poll_interval.hpp"
#include "backend/epoll/transfers.hpp"
#include "backend/posix/posix_system.hpp"

#include <eddy/detail/counter.hpp>
#include <eddy/detail/shuffler.hpp>

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace eddy::backends {

namespace {

using io::completion;
using io::opcode;
using io::operation;
using progress = io::operation::progress;

// How an operation under way stands, by its `state`:
//   waiting    it stands in the readers or writers of its descriptor
//   queued     it has ended and stands in completed_, its result in `mark`, until the next turn reports it
//   in_flight  it is with file_work
//
// A single-shot operation is tried when it is submitted and waits if the descriptor is not ready. accept_multishot
// and receive_multishot are submitted to be tried in turns, since their outcome does not fit into an operation.
class epoll_backend final : public io::backend {
public:
    epoll_backend(const io::backend_options& options, io::blocking_executor& executor)
        : backend("epoll"),
          buffers_(options.receive_buffer_bytes(), options.receive_buffers_max()),
          files_(executor, set_),
          shuffler_(options.shuffle_seed()) {
        set_system(calls_.topics());
    }

    std::int32_t try_now(operation& op, io::speculation& record, io::try_reason when) noexcept override;
    void submit(operation& begun) noexcept override;
    std::int32_t withdraw(operation& ended) noexcept override;
    void cancel(operation& ended) noexcept override;
    bool turn(std::optional<duration> wait) noexcept override;
    void wake() noexcept override { set_.wake(); }
    int descriptor() override { return set_.descriptor(); }
    void drain() noexcept override;
    io::buffer_pool& buffers() noexcept override { return buffers_; }
    io::backend_metrics metrics() const noexcept override {
        return {kernel_entries_.value(), submitted_.value(), completions_.value(), withdrawn_.value(),
                starvations_.value()};
    }
    std::size_t count_under_way() noexcept override;
    void close(int descriptor) noexcept override;
    void forget(int descriptor) noexcept override;

private:
    using descriptors = buffer_waiters::descriptors;

    void submit_file_call(operation& begun) noexcept;
    void submit_transfer(operation& begun, descriptor_state& state) noexcept;
    std::int32_t attempt(operation& op, descriptor_state& state) noexcept;
    void await_readiness(descriptor_state& state) noexcept;
    void await_attention(descriptor_state& state) noexcept;
    void complete_all(descriptor_state& state, std::int32_t result) noexcept;
    void cancel_file_calls(int descriptor) noexcept;
    void close_now(int descriptor) noexcept;

    bool has_work() const noexcept;
    void collect_file_calls() noexcept;
    auto end_file_call() noexcept {
        return [this](operation& ended, std::int32_t result) {
            complete(ended, result);
            if (files_.may_close_now(ended.descriptor)) [[unlikely]]
                close_now(ended.descriptor);
        };
    }
    void report_completed() noexcept;
    void visit_ready() noexcept;
    void note_events() noexcept;
    void note_event(const epoll_event& event) noexcept;
    void advance(descriptor_state& state) noexcept;
    void advance_readers(descriptor_state& state) noexcept;
    void advance_writers(descriptor_state& state) noexcept;
    bool advance_reader(descriptor_state& state, operation& op) noexcept;
    bool accept_one(descriptor_state& state, operation& op) noexcept;
    bool receive_one(descriptor_state& state, operation& op) noexcept;
    std::int32_t receive_now(descriptor_state& state, operation& op) noexcept;

    void complete(operation& ended, std::int32_t result) noexcept;
    void report(operation& op, completion outcome) noexcept;

    posix_system calls_{SOCK_NONBLOCK, this};
    listed_buffers buffers_;
    epoll_set set_;
    file_work files_;
    descriptor_table table_;
    descriptor_state::operations completed_;
    descriptors ready_;
    event_batches events_;
    buffer_waiters buffer_waiters_;
    detail::shuffler shuffler_;
    // As of the end of the last turn: operations are carried out between turns too.
    std::uint64_t completions_seen_ = 0;
    poll_interval pace_;
    bool is_draining_ = false;

    detail::counter kernel_entries_;
    detail::counter submitted_;
    detail::counter completions_;
    detail::counter withdrawn_;
    detail::counter starvations_;
};

// How many operations of one descriptor are carried out before the others have their turn.
constexpr int visit_steps_max = 32;

// -- beginning --

// What the descriptor's state says is better than hope.
std::int32_t epoll_backend::try_now(operation& op, io::speculation&, io::try_reason) noexcept {
    descriptor_state* const state = table_.obtain(op.descriptor);
    if (state == nullptr || is_draining_ || !may_succeed_now(*state, op.code))
        return io::not_now;
    op.backend_data = 0;
    const std::int32_t result =
        op.code == opcode::receive_multishot ? receive_now(*state, op) : attempt(op, *state);
    if (result == not_ready && op.backend_data == 0)
        return io::not_now;
    ++submitted_;
    ++completions_;
    return result == not_ready ? static_cast<std::int32_t>(op.backend_data) : result;
}

void epoll_backend::submit(operation& begun) noexcept {
    EDDY_ASSERT(begun.is_idle(), "an operation is submitted when it is idle");
    ++submitted_;
    begun.backend_data = 0;
    if (is_draining_) [[unlikely]]
        return complete(begun, -ECANCELED);
    if (io::is_file_call(begun.code))
        return submit_file_call(begun);
    if (begun.descriptor < 0)
        return complete(begun, -EBADF);
    descriptor_state* const state = table_.obtain(begun.descriptor);
    if (state == nullptr) [[unlikely]]
        return complete(begun, -ENOMEM);
    const bool may_be_file =
        begun.code == opcode::read || begun.code == opcode::write || io::is_splice(begun.code);
    if (may_be_file && is_file(*state))
        return submit_file_call(begun);
    submit_transfer(begun, *state);
}

void epoll_backend::submit_file_call(operation& begun) noexcept {
    ++kernel_entries_;
    const bool goes_past_cache = is_direct(begun);
    const std::int32_t result = goes_past_cache ? not_ready : try_file_call(begun);
    if (result != not_ready)
        return complete(begun, result);
    if (!files_.begin(begun, goes_past_cache))
        complete(begun, -ENOMEM);
}

void epoll_backend::submit_transfer(operation& begun, descriptor_state& state) noexcept {
    state.note_begun(begun.code);
    const bool reads = is_reader(begun.code);
    auto& queue = reads ? state.readers : state.writers;
    const bool may_succeed = reads ? state.is_readable : state.is_writable;
    const bool is_tried =
        begun.code == opcode::shutdown || (is_single_shot(begun.code) && queue.empty() && may_succeed);
    if (is_tried) {
        const std::int32_t result = attempt(begun, state);
        if (result != not_ready)
            return complete(begun, result);
    }
    begun.state = progress::waiting;
    queue.push_back(begun);
    pace_.note_wait();
    if (may_succeed && !is_tried)
        return await_attention(state);
    await_readiness(state);
}

std::int32_t epoll_backend::attempt(operation& op, descriptor_state& state) noexcept {
    ++kernel_entries_;
    const std::int32_t result = try_transfer(state, op);
    pace_.note_moved(result);
    return result;
}

// Sees to it that a change of the descriptor's readiness is reported.
void epoll_backend::await_readiness(descriptor_state& state) noexcept {
    const std::uint32_t wanted = state.wanted();
    if (state.watched == wanted)
        return;
    ++kernel_entries_;
    const bool may_be_known = state.watched != 0 || state.was_watched;
    const int result = set_.watch(state.descriptor, state.token(), wanted, may_be_known);
    if (result == 0) {
        state.watched = wanted;
    } else if (result == -EPERM) {
        // The system does not watch a file that never makes one wait.
        state.is_readable = state.is_writable = true;
        await_attention(state);
    } else {
        complete_all(state, result);
    }
}

void epoll_backend::await_attention(descriptor_state& state) noexcept {
    if (!state.is_linked())
        ready_.push_back(state);
}

// -- ending --

std::int32_t epoll_backend::withdraw(operation& ended) noexcept {
    EDDY_ASSERT(!ended.is_idle(), "only an operation that is under way is withdrawn");
    EDDY_ASSERT(is_single_shot(ended.code), "accept_multishot and receive_multishot are ended by cancel");
    ++withdrawn_;
    if (ended.state == progress::in_flight && files_.retract(ended)) {
        ended.state = progress::idle;
        return -ECANCELED;
    }
    while (ended.state == progress::in_flight)
        files_.await(ended, end_file_call());
    ended.unlink();
    const bool has_ended = std::exchange(ended.state, progress::idle) == progress::queued;
    return has_ended ? static_cast<std::int32_t>(ended.backend_data) : unfinished_result(ended);
}

void epoll_backend::cancel(operation& ended) noexcept {
    if (ended.state == progress::waiting) {
        ended.unlink();
        complete(ended, -ECANCELED);
    } else if (ended.state == progress::in_flight && files_.retract(ended)) {
        complete(ended, -ECANCELED);
    }
}

void epoll_backend::close(int descriptor) noexcept {
    if (descriptor_state* const state = table_.find(descriptor); state != nullptr) {
        complete_all(*state, -ECANCELED);
        state->renew();
    }
    const auto end = [this](operation& ended) { complete(ended, -ECANCELED); };
    if (!files_.retract_all(descriptor, end)) {
        // A call that a thread has begun uses the descriptor, whose number must not be reused until it ends.
        if (files_.close_later(descriptor))
            return;
        cancel_file_calls(descriptor);
    }
    close_now(descriptor);
}

void epoll_backend::forget(int descriptor) noexcept {
    descriptor_state* const state = table_.find(descriptor);
    if (state == nullptr)
        return;
    if (state->watched != 0)
        set_.unwatch(descriptor);
    state->renew();
}

void epoll_backend::close_now(int descriptor) noexcept {
    ++kernel_entries_;
    ::close(descriptor);
}

void epoll_backend::complete_all(descriptor_state& state, std::int32_t result) noexcept {
    while (!state.readers.empty())
        complete(state.readers.pop_front(), result);
    while (!state.writers.empty())
        complete(state.writers.pop_front(), result);
}

void epoll_backend::cancel_file_calls(int descriptor) noexcept {
    while (operation* const found = files_.find(descriptor)) {
        cancel(*found);
        if (found->state == progress::in_flight)
            files_.await(*found, end_file_call());
    }
}

void epoll_backend::drain() noexcept {
    is_draining_ = true;
    events_.drop();
    cancel_file_calls(-1);
    table_.for_each([this](descriptor_state& state) {
        complete_all(state, -ECANCELED);
        state.unlink();
    });
    while (!completed_.empty())
        report_completed();
}

// -- turning --

bool epoll_backend::turn(std::optional<duration> wait) noexcept {
    // Operations that were carried out between two turns are work as well, of a caller that has more of it.
    const std::uint64_t seen = wait == duration::zero() ? completions_seen_ : completions_.value();
    const bool goes_on = !events_.empty();
    buffer_waiters_.feed(buffers_.available(), ready_);
    collect_file_calls();
    report_completed();
    visit_ready();
    note_events();
    const bool is_done = completions_.value() != seen || has_work();
    completions_seen_ = completions_.value();
    if (is_done && (!events_.empty() || !pace_.is_due()))
        return !goes_on;
    pace_.note_poll();
    ++kernel_entries_;
    events_.begin(set_.wait(is_done ? duration::zero() : wait), shuffler_);
    note_events();
    collect_file_calls();
    report_completed();
    completions_seen_ = completions_.value();
    return true;
}

// Whether there is something to do that no event will report.
bool epoll_backend::has_work() const noexcept {
    const bool may_feed = !buffer_waiters_.empty() && buffers_.available() > 0;
    return may_feed || !completed_.empty() || !ready_.empty() || !events_.empty();
}

void epoll_backend::collect_file_calls() noexcept {
    if (files_.has_ended()) [[unlikely]]
        files_.take_ended(end_file_call());
}

void epoll_backend::report_completed() noexcept {
    if (completed_.empty())
        return;
    // What is submitted while these are reported waits for the next turn.
    descriptor_state::operations taken;
    taken.splice_back(completed_);
    while (!taken.empty()) {
        operation& ended = shuffler_.take(taken);
        report(ended, {static_cast<std::int32_t>(ended.backend_data), false, io::buffer_pool::none});
    }
}

void epoll_backend::visit_ready() noexcept {
    if (ready_.empty())
        return;
    descriptors taken;
    taken.splice_back(ready_);
    while (!taken.empty())
        advance(shuffler_.take(taken));
}

// Until a portion has completed something. A wake-up's token is no descriptor's.
void epoll_backend::note_events() noexcept {
    const std::uint64_t before = completions_.value();
    while (!events_.empty() && completions_.value() == before)
        for (const epoll_event& event : events_.next())
            note_event(event);
}

void epoll_backend::note_event(const epoll_event& event) noexcept {
    descriptor_state* const state = table_.find(static_cast<int>(event.data.u64 & 0xffff'ffff));
    if (state == nullptr || state->token() != event.data.u64) [[unlikely]]
        return;
    state->note(event.events);
    advance(*state);
    state->news = 0;
}

void epoll_backend::advance(descriptor_state& state) noexcept {
    advance_readers(state);
    advance_writers(state);
    const bool awaits_reading = !state.readers.empty() && !state.is_readable;
    const bool awaits_writing = !state.writers.empty() && !state.is_writable;
    if (awaits_reading || awaits_writing)
        await_readiness(state);
}

void epoll_backend::advance_readers(descriptor_state& state) noexcept {
    for (int steps = 0; !state.readers.empty() && state.is_readable; ++steps) {
        if (steps == visit_steps_max)
            return await_attention(state);
        if (!advance_reader(state, state.readers.front()))
            return;
    }
}

void epoll_backend::advance_writers(descriptor_state& state) noexcept {
    for (int steps = 0; !state.writers.empty() && state.is_writable; ++steps) {
        if (steps == visit_steps_max)
            return await_attention(state);
        operation& op = state.writers.front();
        const std::int32_t result = attempt(op, state);
        if (result == not_ready)
            return;
        op.unlink();
        report(op, {result, false, io::buffer_pool::none});
    }
}

// False if nothing more can be done for the descriptor's readers now.
bool epoll_backend::advance_reader(descriptor_state& state, operation& op) noexcept {
    if (op.code == opcode::accept_multishot)
        return accept_one(state, op);
    if (op.code == opcode::receive_multishot)
        return receive_one(state, op);
    const std::int32_t result = attempt(op, state);
    if (result == not_ready)
        return false;
    op.unlink();
    report(op, {result, false, io::buffer_pool::none});
    return true;
}

bool epoll_backend::accept_one(descriptor_state& state, operation& op) noexcept {
    ++kernel_entries_;
    const std::int32_t result = try_accept(state);
    if (result == not_ready)
        return false;
    if (result < 0) {
        op.unlink();
    } else if (descriptor_state* const known = table_.find(result); known != nullptr) {
        known->renew();
    }
    report(op, {result, result >= 0, io::buffer_pool::none});
    return true;
}

bool epoll_backend::receive_one(descriptor_state& state, operation& op) noexcept {
    const auto buffer = buffers_.take();
    if (buffer == io::buffer_pool::none) {
        if (buffers_.buffers() == 0) {
            // Where there is not one buffer, none will be returned: memory is out.
            op.unlink();
            report(op, {-ENOMEM, false, io::buffer_pool::none});
            return false;
        }
        if (buffer_waiters_.add(state))
            ++starvations_;
        return false;
    }
    ++kernel_entries_;
    const std::int32_t result = try_receive_pooled(state, buffers_, buffer);
    if (result == not_ready)
        return false;
    op.unlink();
    report(op, {result, false, result > 0 ? buffer : io::buffer_pool::none});
    return true;
}

std::int32_t epoll_backend::receive_now(descriptor_state& state, operation& op) noexcept {
    const auto buffer = buffers_.take();
    if (buffer == io::buffer_pool::none)
        return not_ready;
    ++kernel_entries_;
    op.size = buffer;
    return try_receive_pooled(state, buffers_, buffer);
}

// Leaves the result to the next turn, so that no completion comes inside a call of the requester's.
void epoll_backend::complete(operation& ended, std::int32_t result) noexcept {
    ended.state = progress::queued;
    ended.backend_data = static_cast<std::uint32_t>(result);
    completed_.push_back(ended);
}

void epoll_backend::report(operation& op, completion outcome) noexcept {
    ++completions_;
    if (!outcome.more)
        op.state = progress::idle;
    op.on_completed(op, outcome);
}

std::size_t epoll_backend::count_under_way() noexcept {
    std::size_t counted = completed_.count() + files_.count_under_way();
    table_.for_each([&counted](const descriptor_state& state) {
        counted += state.readers.count() + state.writers.count();
    });
    return counted;
}

}  // namespace

std::unique_ptr<io::backend> make_epoll_backend(const io::backend_options& options,
                                                io::blocking_executor& executor) {
    return std::make_unique<epoll_backend>(options, executor);
}

}  // namespace eddy::backends
