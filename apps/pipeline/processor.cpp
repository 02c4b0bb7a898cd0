#include "pipeline/processor.hpp"

#include <system_error>
#include <utility>

namespace eddy::apps {

namespace {

upstream_result too_late() {
    return std::unexpected(std::make_error_code(std::errc::timed_out));
}

}  // namespace

processor::processor(const processing_options& options, const computation& work)
    : options_(options), compute_(work) {
    if (options.mode == processing_mode::blocking)
        blocking_.emplace(options.upstream);
    else if (options.mode != processing_mode::none)
        upstream_.emplace(options.upstream);
}

task<upstream_result> processor::process(request req) {
    if (is_late(req))
        co_return too_late();
    const std::uint64_t computed = compute_(req.number);
    if (upstream_)
        co_return co_await upstream_->call(computed);
    if (blocking_)
        co_return blocking_->call(computed);
    co_return computed;
}

void processor::process_and(request req, upstream_continuation next) {
    if (is_late(req))
        return next(too_late());
    upstream_->call(compute_(req.number), std::move(next));
}

}  // namespace eddy::apps
