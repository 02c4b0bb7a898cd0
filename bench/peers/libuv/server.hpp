#pragma once

#include "peers/common/server_options.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <uv.h>

namespace bench {

// What a connection has beside libuv's handle, which must not move.
struct uv_connection {
    uv_tcp_t handle;
    uv_write_t writing;
    std::string under_way{};  // what the write under way sends
    std::string queue{};      // what is sent after it
    std::string unparsed{};   // http: input that makes no whole request yet

    uv_stream_t* stream() { return reinterpret_cast<uv_stream_t*>(&handle); }
};

inline void check_uv(const char* what, int result) {
    if (result >= 0)
        return;
    std::fprintf(stderr, "%s: %s\n", what, uv_strerror(result));
    std::exit(1);
}

inline void end_uv(uv_connection& c) {
    uv_close(reinterpret_cast<uv_handle_t*>(&c.handle),
             [](uv_handle_t* handle) { delete static_cast<uv_connection*>(handle->data); });
}

// Accepts for ever and calls `on_bytes(server, connection, bytes)`, which says whether to go on. All
// connections are read into one buffer, since nobody keeps what is in it.
template <class OnBytes>
class uv_server {
public:
    uv_server(const server_options& options, OnBytes on_bytes) : on_bytes_(on_bytes) {
        check_uv("uv_loop_init", uv_loop_init(&loop_));
        uv_loop_set_data(&loop_, this);
        check_uv("uv_tcp_init", uv_tcp_init(&loop_, &listener_));
        sockaddr_in address;
        uv_ip4_addr("127.0.0.1", options.port, &address);
        check_uv("uv_tcp_bind", uv_tcp_bind(&listener_, reinterpret_cast<const sockaddr*>(&address), 0));
        check_uv("uv_listen", uv_listen(reinterpret_cast<uv_stream_t*>(&listener_), 4096, on_connection));
    }
    uv_server(const uv_server&) = delete;

    void run() { uv_run(&loop_, UV_RUN_DEFAULT); }

    // What the socket takes goes at once, by uv_try_write(); the rest becomes a write, and reading goes on
    // when that is done. False when the connection has failed.
    bool send(uv_connection& c, std::string_view bytes) {
        if (!c.under_way.empty()) {
            c.queue += bytes;
            return true;
        }
        const uv_buf_t buffer = buffer_of(bytes);
        const int sent = uv_try_write(c.stream(), &buffer, 1);
        if (sent < 0 && sent != UV_EAGAIN)
            return false;
        bytes.remove_prefix(sent < 0 ? 0 : static_cast<std::size_t>(sent));
        if (bytes.empty())
            return true;
        uv_read_stop(c.stream());
        c.under_way = bytes;
        return write(c);
    }

private:
    static uv_buf_t buffer_of(std::string_view bytes) {
        return uv_buf_init(const_cast<char*>(bytes.data()), static_cast<unsigned>(bytes.size()));
    }

    static uv_server& of(uv_loop_t* loop) { return *static_cast<uv_server*>(uv_loop_get_data(loop)); }

    static void on_connection(uv_stream_t* listener, int status) {
        if (status < 0)
            return;
        auto* c = new uv_connection;
        check_uv("uv_tcp_init", uv_tcp_init(listener->loop, &c->handle));
        c->handle.data = c;
        if (uv_accept(listener, c->stream()) != 0)
            return end_uv(*c);
        uv_tcp_nodelay(&c->handle, 1);
        read(*c);
    }

    static void read(uv_connection& c) { uv_read_start(c.stream(), offer_buffer, on_read); }

    static void offer_buffer(uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
        uv_server& server = of(handle->loop);
        *buffer = uv_buf_init(server.buffer_, sizeof server.buffer_);
    }

    static void on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
        auto& c = *static_cast<uv_connection*>(stream->data);
        uv_server& server = of(stream->loop);
        const bool goes_on =
            count >= 0 && server.on_bytes_(server, c, {buffer->base, static_cast<std::size_t>(count)});
        if (!goes_on)
            end_uv(c);
    }

    static bool write(uv_connection& c) {
        const uv_buf_t buffer = buffer_of(c.under_way);
        return uv_write(&c.writing, c.stream(), &buffer, 1, on_written) == 0;
    }

    static void on_written(uv_write_t* writing, int status) {
        auto& c = *static_cast<uv_connection*>(writing->handle->data);
        if (status == UV_ECANCELED)  // it is being closed
            return;
        c.under_way = std::exchange(c.queue, {});
        if (status < 0 || (!c.under_way.empty() && !write(c)))
            return end_uv(c);
        if (c.under_way.empty())
            read(c);
    }

    uv_loop_t loop_;
    uv_tcp_t listener_;
    OnBytes on_bytes_;
    char buffer_[65536];
};

}  // namespace bench
