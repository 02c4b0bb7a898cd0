#include <eddy/io/awaited_operation.hpp>
#include <eddy/io/no_tries.hpp>

namespace eddy::io {

namespace {

constinit thread_local int no_tries_living = 0;

}  // namespace

no_tries::no_tries() noexcept {
    ++no_tries_living;
}

no_tries::~no_tries() {
    --no_tries_living;
}

std::int32_t try_unsuspended(backend& carrier, operation& asked, eagerness& hope) noexcept {
    detail::resume_loop& loop = detail::resume_loop::current();
    if (no_tries_living != 0 || !loop.may_try())
        return not_now;
    return carrier.try_now(asked, hope, loop.has_several_ready() ? occasion::crowded : occasion::alone);
}

std::int32_t try_as_asked(backend& carrier, operation& asked) noexcept {
    if (no_tries_living != 0 || !detail::resume_loop::current().may_try())
        return not_now;
    eagerness always;
    return carrier.try_now(asked, always, occasion::asked_for);
}

}  // namespace eddy::io
