#pragma once

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/held_job.hpp>
#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/job_context.hpp>
#include <eddy/core/detail/result_slot.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/task.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace eddy::detail {

/// Tasks that run on behalf of another one, which waits for them: the base of the combinators. One block
/// holds the jobs of all and their results, since each task is destroyed when it ends.
///
/// Life: made with its tasks by an awaiter, which owns it; started when that is awaited; released when the
/// awaiter is destroyed, which drops the tasks that have not ended. The block is freed with the last of its
/// jobs, since one that is running when it is dropped lives until its next suspension.
class alignas(__STDCPP_DEFAULT_NEW_ALIGNMENT__) job_group {
public:
    /// What decides the wait before all have ended; the others are dropped then, before anything else runs,
    /// so that what they have won in the same turn is kept where it was.
    enum class decided_by : std::uint8_t {
        nothing = 0,
        success = 1,
        failure = 2,
        any_end = success | failure
    };

    struct abandon_group {
        void operator()(job_group* owned) const noexcept { owned->abandon(); }
    };
    using owner = std::unique_ptr<job_group, abandon_group>;

    static constexpr std::size_t undecided = ~std::size_t{0};

    /// Makes room for a task<T> for each T. Throws std::bad_alloc.
    template <class... T>
    [[nodiscard]] static owner make(decided_by decision) {
        constexpr std::size_t before = bytes_before_results(sizeof...(T));
        constexpr std::size_t bytes = (result_bytes<T> + ... + before);
        return make_in(frame_cache::allocate(bytes), before, bytes, decision);
    }
    /// The same for `count` tasks of one kind.
    template <class T>
    [[nodiscard]] static owner make_range(std::size_t count, decided_by decision) {
        const std::size_t before = bytes_before_results(count);
        const std::size_t bytes = before + count * result_bytes<T>;
        return make_in(frame_cache::allocate(bytes), before, bytes, decision);
    }

    /// Takes a task over. Requires: the group has room and has not been started.
    template <class T>
    void add(task<T> work) noexcept {
        const auto root = work.release();
        EDDY_ASSERT(root, "an empty task cannot be run");
        add_child<T>(root);
    }

    /// Makes all tasks ready, and the running job wait for them at `point`; with `context`, they belong to
    /// that.
    void start(suspension point, const job_context_reference& context = {}) noexcept;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// The index of the task that decided the wait, or `undecided`.
    [[nodiscard]] std::size_t decided() const noexcept { return decided_; }
    [[nodiscard]] bool has_ended(std::size_t index) const noexcept {
        return children()[index].phase >= child_phase::ended;
    }

    /// The result of a task that has ended.
    template <class T>
    [[nodiscard]] result_slot<T>& result(std::size_t index) noexcept {
        return children()[index].template result<T>();
    }

    /// Makes the waiting job ready, unless it has been.
    void wake() noexcept;
    /// Drops the tasks that have not ended.
    void drop_unended() noexcept;
    /// Runs the only task to its end from inside a destructor; or, if it is the one that runs now, lets it
    /// run on by itself. Requires: it was started with `context`.
    void finish(const job_context& context) noexcept;

private:
    static constexpr std::size_t alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    template <class T>
    static constexpr std::size_t result_bytes =
        (sizeof(result_slot<T>) + alignment - 1) / alignment * alignment;

    enum class child_phase : std::uint8_t {
        unstarted,   // there is a job that has not been started
        live,        // there is a job that runs
        gone,        // there is neither a job nor a result
        ended,       // there is a result whose destructor does nothing
        ended_full,  // there is a result that must be destroyed
    };

    struct alignas(alignment) child : job {
        child(job_group& group, suspension root, const kind& kind_of_job, std::byte* result) noexcept
            : job(root, kind_of_job), result_storage(result) {
            owner = &group;
        }

        std::byte* result_storage;
        child_phase phase = child_phase::unstarted;

        template <class T>
        [[nodiscard]] result_slot<T>& result() noexcept {
            return *std::launder(reinterpret_cast<result_slot<T>*>(result_storage));
        }
        [[nodiscard]] job_group& group() noexcept { return *static_cast<job_group*>(owner); }
    };

    job_group(std::size_t block_bytes, std::byte* results, decided_by decision) noexcept
        : block_bytes_(block_bytes), results_end_(results), decision_(decision) {}
    ~job_group() = default;

    [[nodiscard]] child* children() const noexcept {
        return reinterpret_cast<child*>(const_cast<job_group*>(this) + 1);
    }
    [[nodiscard]] static constexpr std::size_t bytes_before_results(std::size_t count) noexcept {
        return sizeof(job_group) + count * sizeof(child);
    }
    [[nodiscard]] static owner make_in(void* block, std::size_t before_results, std::size_t bytes,
                                       decided_by decision) noexcept {
        return owner(::new (block)
                         job_group(bytes, static_cast<std::byte*>(block) + before_results, decision));
    }
    template <class T>
    void add_child(suspension root) noexcept {
        EDDY_ASSERT(results_end_ + result_bytes<T> <= reinterpret_cast<std::byte*>(this) + block_bytes_,
                    "a group has room for its tasks");
        ::new (&children()[size_++])
            child(*this, root, job::kind_of<&child_ended<T>, &free_child<T>>(), results_end_);
        results_end_ += result_bytes<T>;
        ++references_;
    }

    template <class T>
    static void child_ended(job& ended) noexcept {
        auto& which = static_cast<child&>(ended);
        auto& result = *::new (which.result_storage) result_slot<T>(std::move(result_of<T>(ended)));
        if (!ended.destroy_root()) [[unlikely]]
            return;
        ended.leave_context();
        which.phase = child_phase::ended;
        if (result.needs_destruction()) {
            which.phase = child_phase::ended_full;
            which.group().has_full_results_ = true;
        }
        which.group().note_end(which, result.has_error());
    }
    static void end_alone(job& ended) noexcept { ended.destroy(); }
    template <class T>
    static void free_child(job& destroyed) noexcept {
        if (destroyed.is_ending())
            std::destroy_at(&static_cast<child&>(destroyed).template result<T>());
        free_alone(destroyed);
    }
    static void free_alone(job& destroyed) noexcept;

    void note_end(child& ended, bool has_failed) noexcept {
        --references_;  // never the last: the owner has not released it
        if (decides(has_failed) && decided_ == undecided)
            decide(ended);
        else if (references_ == 1)
            wake();
    }
    [[nodiscard]] bool decides(bool has_failed) const noexcept {
        const decided_by end = has_failed ? decided_by::failure : decided_by::success;
        return (std::to_underlying(decision_) & std::to_underlying(end)) != 0;
    }
    void decide(const child& ended) noexcept;
    void abandon() noexcept {
        waiter_ = nullptr;
        if (references_ != 1 || has_full_results_) [[unlikely]]
            abandon_children();
        release();
    }
    void abandon_children() noexcept;
    void acquire() noexcept { ++references_; }
    void release() noexcept {
        if (--references_ == 0) [[likely]]
            frame_cache::deallocate(this, block_bytes_);
    }

    std::size_t block_bytes_;
    std::byte* results_end_;
    std::size_t size_ = 0;
    std::size_t decided_ = undecided;
    std::size_t references_ = 1;  // the owner, each job, each call of decide()
    job* waiter_ = nullptr;
    decided_by decision_;
    bool has_full_results_ = false;
};

}  // namespace eddy::detail
