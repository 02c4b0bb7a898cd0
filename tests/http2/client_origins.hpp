#pragma once

#include "http2/frame_peer.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/client.hpp>
#include <eddy/http/http2.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/duplex.hpp>

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::http::test {

inline http2_options in_clear() {
    return http2_options().prior_knowledge(true);
}

/// Servers in memory that say frames: for each connection, in the order in which they are made, a script. A
/// connection stays open when its script has ended, unless that closes it. Belongs to a worker.
class framed_origin {
public:
    using script = std::function<task<void>(frame_peer&)>;

    explicit framed_origin(std::vector<script> scripts) : scripts_(std::move(scripts)) {}
    framed_origin(const framed_origin&) = delete;
    framed_origin& operator=(const framed_origin&) = delete;
    ~framed_origin() { talking_.clear(); }

    [[nodiscard]] client_options options(const http2_options& how = in_clear()) {
        return client_options()
            .transport([this](client_target) { return connect(*this); })
            .protocol(http2(how));
    }
    [[nodiscard]] std::size_t connected() const noexcept { return peers_.size(); }
    [[nodiscard]] frame_peer& peer(std::size_t index) { return std::next(peers_.begin(), long(index))->peer; }
    /// Waits until the script of a connection has ended.
    task<> script_end(std::size_t index) {
        while (talking_.size() <= index || !talking_[index].done())
            co_await yield();
    }

private:
    struct connection {
        explicit connection(duplex_stream made) : peer(any_stream(std::move(made))) {}
        frame_peer peer;
    };

    static task<any_stream> connect(framed_origin& self) {
        if (self.peers_.size() >= self.scripts_.size())
            throw std::system_error(std::make_error_code(std::errc::connection_refused));
        auto [here, there] = duplex(65'536);
        connection& made = self.peers_.emplace_back(std::move(there));
        self.talking_.push_back(spawn(self.scripts_[self.peers_.size() - 1](made.peer)));
        co_return any_stream(std::move(here));
    }

    std::vector<script> scripts_;
    std::list<connection> peers_;
    std::vector<handle<>> talking_;
};

/// The library's own server, in memory, for any number of connections.
class served_origin {
public:
    explicit served_origin(called_handler::function respond, server_options options = speaking_http2())
        : handler_(std::move(respond)), options_(std::move(options)) {}
    served_origin(const served_origin&) = delete;
    served_origin& operator=(const served_origin&) = delete;
    ~served_origin() { serving_.clear(); }

    [[nodiscard]] client_options options(const http2_options& how = in_clear()) {
        return client_options()
            .transport([this](client_target) { return connect(*this); })
            .protocol(http2(how));
    }
    [[nodiscard]] std::size_t connected() const noexcept { return serving_.size(); }
    /// Ends all connections.
    void cut() { serving_.clear(); }

private:
    static task<any_stream> connect(served_origin& self) {
        auto [here, there] = duplex(65'536);
        self.serving_.push_back(
            spawn(serve_connection(any_stream(std::move(there)), self.handler_, self.options_)));
        co_return any_stream(std::move(here));
    }

    called_handler handler_;
    server_options options_;
    std::vector<handle<>> serving_;
};

inline fields answer(const std::string& code = "200", fields more = {}) {
    fields made = {{":status", code}};
    made.insert(made.end(), more.begin(), more.end());
    return made;
}

inline task<std::string> text_of(client& by, std::string to) {
    client_response response = co_await by.get(std::move(to));
    co_return co_await response.text();
}

/// The error that a task ends with.
template <class T>
task<std::error_code> error_of(task<T> work) {
    try {
        static_cast<void>(co_await std::move(work));
    } catch (const std::system_error& error) {
        co_return error.code();
    }
    co_return std::error_code();
}

}  // namespace eddy::http::test
