#include "net/listener_state.hpp"

#include <eddy/runtime/detail/deadline.hpp>

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

std::vector<int> empty_vector(std::size_t capacity) {
    std::vector<int> made;
    made.reserve(capacity);
    return made;
}

}  // namespace

// What may throw is done before the worker counts a listener.
listener_state::listener_state(worker_core& home, int descriptor)
    : listener_state(home, descriptor, empty_vector(2 * waiting_max)) {}

listener_state::listener_state(worker_core& home, int descriptor, std::vector<int> waiting) noexcept
    : worker_descriptor(home, descriptor, home.listeners()), waiting_(std::move(waiting)) {
    accepting_.descriptor = descriptor;
}

void listener_state::close() noexcept {
    if (!is_open())
        return;
    for (; next_ != waiting_.size(); ++next_)
        backend().close(waiting_[next_]);
    error_ = -ECANCELED;
    resting_.unlink();
    if (job* const acceptor = std::exchange(acceptor_, nullptr))
        acceptor->loop().make_ready(*acceptor);
    backend().cancel(accepting_);
    close_descriptor();
    backend().finish_closing();
}

int listener_state::release() noexcept {
    EDDY_ASSERT(acceptor_ == nullptr && accepting_.is_idle() && !resting_.is_armed() && !has_answer(),
                "a listener is given away before anything is accepted");
    if (!is_open())
        return -1;
    error_ = -ECANCELED;
    return release_descriptor();
}

void listener_state::abandon() noexcept {
    EDDY_ASSERT(acceptor_ == nullptr, "a listener outlives the accept on it");
    close();
    is_abandoned_ = true;
    if (accepting_.is_idle())
        delete this;
}

void listener_state::wait_for_answer(job& acceptor) noexcept {
    require_home();
    if (acceptor_ != nullptr) [[unlikely]]
        fatal("one accept at a time on a listener");
    acceptor_ = &acceptor;
    go_on();
}

void listener_state::go_on() noexcept {
    if (accepting_.is_idle() && !resting_.is_armed())
        backend().submit(accepting_);
}

void listener_state::rest() noexcept {
    ++shortages_;
    if (!resting_.is_armed())
        home().timers().arm(resting_, deadline_after(backend().system().clocks->now(), rest_time));
    if (on_shortage_ && !is_abandoned_)
        on_shortage_();
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
        if (is_open())
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
    static_cast<multishot_accept&>(accepting).owner.accept_outcome(outcome);
}

void listener_state::keep(int connection) noexcept {
    if (next_ >= waiting_max) {
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(next_));
        next_ = 0;
    }
    try {
        waiting_.push_back(connection);
    } catch (...) {  // out of memory: the peer sees its connection closed
        backend().close(connection);
    }
}

void listener_state::accept_outcome(const io::completion& outcome) noexcept {
    if (outcome.result >= 0) {
        if (!is_open())
            backend().close(outcome.result);
        else
            keep(outcome.result);
        if (outcome.more && waiting_.size() - next_ >= waiting_max)
            backend().cancel(accepting_);
    } else if (is_open() && is_shortage(outcome.result)) {
        rest();
    } else if (is_open() && outcome.result != -ECANCELED && !is_of_connection(outcome.result)) {
        error_ = outcome.result;
    }
    if (is_abandoned_) {
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
