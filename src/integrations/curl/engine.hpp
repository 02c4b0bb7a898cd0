#pragma once

#include "integrations/curl/library.hpp"
#include "integrations/curl/watched_socket.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/integrations/curl/client_options.hpp>
#include <eddy/runtime/detail/timer_wheel.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/sync/auto_reset_event.hpp>

#include <cstddef>
#include <memory>
#include <system_error>
#include <unordered_map>

namespace eddy::curl {

class transfer_state;

/// A multi handle on a worker. A task of its own enters libcurl for sockets and deadlines; tasks that begin,
/// end or resume a transfer enter it too. libcurl may not be entered from its own callbacks, so those only
/// note what is to be done and make tasks ready, and no task runs inside of one.
class engine {
public:
    explicit engine(client_options options);
    engine(const engine&) = delete;
    engine& operator=(const engine&) = delete;
    ~engine();

    [[nodiscard]] const client_options& options() const noexcept { return options_; }
    /// What transfers have in common: cookies and TLS sessions.
    [[nodiscard]] CURLSH* share() const noexcept { return share_.get(); }
    [[nodiscard]] std::size_t running() const noexcept { return running_.count(); }

    /// Throws std::system_error.
    void add(transfer_state& begun);
    /// Nothing happens if it is not running.
    void remove(transfer_state& ended) noexcept;
    /// Pauses the directions named by `directions`, CURLPAUSE_ bits, and resumes the others. libcurl may call
    /// its callbacks meanwhile. A transfer that fails in this call has ended.
    void pause(transfer_state& running, int directions) noexcept;

private:
    struct alarm : detail::timer {
        explicit alarm(engine& set) noexcept : timer(&ring), owner(set) {}
        static void ring(detail::timer& fired) noexcept;
        engine& owner;
    };
    struct multi_deleter {
        void operator()(CURLM* handle) const noexcept { curl_multi_cleanup(handle); }
    };

    static int on_socket(CURL*, curl_socket_t descriptor, int what, void* self, void* known) noexcept;
    static int on_timer(CURLM*, long wait_ms, void* self) noexcept;
    static void on_ready(void* self) noexcept { static_cast<engine*>(self)->work_.set(); }

    void set_up();
    [[nodiscard]] task<> drive();
    void serve_ready() noexcept;
    void perform(curl_socket_t descriptor, int events) noexcept;
    void collect_ended() noexcept;
    void end_all(std::error_code error) noexcept;
    void watch(curl_socket_t descriptor, int what, watched_socket* known);

    eddy::detail::worker_core& home_;
    const client_options options_;
    auto_reset_event work_;
    ready_sockets ready_;
    detail::intrusive_list<watched_socket> served_;
    std::unordered_map<curl_socket_t, watched_socket> sockets_;
    alarm alarm_;
    bool is_due_ = false;
    bool lacks_a_watch_ = false;  // for want of memory a socket is not waited for
    detail::intrusive_list<transfer_state> running_;
    share_handle share_;
    std::unique_ptr<CURLM, multi_deleter> multi_;
    handle<> driver_;
};

}  // namespace eddy::curl
