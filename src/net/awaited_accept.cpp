#include "net/listener_state.hpp"

#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/net/detail/awaited_accept.hpp>

namespace eddy::detail {

void listener_state_end::operator()(listener_state* state) const noexcept {
    state->abandon();
}

accept_wait::~accept_wait() {
    if (is_waiting_)
        state_.forget_acceptor();
}

bool accept_wait::await_ready() const noexcept {
    return state_.has_answer();
}

void accept_wait::await_suspend(detail::suspension point) noexcept {
    is_waiting_ = true;
    state_.wait_for_answer(resume_loop::current().suspend(point));
}

bool accept_wait::is_pending() const noexcept {
    return state_.has_acceptor();
}

void accept_wait::interrupt() noexcept {
    state_.forget_acceptor();
}

bool accept_wait::is_closed() const noexcept {
    return state_.descriptor() < 0;
}

int accept_wait::take() noexcept {
    is_waiting_ = false;
    return state_.take();
}

}  // namespace eddy::detail
