#include "integrations/curl/engine.hpp"

#include "integrations/curl/transfer_state.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/detail/assert.hpp>

#include <climits>

#include <algorithm>
#include <chrono>
#include <new>
#include <tuple>
#include <utility>

namespace eddy::curl {

namespace {

// Sockets that are served before others on the worker have their turn.
constexpr int sockets_per_turn = 32;

long at_most_long(std::size_t count) noexcept {
    return static_cast<long>(std::min<std::size_t>(count, INT_MAX));
}

void require_share(CURLSHcode code) {
    if (code != CURLSHE_OK)
        throw std::bad_alloc();
}

// A tunnel that was refused has no number of its own, and not the same in each version; here it has that of
// SOCKS.
std::error_code outcome_of(CURL* ended, CURLcode code) noexcept {
    long answer = 0;
    if (code == CURLE_RECV_ERROR || code == CURLE_COULDNT_CONNECT)
        curl_easy_getinfo(ended, CURLINFO_HTTP_CONNECTCODE, &answer);
    return {answer == 0 || answer / 100 == 2 ? code : CURLE_PROXY, error_category()};
}

}  // namespace

engine::engine(client_options options)
    : home_(eddy::detail::worker_core::current()),
      options_(std::move(options)),
      ready_(&on_ready, this),
      alarm_(*this) {
    initialise_library();
    share_.reset(curl_share_init());
    multi_.reset(curl_multi_init());
    if (share_ == nullptr || multi_ == nullptr)
        throw std::bad_alloc();
    set_up();
    driver_ = spawn(drive(), "curl");
}

engine::~engine() {
    EDDY_ASSERT(eddy::detail::worker_core::current_or_null() == &home_,
                "a curl client belongs to its worker");
    driver_.cancel();
    multi_.reset();  // which says goodbye to its sockets
}

void engine::set_up() {
    require_share(curl_share_setopt(share_.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION));
    if (options_.cookies())
        require_share(curl_share_setopt(share_.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE));
    CURLM* const multi = multi_.get();
    require(curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &on_socket));
    require(curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this));
    require(curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, &on_timer));
    require(curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this));
    require(curl_multi_setopt(multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX));
    require(
        curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, at_most_long(options_.connections_max())));
    require(curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS,
                              at_most_long(options_.connections_per_host_max())));
    require(curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, at_most_long(options_.idle_connections_max())));
    require(curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS,
                              at_most_long(options_.streams_per_connection_max())));
}

void engine::add(transfer_state& begun) {
    EDDY_ASSERT(eddy::detail::worker_core::current_or_null() == &home_,
                "a curl client belongs to its worker");
    require(curl_multi_add_handle(multi_.get(), begun.handle()));
    running_.push_back(begun);
}

void engine::remove(transfer_state& ended) noexcept {
    EDDY_ASSERT(eddy::detail::worker_core::current_or_null() == &home_,
                "a curl transfer belongs to its worker");
    if (!ended.is_linked())
        return;
    ended.unlink();
    curl_multi_remove_handle(multi_.get(), ended.handle());
}

void engine::pause(transfer_state& running, int directions) noexcept {
    EDDY_ASSERT(eddy::detail::worker_core::current_or_null() == &home_,
                "a curl transfer belongs to its worker");
    if (!running.is_linked())
        return;
    const CURLcode code = curl_easy_pause(running.handle(), directions);
    if (code == CURLE_OK)
        return;
    remove(running);
    running.end(std::error_code(code, error_category()));
}

task<> engine::drive() {
    for (;;) {
        co_await work_.wait();
        serve_ready();
        collect_ended();
        if (std::exchange(lacks_a_watch_, false))
            end_all(std::make_error_code(std::errc::not_enough_memory));
        if (!ready_.empty()) {
            work_.set();
            co_await yield();
        }
    }
}

void engine::serve_ready() noexcept {
    if (std::exchange(is_due_, false))
        perform(CURL_SOCKET_TIMEOUT, 0);
    for (int count = 0; count < sockets_per_turn && !ready_.empty(); ++count) {
        watched_socket& next = ready_.take();
        served_.push_back(next);  // which it leaves if libcurl is done with it
        if (const int events = next.take_events(); events != 0)
            perform(next.descriptor(), events);
    }
    while (!served_.empty())
        served_.pop_front().wait_again();
}

void engine::perform(curl_socket_t descriptor, int events) noexcept {
    int running = 0;
    const CURLMcode code = curl_multi_socket_action(multi_.get(), descriptor, events, &running);
    if (code != CURLM_OK && code != CURLM_BAD_SOCKET)
        end_all(std::error_code(code, multi_category()));
}

void engine::collect_ended() noexcept {
    int left = 0;
    while (const CURLMsg* const said = curl_multi_info_read(multi_.get(), &left)) {
        if (said->msg != CURLMSG_DONE)
            continue;
        // The message goes with the handle.
        const CURLcode code = said->data.result;
        transfer_state& ended = transfer_state::of(said->easy_handle);
        remove(ended);
        ended.end(outcome_of(ended.handle(), code));
    }
}

void engine::end_all(std::error_code error) noexcept {
    while (!running_.empty()) {
        transfer_state& ended = running_.front();
        remove(ended);
        ended.end(error);
    }
}

int engine::on_socket(CURL*, curl_socket_t descriptor, int what, void* self, void* known) noexcept {
    engine& here = *static_cast<engine*>(self);
    try {
        here.watch(descriptor, what, static_cast<watched_socket*>(known));
    } catch (const std::bad_alloc&) {
        // Not reported to libcurl: once this callback has failed, its table of sockets keeps pointers to
        // freed transfers.
        here.lacks_a_watch_ = true;
        here.work_.set();
    }
    return 0;
}

void engine::watch(curl_socket_t descriptor, int what, watched_socket* known) {
    if (what == CURL_POLL_REMOVE) {
        sockets_.erase(descriptor);
        return;
    }
    if (known == nullptr) {
        known = &sockets_.try_emplace(descriptor, home_.backend(), static_cast<int>(descriptor), ready_)
                     .first->second;
        curl_multi_assign(multi_.get(), descriptor, known);
    }
    known->wait_for(what);
}

int engine::on_timer(CURLM*, long wait_ms, void* self) noexcept {
    engine& here = *static_cast<engine*>(self);
    here.home_.timers().disarm(here.alarm_);
    if (wait_ms >= 0)
        here.home_.timers().arm_after(here.alarm_, std::chrono::milliseconds(wait_ms));
    return 0;
}

void engine::alarm::ring(detail::timer& fired) noexcept {
    engine& here = static_cast<alarm&>(fired).owner;
    here.is_due_ = true;
    here.work_.set();
}

}  // namespace eddy::curl
