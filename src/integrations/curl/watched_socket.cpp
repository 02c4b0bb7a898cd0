#include "integrations/curl/watched_socket.hpp"

#include <curl/curl.h>
#include <utility>

namespace eddy::curl {

void ready_sockets::add(watched_socket& ready) noexcept {
    const bool is_first = list_.empty();
    ready.unlink();
    list_.push_back(ready);
    if (is_first)
        notify_(context_);
}

watched_socket::wait::wait(watched_socket& watching, io::opcode kind, int awaited, int event) noexcept
    : operation(kind, &on_ended), owner(watching), bit(event) {
    descriptor = awaited;
}

watched_socket::watched_socket(io::backend& backend, int descriptor, ready_sockets& ready) noexcept
    : backend_(backend),
      ready_(ready),
      reading_(*this, io::opcode::await_readable, descriptor, CURL_CSELECT_IN),
      writing_(*this, io::opcode::await_writable, descriptor, CURL_CSELECT_OUT) {}

watched_socket::~watched_socket() {
    for (wait* const pending : {&reading_, &writing_})
        if (!pending->is_idle())
            static_cast<void>(backend_.withdraw(*pending));
}

void watched_socket::wait_for(int what) noexcept {
    reading_.is_wanted = (what & CURL_POLL_IN) != 0;
    writing_.is_wanted = (what & CURL_POLL_OUT) != 0;
    wait_again();
}

void watched_socket::wait_again() noexcept {
    begin(reading_);
    begin(writing_);
}

void watched_socket::begin(wait& wanted) noexcept {
    if (wanted.is_wanted && wanted.is_idle() && (events_ & wanted.bit) == 0)
        backend_.submit(wanted);
}

int watched_socket::take_events() noexcept {
    const int wanted =
        (reading_.is_wanted ? CURL_CSELECT_IN : 0) | (writing_.is_wanted ? CURL_CSELECT_OUT : 0);
    return std::exchange(events_, 0) & (wanted | CURL_CSELECT_ERR);
}

void watched_socket::on_ended(io::operation& ended, const io::completion& outcome) noexcept {
    const wait& awaited = static_cast<wait&>(ended);
    awaited.owner.events_ |= outcome.result < 0 ? awaited.bit | CURL_CSELECT_ERR : awaited.bit;
    awaited.owner.ready_.add(awaited.owner);
}

}  // namespace eddy::curl
