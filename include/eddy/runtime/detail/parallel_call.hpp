#pragma once

#include <eddy/detail/atomic.hpp>
#include <eddy/runtime/detail/pool_call.hpp>
#include <eddy/runtime/work_kind.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <utility>

namespace eddy::detail {

/// A loop that threads of the pool share: each takes the next chunk until there is none, so a chunk that
/// takes long holds no other up. The first thread begins two others, each of those two more, by posting them
/// where idle threads steal them. Between two chunks a thread lets other work go first that waits.
class parallel_call : public pool_call {
public:
    [[nodiscard]] bool needs_no_thread() const noexcept { return count_ == 0; }

protected:
    parallel_call(std::size_t count, std::size_t grain) noexcept;
    ~parallel_call() override;

    /// For indices from `first` to before `end`; on several threads at once.
    virtual void run_chunk(std::size_t first, std::size_t end) = 0;
    void rethrow_error() const {
        if (error_ != nullptr)
            std::rethrow_exception(error_);
    }

private:
    struct runner;

    void prepare(offload_pool& pool, work_kind kind) final;
    void fail(std::exception_ptr error) noexcept final { error_ = std::move(error); }
    void stop_early() noexcept final;

    static void begin_on_pool(io::blocking_item& item) noexcept;
    void begin_others() noexcept;
    void run(runner& self) noexcept;
    void run_chunk_at(std::size_t index) noexcept;

    std::size_t count_;
    std::size_t grain_;
    std::size_t chunks_ = 0;
    offload_pool* pool_ = nullptr;
    work_kind kind_ = work_kind::short_running;
    std::unique_ptr<runner[]> runners_;
    std::size_t runner_count_ = 0;

    atomic<std::size_t> chunk_next_{0};
    atomic<std::size_t> runners_begun_{1};
    atomic<std::size_t> runners_left_{1};  // begun and not ended: the last goes home
    atomic<bool> has_failed_{false};
    std::exception_ptr error_;  // of the thread that set has_failed_
};

}  // namespace eddy::detail
