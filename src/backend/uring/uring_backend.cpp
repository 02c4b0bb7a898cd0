#include "backend/uring/uring_backend.hpp"

#include "backend/posix/native_message.hpp"
#include "backend/posix/posix_system.hpp"
#include "backend/uring/direct_call.hpp"
#include "backend/uring/polled_transfer.hpp"
#include "backend/uring/prepare.hpp"
#include "backend/uring/ring.hpp"
#include "backend/uring/sanitizer_notes.hpp"
#include "backend/uring/uring_buffer_pool.hpp"

#include <eddy/detail/atomic.hpp>
#include <eddy/detail/counter.hpp>
#include <eddy/detail/shuffler.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <new>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::backends {

namespace {

// The user_data of entries that are no operations'; odd, unlike an operation's address.
constexpr std::uint64_t of_no_operation = 1;
/// Means nothing: closes, wake-ups from other rings, what withdraw() sees to itself.
constexpr std::uint64_t discarded = of_no_operation;
/// A cancellation, which may have missed what it was for.
constexpr std::uint64_t cancellation = of_no_operation | 2;
/// A message to the backend whose address the other bits are.
constexpr std::uint64_t wake_up = of_no_operation | 4;
constexpr std::uint64_t address_bits = ~std::uint64_t{7};

// How long withdraw() waits before it repeats a cancellation that had no effect.
constexpr duration patience_min = std::chrono::microseconds(20);
constexpr duration patience_max = std::chrono::milliseconds(1);

// A file's operation cannot be interrupted, and ends by itself; another cancellation would be wasted.
bool can_be_interrupted(const io::operation& ended) noexcept {
    return !io::is_file_call(ended.code);
}

using operations = detail::intrusive_list<io::operation, io::operation_tag>;

// For sends whose bytes the kernel had not released when their backend ended: it may read them as long as the
// process lives, so they are never freed.
void keep_for_ever(io::operation& left) noexcept {
    static std::mutex guard;
    static operations* const kept = new (std::nothrow) operations;
    const std::lock_guard lock(guard);
    if (kept != nullptr)
        kept->push_back(left);
}

class uring_backend final : public io::backend {
public:
    explicit uring_backend(const io::backend_options& options)
        : backend("io_uring"),
          ring_(options.queue_entries()),
          buffers_(ring_, options.receive_buffer_bytes(), options.receive_buffers_max()),
          shuffler_(options.shuffle_seed()),
          wake_descriptor_(::eventfd(0, EFD_CLOEXEC)),
          wake_(*this) {
        set_system(calls_.topics());
        if (wake_descriptor_ < 0)
            throw std::system_error(errno, std::system_category(), "eventfd");
        if (shuffler_.is_on())
            seen_.reserve(ring_.completions_max());
        wake_.descriptor = wake_descriptor_;
        submit(wake_);
    }

    ~uring_backend() override {
        ::close(wake_descriptor_);
        if (outside_.load(std::memory_order_relaxed) >= 0)
            ::close(outside_);
    }

    void submit(io::operation& begun) noexcept override {
        ++submitted_;
        begun.cancelling = false;
        begun.state = io::operation::progress::in_flight;
        in_flight_.push_back(begun);
        queue(begun);
    }

    std::int32_t try_now(io::operation& op, io::speculation& past, io::try_reason when) noexcept override;
    std::int32_t withdraw(io::operation& ended) noexcept override;
    void cancel(io::operation& ended) noexcept override;
    bool turn(std::optional<duration> wait) noexcept override;
    void wake() noexcept override;
    void wake_from(io::backend& sender) noexcept override;
    void drain() noexcept override;

    int descriptor() override;
    io::buffer_pool& buffers() noexcept override { return buffers_; }
    io::backend_metrics metrics() const noexcept override {
        return {ring_.kernel_entries() + direct_calls_.value(), submitted_.value(), completions_.value(),
                withdrawn_.value(), starved_count_.value()};
    }

