#include "net/listener_state.hpp"

#include <eddy/runtime/deadline.hpp>

#include <cerrno>
#include <utility>

namespace eddy::detail {

namespace {

// The connection is to blame, or its way, not the listener: accept(2).
bool is_of_connection(int result) noexcept {
    switch (-result) {
        case ECONNABORTED:
        case EPROTO:
        case EINTR:
        case EPERM:
        case EAGAIN:
        case ENETDOWN:
        case ENETUNREACH:
        case EHOSTDOWN:
        case EHOSTUNREACH:
        case ENONET:
        case ENOPROTOOPT:
            return true;
        default:
            return false;
    }
}

bool is_shortage(int result) noexcept {
    return result == -EMFILE || result == -ENFILE || result == -ENOBUFS || result == -ENOMEM;
}

}  // namespace

listener_state::listener_state(worker& home, int descriptor) : home_(home), descriptor_(descriptor) {
    accepting_.descriptor = descriptor;
    waiting_.reserve(2 * waiting_max);
}

void listener_state::close() noexcept {
    if (descriptor_ < 0)
        return;
    for (; next_ != waiting_.size(); ++next_)
        carrier().close(waiting_[next_]);
    error_ = -ECANCELED;
    resting_.unlink();
    if (job* const acceptor = std::exchange(acceptor_, nullptr))
        acceptor->loop().make_ready(*acceptor);
    carrier().cancel(accepting_);
    carrier().close(std::exchange(descriptor_, -1));
}

int listener_state::release() noexcept {
    EDDY_ASSERT(acceptor_ == nullptr && accepting_.is_idle() && !resting_.is_armed() && !has_answer(),
                "a listener is given away before anything is accepted");
    if (descriptor_ < 0)
        return -1;
    carrier().forget(descriptor_);
    error_ = -ECANCELED;
    return std::exchange(descriptor_, -1);
}

void listener_state::let_go() noexcept {
    EDDY_ASSERT(acceptor_ == nullptr, "a listener outlives the accept on it");
    close();
    is_let_go_ = true;
    if (accepting_.is_idle())
        delete this;
}

void listener_state::wait_for_answer(job& acceptor) noexcept {
    EDDY_ASSERT(worker::current_or_null() == &home_, "a listener accepts on the worker that bound it");
    EDDY_ASSERT(acceptor_ == nullptr, "one accept at a time on a listener");
    acceptor_ = &acceptor;
    go_on();
}

void listener_state::go_on() noexcept {
    if (accepting_.is_idle() && !resting_.is_armed())
        carrier().submit(accepting_);
}

void listener_state::rest() noexcept {
    ++shortages_;
    if (!resting_.is_armed())
        home_.timers().arm(resting_, deadline_after(carrier().now(), rest_time));
}

void listener_state::end_rest(timer& fired) noexcept {
    listener_state& self = static_cast<resting_timer&>(fired).owner;
    if (self.acceptor_ != nullptr)
        self.go_on();
}

int listener_state::take() noexcept {
    if (next_ == waiting_.size()) {
        // No error either: the wait was interrupted.
        const int error = error_ != 0 ? error_ : -ECANCELED;
        if (descriptor_ >= 0)
            error_ = 0;
        return error;
    }
    const int connection = waiting_[next_++];
    if (next_ == waiting_.size()) {
        waiting_.clear();
        next_ = 0;
    }
    return connection;
}

void listener_state::on_accepted(io::operation& accepting, const io::completion& outcome) noexcept {
    static_cast<pooled_accept&>(accepting).owner.accept_outcome(outcome);
}

void listener_state::keep(int connection) noexcept {
    if (next_ >= waiting_max) {
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(next_));
        next_ = 0;
    }
    try {
        waiting_.push_back(connection);
    } catch (...) {  // out of memory: the peer sees its connection closed
        carrier().close(connection);
    }
}

void listener_state::accept_outcome(const io::completion& outcome) noexcept {
    if (outcome.result >= 0) {
        if (descriptor_ < 0)
            carrier().close(outcome.result);
        else
            keep(outcome.result);
        if (outcome.more && waiting_.size() - next_ >= waiting_max)
            carrier().cancel(accepting_);
    } else if (descriptor_ >= 0 && is_shortage(outcome.result)) {
        rest();
    } else if (descriptor_ >= 0 && outcome.result != -ECANCELED && !is_of_connection(outcome.result)) {
        error_ = outcome.result;
    }
    if (is_let_go_) {
        if (!outcome.more)
            delete this;
        return;
    }
    if (acceptor_ == nullptr)
        return;
    if (has_answer()) {
        job& acceptor = *std::exchange(acceptor_, nullptr);
        acceptor.loop().make_ready(acceptor);
    } else if (!outcome.more) {
        go_on();
    }
}

}  // namespace eddy::detail
