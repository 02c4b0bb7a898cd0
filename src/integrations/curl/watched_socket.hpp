#pragma once

#include <eddy/detail/intrusive_list.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/operation.hpp>

namespace eddy::curl {

class watched_socket;

/// The sockets to process, and the handler that is called when the list is no longer empty.
class ready_sockets {
public:
    using notify_function = void (*)(void* context) noexcept;
    ready_sockets(notify_function notify, void* context) noexcept : notify_(notify), context_(context) {}

    void add(watched_socket& ready) noexcept;
    [[nodiscard]] bool empty() const noexcept { return list_.empty(); }
    /// Requires: there is one.
    [[nodiscard]] watched_socket& take() noexcept { return list_.pop_front(); }

private:
    detail::intrusive_list<watched_socket> list_;
    notify_function notify_;
    void* context_;
};

/// A descriptor of libcurl and the waits for it. Destroyed when libcurl removes the descriptor from its set,
/// which it does before it closes it: the waits are withdrawn by then, so that the number may be reused at
/// once.
class watched_socket : public detail::list_hook<> {
public:
    watched_socket(io::backend& backend, int descriptor, ready_sockets& ready) noexcept;
    watched_socket(const watched_socket&) = delete;
    watched_socket& operator=(const watched_socket&) = delete;
    ~watched_socket();

    [[nodiscard]] int descriptor() const noexcept { return reading_.descriptor; }

    /// What libcurl waits for from now on: CURL_POLL_IN, CURL_POLL_OUT or both.
    void wait_for(int what) noexcept;
    /// Waits again for what is still wanted. A wait that is no longer wanted may be under way; its end is
    /// ignored.
    void wait_again() noexcept;
    /// What has come since, as CURL_CSELECT_ bits, of what is wanted.
    [[nodiscard]] int take_events() noexcept;

private:
    struct wait : io::operation {
        wait(watched_socket& watching, io::opcode kind, int awaited, int event) noexcept;
        watched_socket& owner;
        const int bit;
        bool is_wanted = false;
    };
    static void on_ended(io::operation& ended, const io::completion& outcome) noexcept;
    void begin(wait& wanted) noexcept;

    io::backend& backend_;
    ready_sockets& ready_;
    wait reading_;
    wait writing_;
    int events_ = 0;
};

}  // namespace eddy::curl