    std::size_t count_under_way() noexcept override {
        // The wait for wake-ups is the backend's own.
        return in_flight_.count() + cancelling_.count() + notifying_.count() + starved_.count() -
               (wake_.is_linked() ? 1 : 0);
    }

    void close(int descriptor) noexcept override {
        note_closing(descriptor);
        io_uring_sqe& entry = ring_.next_entry();
        io_uring_prep_close(&entry, descriptor);
        entry.user_data = discarded;
        last_close_ = ring_.last_number();
    }
    void finish_closing() noexcept override {
        if (ring_.is_unsubmitted(last_close_))
            ring_.enter(0, duration::zero());
    }

private:
    void queue(io::operation& begun, decltype(prepare)& encode = prepare) noexcept {
        io_uring_sqe& entry = ring_.next_entry();
        encode(entry, begun);
        entry.user_data = reinterpret_cast<std::uintptr_t>(&begun);
        begun.backend_data = ring_.last_number();
    }

    void reap() noexcept {
        if (shuffler_.is_on()) [[unlikely]]
            return reap_shuffled();
        completions_.add(ring_.reap([this](const io_uring_cqe& seen) { complete(seen); }));
    }
    void reap_shuffled() noexcept;
    void clear_outside() noexcept;
    void note_result(const io_uring_cqe& seen) noexcept;
    void complete(const io_uring_cqe& seen) noexcept;
    void end(io::operation& ended) noexcept {
        ended.state = io::operation::progress::idle;
        ended.unlink();
    }
    [[nodiscard]] std::int32_t transfer(io::operation& ready) noexcept;
    [[nodiscard]] bool feed_or_park(io::operation& receiving) noexcept;
    void park_for_buffer(io::operation& receiving) noexcept;
    void resume_buffer_waiters() noexcept;
    bool unqueue(io::operation& ended) noexcept;
    void queue_cancel(const io::operation& ended, std::uint64_t user_data) noexcept;
    void repeat_cancels() noexcept;
    void await_notifications() noexcept;
    static void rearm_wake(io::operation& woken, const io::completion&) noexcept;

    posix_system calls_{0, this};
    ring ring_;
    uring_buffer_pool buffers_;
    // Receives that found no buffer and that the pool could not grow for.
    detail::intrusive_list<io::operation, io::operation_tag> starved_;
    // All that the kernel has, or will have with the next submission.
    detail::intrusive_list<io::operation, io::operation_tag> in_flight_;
    // The same, and cancel() was called for it.
    detail::intrusive_list<io::operation, io::operation_tag> cancelling_;
    // Sends whose result was reported, but whose bytes the kernel has not released yet.
    detail::intrusive_list<io::operation, io::operation_tag> notifying_;
    // A cancellation has not found its operation, or could not stop it. Usually the operation had ended by
    // itself; but it may also have been between two of the kernel's queues, or blocked in one of its threads.
    bool has_cancel_missed_ = false;
    bool is_draining_ = false;
    std::uint64_t last_close_ = 0;  // the number of its entry

    detail::shuffler shuffler_;
    // Where completions are shuffled.
    std::vector<io_uring_cqe> seen_;

    // The operation whose last completion withdraw() waits for, and that completion.
    io::operation* withdrawing_ = nullptr;
    std::int32_t withdrawn_result_ = 0;

    int wake_descriptor_;
    // An eventfd to which the kernel reports completions, once a loop outside wants to wait for them. The
    // ring's own descriptor would not suffice: poll(2) does not see work that is deferred to this thread.
    detail::atomic<int> outside_{-1};
    struct wake_read : io::operation {
        explicit wake_read(uring_backend& reader) noexcept
            : operation(io::opcode::read, &rearm_wake), owner(reader) {
            address = &count;
            size = sizeof(count);
        }
        uring_backend& owner;
        std::uint64_t count = 0;
    };
    wake_read wake_;

