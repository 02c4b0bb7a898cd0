#pragma once

#include <eddy/core/detail/job.hpp>
#include <eddy/detail/intrusive_list.hpp>

#include <cstddef>

namespace eddy::detail {

/// Sees, and may steer, what a resume_loop resumes. For tools that test: a loop without an observer pays one
/// look at a pointer for each run().
///
/// Thread safety: called on the loop's thread, outside of every job.
class resume_observer {
public:
    using ready_jobs = intrusive_list<job, ready_tag>;

    virtual ~resume_observer() = default;

    /// How many jobs the run that begins may resume: at most `budget`, and 0 holds all back.
    [[nodiscard]] virtual std::size_t choose_budget(std::size_t budget) noexcept = 0;
    /// Takes the job that is to be resumed next out of the queue, in which they stand, and stay, in the order
    /// of becoming ready. What they were promised is to be kept (job::place). Requires: there is one.
    [[nodiscard]] virtual job& choose(ready_jobs& ready) noexcept = 0;
    /// A job has suspended. Jobs may be dropped here, that one included. False ends the run.
    [[nodiscard]] virtual bool on_suspended(job& suspended) noexcept = 0;
};

}  // namespace eddy::detail
