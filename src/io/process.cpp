#include <eddy/io/detail/process.hpp>
#include <eddy/io/detail/processes.hpp>

#include <cerrno>

namespace eddy::io {

process::~process() {
    if (id_ != 0 && descriptor() >= 0)
        starter_->end(*this);
}

int process::send(int signal) const noexcept {
    return id_ == 0 || descriptor() < 0 ? -ESRCH : starter_->send(*this, signal);
}

std::optional<process_end> process::collect() noexcept {
    // Without a descriptor it was reaped elsewhere; its status is lost.
    std::optional<process_end> end = process_end{-1, 0, false};
    if (descriptor() >= 0)
        end = starter_->collect(*this);
    if (end)
        id_ = 0;
    return end;
}

}  // namespace eddy::io