    detail::counter direct_calls_;
    detail::counter submitted_;
    detail::counter completions_;
    detail::counter withdrawn_;
    detail::counter starved_count_;
};

// A system call of its own is cheaper than an entry to the kernel, but not than being one of several within
// an entry that is made anyway.
std::int32_t uring_backend::try_now(io::operation& op, io::speculation& past, io::try_reason when) noexcept {
    const bool is_one_of_several = when == io::try_reason::crowded || !ring_.has_submitted_all();
    if ((is_one_of_several && when != io::try_reason::asked_for) || is_draining_ ||
        op.code == io::opcode::receive_multishot || !past.should_try())
        return io::not_now;
    ++direct_calls_;
    const std::int32_t result = call_directly(op);
    past.note(result != io::not_now);
    if (result != io::not_now) {
        ++submitted_;
        ++completions_;
    }
    return result;
}

void uring_backend::complete(const io_uring_cqe& seen) noexcept {
    if ((seen.user_data & of_no_operation) != 0)
        return note_result(seen);
    auto& done = *reinterpret_cast<io::operation*>(static_cast<std::uintptr_t>(seen.user_data));
    const bool more = (seen.flags & IORING_CQE_F_MORE) != 0;
    io::completion outcome{seen.res, more, io::buffer_pool::none};
    if ((seen.flags & IORING_CQE_F_BUFFER) != 0) {
        outcome.buffer = seen.flags >> IORING_CQE_BUFFER_SHIFT;
        buffers_.note_taken();
        if (seen.res <= 0)
            buffers_.release(std::exchange(outcome.buffer, io::buffer_pool::none));
    } else if (seen.res == -ENOBUFS && done.code == io::opcode::receive_multishot) {
        if (!done.cancelling && feed_or_park(done))
            return;
        // Where there is not one buffer, none will be returned: memory is out.
        outcome.result = done.cancelling ? -ECANCELED : -ENOMEM;
    } else if ((seen.res == -EAGAIN || seen.res == -EINTR) && !done.cancelling && !more &&
               is_worth_another_try(done, seen.res)) {
        return queue(done, prepare_again);
    } else if (done.state == polled && seen.res >= 0) [[unlikely]] {
        // Where it is being taken back, no byte has been moved.
        outcome.result = done.cancelling ? -ECANCELED : transfer(done);
        if (outcome.result == io::not_now)
            return;
    }
    // So ends a cancelled operation in which a thread of the kernel's was blocked, or which would be tried
    // again.
    if ((seen.res == -EINTR || seen.res == -EAGAIN) && done.cancelling)
        outcome.result = -ECANCELED;
    if (done.code == io::opcode::receive_message)
        take_over(static_cast<io::message_operation&>(done), outcome.result);
    if (!more) {
        end(done);
    } else if (done.code == io::opcode::send_zero_copy) {
        done.unlink();
        notifying_.push_back(done);
    }
    if (&done == withdrawing_) [[unlikely]] {
        withdrawing_ = nullptr;
        withdrawn_result_ = outcome.result;
        return;
    }
    done.on_completed(done, outcome);
}

// The result of an operation that was polled and is ready. io::not_now: it is still under way.
std::int32_t uring_backend::transfer(io::operation& ready) noexcept {
    if (io::is_splice(ready.code)) {
        queue(ready, prepare_splice);
        return io::not_now;
    }
    ++direct_calls_;
    const std::int32_t result = transfer_when_ready(ready);
    if (result != -EAGAIN)
        return result;
    queue(ready, prepare_again);
    return io::not_now;
}

void uring_backend::note_result(const io_uring_cqe& seen) noexcept {
    if (seen.res >= 0)
        return;
    if (seen.user_data == cancellation)
        has_cancel_missed_ = true;
    else if ((seen.user_data & wake_up) == wake_up)
        reinterpret_cast<uring_backend*>(static_cast<std::uintptr_t>(seen.user_data & address_bits))->wake();
}

// Of one operation the oldest completion goes first, so that its own order stays.
void uring_backend::reap_shuffled() noexcept {
    seen_.clear();
    completions_.add(ring_.reap([this](const io_uring_cqe& seen) { seen_.push_back(seen); }));
    while (!seen_.empty()) {
        const std::uint64_t chosen = seen_[shuffler_.below(seen_.size())].user_data;
        const auto oldest = std::ranges::find(seen_, chosen, &io_uring_cqe::user_data);
        const io_uring_cqe reported = *oldest;
        seen_.erase(oldest);
        complete(reported);
    }
}

// False if there are no buffers at all.
bool uring_backend::feed_or_park(io::operation& receiving) noexcept {
    if (buffers_.available() != 0 || buffers_.provide_more())
        queue(receiving);
    else if (buffers_.buffers() != 0)
        park_for_buffer(receiving);
    else
        return false;
    return true;
}

void uring_backend::park_for_buffer(io::operation& receiving) noexcept {
    ++starved_count_;
    receiving.state = io::operation::progress::waiting;
    receiving.unlink();
    starved_.push_back(receiving);
}

void uring_backend::resume_buffer_waiters() noexcept {
    while (!starved_.empty() && buffers_.available() != 0) {
        io::operation& fed = starved_.pop_front();
        fed.state = io::operation::progress::in_flight;
        in_flight_.push_back(fed);
        queue(fed);
        // One buffer may be all there is: the others wait for the next turn.
        break;
    }
}

// Takes back what the kernel has not seen yet.
bool uring_backend::unqueue(io::operation& ended) noexcept {
    if (ended.state != io::operation::progress::waiting) {
        if (!ring_.is_unsubmitted(ended.backend_data))
            return false;
        io_uring_sqe& entry = ring_.replaced_entry(ended.backend_data);
        io_uring_prep_nop(&entry);
        entry.user_data = discarded;
    }
    end(ended);
    return true;
}

void uring_backend::queue_cancel(const io::operation& ended, std::uint64_t user_data) noexcept {
    io_uring_sqe& entry = ring_.next_entry();
    io_uring_prep_cancel64(&entry, reinterpret_cast<std::uintptr_t>(&ended), 0);
    entry.user_data = user_data;
}

// For all that is being cancelled: which of them was missed is not known. One that is on its way to its end already is
// not harmed.
void uring_backend::repeat_cancels() noexcept {
    has_cancel_missed_ = false;
    cancelling_.for_each([this](io::operation& ended) {
        if (can_be_interrupted(ended))
            queue_cancel(ended, cancellation);
    });
}

std::int32_t uring_backend::withdraw(io::operation& ended) noexcept {
    ++withdrawn_;
    ended.cancelling = true;
    if (unqueue(ended))
        return -ECANCELED;
    withdrawing_ = &ended;
    reap();
    // The cancellation's own result decides nothing: what counts is the operation's last completion. Until
    // that has come the cancellation is repeated, since it may have missed an operation that was about to be
    // tried again, or was handed to a thread of the kernel's.
    duration patience = patience_min;
    while (withdrawing_ != nullptr) {
        queue_cancel(ended, discarded);
        ring_.enter(1, std::nullopt);
        reap();
        if (withdrawing_ == nullptr)
            break;
        ring_.enter(1, patience);
        reap();
        patience = std::min(2 * patience, patience_max);
    }
    return withdrawn_result_;
}

void uring_backend::cancel(io::operation& ended) noexcept {
    if (ended.is_idle() || ended.cancelling)
        return;
    ended.cancelling = true;
    if (ended.state == io::operation::progress::waiting) {
        // Its last completion has to come from a turn, so it goes through the ring.
        ended.state = io::operation::progress::in_flight;
        queue(ended);
    }
    ended.unlink();
    cancelling_.push_back(ended);
    queue_cancel(ended, can_be_interrupted(ended) ? cancellation : discarded);
}

bool uring_backend::turn(std::optional<duration> wait) noexcept {
    if (!starved_.empty()) [[unlikely]]
        resume_buffer_waiters();
    if (wait == duration::zero() && !ring_.has_work() && outside_.load(std::memory_order_relaxed) < 0)
        return true;
    ring_.enter(wait != duration::zero() && !ring_.has_completions() ? 1 : 0, wait);
    reap();
    if (has_cancel_missed_) [[unlikely]]
        repeat_cancels();
    if (outside_.load(std::memory_order_relaxed) >= 0) [[unlikely]]
        clear_outside();
    return true;
}

int uring_backend::descriptor() {
    if (outside_.load(std::memory_order_relaxed) < 0) {
        const int made = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (made < 0)
            throw std::system_error(errno, std::system_category(), "eventfd");
        if (const int result = io_uring_register_eventfd(&ring_.raw(), made); result < 0) {
            ::close(made);
            throw std::system_error(-result, std::system_category(), "io_uring_register_eventfd");
        }
        outside_.store(made, std::memory_order_release);
    }
    return outside_;
}

// What is reported after the reading makes the descriptor readable again; what was reported before it is seen
// by the look that follows.
void uring_backend::clear_outside() noexcept {
    do {
        ring_.enter(0, duration::zero());
        reap();
        std::uint64_t count = 0;
        static_cast<void>(::read(outside_, &count, sizeof(count)));
    } while (ring_.has_work());
}

void uring_backend::wake() noexcept {
    const std::uint64_t one = 1;
    // Fails only when the counter is about to overflow, and then the reader is awake anyway.
    static_cast<void>(::write(wake_descriptor_, &one, sizeof(one)));
    // The kernel (6.18) does not always report a completion to an eventfd that another eventfd has brought
    // about.
    if (const int outside = outside_.load(std::memory_order_acquire); outside >= 0) [[unlikely]]
        static_cast<void>(::write(outside, &one, sizeof(one)));
}

void uring_backend::wake_from(io::backend& sender) noexcept {
    // A completion out of nowhere ends the wait. It is sent at once, since the sender's next turn may be long
    // in coming. Should the kernel have no memory for it, the eventfd does it then: this lives until all
    // turns are over.
    ring& from = static_cast<uring_backend&>(sender).ring_;
    io_uring_sqe& entry = from.next_entry();
    io_uring_prep_msg_ring(&entry, ring_.raw().ring_fd, 0, discarded, 0);
    entry.user_data = reinterpret_cast<std::uintptr_t>(this) | wake_up;
    from.enter(0, duration::zero());
}

void uring_backend::rearm_wake(io::operation& woken, const io::completion&) noexcept {
    uring_backend& self = static_cast<wake_read&>(woken).owner;
    if (!self.is_draining_)
        self.submit(woken);
}

void uring_backend::drain() noexcept {
    is_draining_ = true;
    while (!starved_.empty())
        cancel(starved_.front());
    while (!in_flight_.empty() || !cancelling_.empty()) {
        // One by one: IORING_ASYNC_CANCEL_ANY takes time that grows with the square of their number.
        while (!in_flight_.empty())
            cancel(in_flight_.front());
        ring_.enter(1, std::nullopt);
        reap();
        if (has_cancel_missed_)
            repeat_cancels();
    }
    await_notifications();
    ring_.enter(0, duration::zero());
}

// A peer that does not acknowledge what it was sent must not keep the worker for ever.
void uring_backend::await_notifications() noexcept {
    constexpr int waits_max = 20;
    for (int waits = 0; waits < waits_max && !notifying_.empty(); ++waits) {
        ring_.enter(1, std::chrono::milliseconds(5));
        reap();
    }
    while (!notifying_.empty())
        keep_for_ever(notifying_.pop_front());
}

}  // namespace

std::unique_ptr<io::backend> make_uring_backend(const io::backend_options& options) {
    return std::make_unique<uring_backend>(options);
}

}  // namespace eddy::backends
