#include <eddy/core/detail/job_context.hpp>

#include <utility>

namespace eddy::detail {

job_context::job_context(job_context* outer, std::stop_token stop) noexcept
    : outer_(outer), stop_(std::move(stop)) {
    if (outer_ != nullptr)
        outer_->acquire();
}

void job_context::release() noexcept {
    if (--references_ != 0)
        return;
    if (outer_ != nullptr)
        outer_->release();
    delete this;
}

}  // namespace eddy::detail
