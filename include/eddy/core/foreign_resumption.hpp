#pragma once

#include <eddy/core/inbox_item.hpp>
#include <eddy/core/job.hpp>
#include <eddy/core/suspension.hpp>

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <memory>

namespace eddy::detail {

/// The handle by which an awaiter of another library resumes a task: a coroutine frame made by hand. Resuming
/// it, on any thread, makes the job ready, which then goes on where it has suspended.
///
/// Life: it belongs to the awaiting coroutine, except while it is on its way from another thread: then the
/// message frees it if the coroutine has let go by the time it comes.
class foreign_resumption : public inbox_item {
public:
    foreign_resumption(job& waiting, suspension point) noexcept
        : inbox_item(&received), frame_{&resumed, nullptr, this}, job_(waiting), point_(point) {}

    /// To be resumed once.
    [[nodiscard]] std::coroutine_handle<> handle() noexcept {
        return std::coroutine_handle<>::from_address(&frame_);
    }

    /// Frees it. The job's thread.
    void let_go() noexcept {
        if (state_.exchange(state::let_go, std::memory_order_acq_rel) != state::posted)
            delete this;
    }

private:
    // See job::completion_frame.
    struct resumption_frame {
        void (*resume)(void*);
        void (*destroy)(void*);
        foreign_resumption* self;
    };
    enum class state : std::uint8_t { waiting, posted, let_go };

    static void resumed(void* frame);
    static void received(inbox_item& item, bool is_discarded) noexcept;
    void make_ready() noexcept;

    resumption_frame frame_;
    job& job_;
    suspension point_;
    std::atomic<state> state_{state::waiting};
};

struct let_go_resumption {
    void operator()(foreign_resumption* owned) const noexcept { owned->let_go(); }
};
using foreign_resumption_owner = std::unique_ptr<foreign_resumption, let_go_resumption>;

}  // namespace eddy::detail
