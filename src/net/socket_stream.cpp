#include "stream/descriptor_read.hpp"

#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/net/socket_stream.hpp>
#include <eddy/runtime/worker.hpp>

#include <cerrno>
#include <memory>

namespace eddy {

namespace detail {

// What was taken at once was a buffer, or the last part of what had arrived.
bool leased_read::consume_budget() noexcept {
    constexpr std::size_t usual_bytes = 16'384;
    return resume_loop::consume_budget(resume_loop::budget_cost(usual_bytes));
}

template class descriptor_read<stream_state>;

}  // namespace detail

namespace {

std::unique_ptr<detail::stream_state, detail::stream_state_end> make_stream_state(int descriptor) {
    detail::worker_core& home = detail::worker_core::current();
    detail::owned_descriptor guarded(home.backend(), descriptor);
    std::unique_ptr<detail::stream_state, detail::stream_state_end> made(
        new detail::stream_state(home, descriptor));
    guarded.release();
    return made;
}

}  // namespace

socket_stream::socket_stream(int descriptor) : state_owner(make_stream_state(descriptor)) {}

void socket_stream::abort() noexcept {
    if (is_open())
        static_cast<void>(state().backend().system().sockets->set_option(state().descriptor(),
                                                                         io::socket_option::linger_s, 0));
    close();
}

detail::awaited_shutdown socket_stream::shutdown(direction half) noexcept {
    detail::awaited_shutdown requested(state().backend(), io::opcode::shutdown);
    requested.descriptor = state().descriptor();
    requested.size = static_cast<std::uint64_t>(half);
    return requested;
}

void socket_stream::set_option(io::socket_option option, int value) {
    if (option == io::socket_option::linger_s && value > 0)
        io::throw_error(-EINVAL, "a connection does not linger, since close() does not wait");
    io::require_done(state().backend().system().sockets->set_option(state().descriptor(), option, value),
                     "setsockopt");
}

int socket_stream::get_option(io::socket_option option) const {
    int value = 0;
    io::require_done(state().backend().system().sockets->get_option(state().descriptor(), option, value),
                     "getsockopt");
    return value;
}

}  // namespace eddy
