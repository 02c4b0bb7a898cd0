#pragma once

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/inbox_item.hpp>
#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/atomic.hpp>

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace eddy::detail {

/// The handle by which an awaiter of another library resumes a task: a coroutine frame made by hand. Resuming
/// it, on any thread, makes the job ready, which then resumes where it has suspended.
///
/// Life: it belongs to the awaiting coroutine until that releases it. Then it is freed, except in two cases,
/// in which a message to the job's worker frees it later: one that is on its way from another thread already,
/// and one that the awaiter, which outlives the coroutine's wait for a while, could still resume.
class foreign_resumption : public inbox_item, public in_frame_cache {
public:
    /// `is_awaiter_elsewhere`: whether the awaiter may still resume it after abandon().
    foreign_resumption(job& waiting, suspension point, bool is_awaiter_elsewhere) noexcept
        : inbox_item(&received),
          frame_{&resumed, nullptr, this},
          job_(waiting),
          home_(waiting.loop()),
          point_(point),
          is_awaiter_elsewhere_(is_awaiter_elsewhere) {}

    /// To be resumed once.
    [[nodiscard]] std::coroutine_handle<> handle() noexcept {
        return std::coroutine_handle<>::from_address(&frame_);
    }

    /// Declares that it will not be resumed. The job's thread.
    void cancel() noexcept { state_.store(state::over, std::memory_order_relaxed); }
    /// The awaiting coroutine needs it no more. The job's thread.
    void abandon() noexcept;

private:
    // See job::completion_frame.
    struct resumption_frame {
        void (*resume)(void*);
        void (*destroy)(void*);
        foreign_resumption* self;
    };
    // waiting: not resumed yet; posted: its message is on its way; over: it will not be resumed any more;
    // `abandon`: the coroutine is gone, and a message will free it.
    enum class state : std::uint8_t { waiting, posted, over, abandon };

    static void resumed(void* frame);
    static void received(inbox_item& item, bool is_discarded) noexcept;
    void make_ready() noexcept;

    resumption_frame frame_;
    job& job_;
    resume_loop& home_;
    suspension point_;
    bool is_awaiter_elsewhere_;
    atomic<state> state_{state::waiting};
};

struct abandon_resumption {
    void operator()(foreign_resumption* owned) const noexcept { owned->abandon(); }
};
using foreign_resumption_owner = std::unique_ptr<foreign_resumption, abandon_resumption>;

}  // namespace eddy::detail
