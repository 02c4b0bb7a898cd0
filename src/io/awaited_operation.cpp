#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/disable_speculation.hpp>

namespace eddy::io {

namespace {

constinit thread_local int speculation_disablers = 0;

}  // namespace

disable_speculation::disable_speculation() noexcept {
    ++speculation_disablers;
}

disable_speculation::~disable_speculation() {
    --speculation_disablers;
}

std::int32_t try_unsuspended(io::backend& backend, operation& op, speculation& record) noexcept {
    detail::resume_loop& loop = detail::resume_loop::current();
    if (speculation_disablers != 0 || !loop.may_try())
        return not_now;
    return backend.try_now(op, record, loop.has_several_ready() ? try_reason::crowded : try_reason::alone);
}

std::int32_t try_as_requested(io::backend& backend, operation& op) noexcept {
    if (speculation_disablers != 0 || !detail::resume_loop::current().may_try())
        return not_now;
    speculation always;
    return backend.try_now(op, always, try_reason::asked_for);
}

}  // namespace eddy::io
