#pragma once

#include <eddy/core/job.hpp>
#include <eddy/core/job_context.hpp>
#include <eddy/core/result_slot.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/suspension.hpp>
#include <eddy/core/task.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace eddy::detail {

/// Tasks that run for another one, which waits for them: what the combinators are made of. One block holds
/// the jobs of all.
///
/// Life: made with its tasks by an awaiter, which owns it; started when that is awaited; let go when the
/// awaiter is destroyed, which drops what has not ended. The block is freed with the last of its jobs, since
/// one that is running when it is dropped lives until its next suspension.
class job_group {
public:
    /// What decides the wait before all have ended; the others are dropped then, before anything else runs,
    /// so that what they have won in the same turn is kept where it was.
    enum class decided_by : std::uint8_t {
        nothing = 0,
        success = 1,
        failure = 2,
        any_end = success | failure
    };

    struct let_go_group {
        void operator()(job_group* owned) const noexcept { owned->let_go(); }
    };
    using owner = std::unique_ptr<job_group, let_go_group>;

    static constexpr std::size_t nobody = ~std::size_t{0};

    /// Makes room for `count` tasks. Throws std::bad_alloc.
    [[nodiscard]] static owner make(std::size_t count, decided_by decision);

    /// Takes a task over. Requires: the group has room and has not been started.
    template <class T>
    void add(task<T> work) noexcept {
        const auto root = work.release();
        EDDY_ASSERT(root, "an empty task cannot be run");
        add(root, &child_ended<T>);
    }

    /// Makes all tasks ready, and the running job wait for them at `point`; with `context`, they belong to
    /// that.
    void start(suspension point, const job_context_reference& context = {}) noexcept;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Which task decided the wait, or nobody.
    [[nodiscard]] std::size_t decided() const noexcept { return decided_; }
    [[nodiscard]] bool has_ended(std::size_t index) const noexcept { return children()[index].has_ended; }

    /// The result of a task that has ended.
    template <class T>
    [[nodiscard]] result_slot<T>& result(std::size_t index) noexcept {
        return result_of<T>(children()[index].running());
    }

    /// Makes the waiting job ready, unless it has been.
    void wake() noexcept;
    /// Drops the tasks that have not ended.
    void drop_unended() noexcept;
    /// Runs the only task to its end from inside a destructor; or, if it is the one that runs now, lets it
    /// run on by itself. Requires: it was started with `context`.
    void finish(const job_context& context) noexcept;

private:
    struct child {
        alignas(job) std::byte storage[sizeof(job)];  // first, so that a job's child is where the job is
        job_group* group;
        std::coroutine_handle<chain_link> root;  // null once the job has it
        job::ended_function ended;
        bool is_live = false;  // there is a job
        bool has_ended = false;

        [[nodiscard]] job& running() noexcept { return *std::launder(reinterpret_cast<job*>(storage)); }
        static child& of(job& held) noexcept { return reinterpret_cast<child&>(held); }
    };

    job_group(std::size_t room, decided_by decision) noexcept : room_(room), decision_(decision) {}
    ~job_group() = default;

    [[nodiscard]] child* children() const noexcept {
        return reinterpret_cast<child*>(const_cast<job_group*>(this) + 1);
    }
    [[nodiscard]] static std::size_t block_size(std::size_t room) noexcept {
        return sizeof(job_group) + room * sizeof(child);
    }

    void add(std::coroutine_handle<> root, job::ended_function ended) noexcept;
    template <class T>
    static void child_ended(job& ended) noexcept {
        child& which = child::of(ended);
        which.group->note_end(which, result_of<T>(ended).has_error());
    }
    static void end_alone(job& ended) noexcept { ended.destroy(); }
    static void free_child(job& destroyed) noexcept;
    void note_end(child& ended, bool has_failed) noexcept {
        ended.has_ended = true;
        --left_;
        if (decides(has_failed) && decided_ == nobody)
            decide(ended);
        else if (left_ == 0)
            wake();
    }
    [[nodiscard]] bool decides(bool has_failed) const noexcept {
        const decided_by end = has_failed ? decided_by::failure : decided_by::success;
        return (std::to_underlying(decision_) & std::to_underlying(end)) != 0;
    }
    void decide(const child& ended) noexcept;
    void destroy(child& ended) noexcept;
    void let_go() noexcept;
    void acquire() noexcept { ++references_; }
    void release() noexcept;

    std::size_t room_;
    std::size_t size_ = 0;
    std::size_t left_ = 0;  // started and not ended
    std::size_t decided_ = nobody;
    std::size_t references_ = 1;  // the owner, each job, each call of note_end()
    job* waiter_ = nullptr;
    decided_by decision_;
};

}  // namespace eddy::detail
