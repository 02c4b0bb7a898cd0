#pragma once

#include "http2/frames.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/http/http2.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nghttp2/nghttp2.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http::test {

/// What has come on one stream.
struct response_seen {
    fields head;
    fields trailers;
    std::vector<std::string> interim;
    std::string body;
    std::size_t data_frames = 0;
    bool is_ended = false;
    bool is_reset = false;
    std::uint32_t code = 0;

    [[nodiscard]] std::string field(std::string_view name) const {
        for (const auto& [each, value] : head)
            if (each == name)
                return value;
        return "";
    }
    [[nodiscard]] std::string status() const { return field(":status"); }
    [[nodiscard]] bool is_over() const { return is_ended || is_reset; }
};

/// The client's end of a connection, frame by frame, or the server's: what it says is written by hand, right or
/// wrong.
class frame_peer {
public:
    explicit frame_peer(any_stream bytes) : bytes_(std::move(bytes)) {
        nghttp2_hd_inflater* made = nullptr;
        EXPECT_EQ(0, nghttp2_hd_inflate_new(&made));
        inflater_.reset(made);
    }

    /// Credit is given for what comes, as much as has come.
    bool gives_credit = true;
    std::map<std::int32_t, response_seen> seen;
    std::vector<std::pair<std::int32_t, std::uint32_t>> goaways;  // last stream, code
    std::map<std::uint16_t, std::uint32_t> settings;
    int settings_acks = 0;
    int pings = 0;
    int pongs = 0;
    std::uint64_t credit = 0;                       // of the connection, received
    std::map<std::int32_t, std::uint64_t> credits;  // of streams
    bool is_over = false;

    /// What stands first: the preface and settings.
    task<> begin(const std::string& entries = "") {
        co_await say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + text_of(frame(NGHTTP2_SETTINGS, 0, 0, entries)));
    }
    /// The same for a server, which first reads the client's preface.
    void expect_preface() { preface_left_ = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"; }
    task<> begin_as_server(const std::string& entries = "") {
        expect_preface();
        co_await say(text_of(frame(NGHTTP2_SETTINGS, 0, 0, entries)));
    }
    task<> say(std::string text) { static_cast<void>(co_await as_result(bytes_.write_all(as_bytes(text)))); }
    task<> say_frame(frame made) { co_await say(text_of(made)); }
    static std::string head(std::int32_t id, const fields& lines, bool ends = true) {
        const int flags = NGHTTP2_FLAG_END_HEADERS | (ends ? NGHTTP2_FLAG_END_STREAM : 0);
        return text_of(frame(NGHTTP2_HEADERS, static_cast<std::uint8_t>(flags), id, header_block(lines)));
    }
    static std::string data(std::int32_t id, const std::string& text, bool ends = true) {
        return text_of(
            {NGHTTP2_DATA, static_cast<std::uint8_t>(ends ? NGHTTP2_FLAG_END_STREAM : 0), id, text});
    }
    static std::string reset(std::int32_t id, std::uint32_t code = NGHTTP2_CANCEL) {
        return text_of(frame(NGHTTP2_RST_STREAM, 0, id, number(code, 4)));
    }
    static std::string window(std::int32_t id, std::uint32_t bytes) {
        return text_of(frame(NGHTTP2_WINDOW_UPDATE, 0, id, number(bytes, 4)));
    }
    static std::string entry(std::uint16_t name, std::uint32_t value) {
        return number(name, 2) + number(value, 4);
    }

    /// Reads frames until the condition holds. False: the connection has ended before.
    task<bool> until(std::function<bool()> condition) {
        while (!condition()) {
            const bool goes_on = co_await read_some();
            if (!goes_on)
                co_return condition();
        }
        co_return true;
    }
    task<bool> until_over(std::int32_t id) {
        return until([this, id] { return seen[id].is_over(); });
    }
    task<response_seen> request(std::int32_t id, fields lines) {
        co_await say(head(id, lines));
        static_cast<void>(co_await until_over(id));
        co_return seen[id];
    }
    task<> until_end() {
        static_cast<void>(co_await until([] { return false; }));
    }
    void close() { bytes_.close(); }
    task<> shutdown() { co_await bytes_.shutdown(); }

private:
    struct free_inflater {
        void operator()(nghttp2_hd_inflater* made) const noexcept { nghttp2_hd_inflate_del(made); }
    };

    task<bool> read_some() {
        std::array<std::byte, 16'384> room;
        const auto count = co_await as_result(bytes_.read(room));
        if (!count || *count == 0) {
            is_over = true;
            co_return false;
        }
        waiting_.append(as_text(std::span<const std::byte>(room).first(*count)));
        if (!preface_left_.empty() && waiting_.size() >= preface_left_.size()) {
            EXPECT_TRUE(waiting_.starts_with(preface_left_));
            waiting_.erase(0, std::exchange(preface_left_, "").size());
        }
        constexpr std::size_t head_bytes = 9;
        while (preface_left_.empty() && waiting_.size() >= head_bytes) {
            const std::size_t size = number_in('\0' + waiting_.substr(0, 3));
            if (waiting_.size() < head_bytes + size)
                break;
            frame next{static_cast<std::uint8_t>(waiting_[3]), static_cast<std::uint8_t>(waiting_[4]),
                       static_cast<std::int32_t>(number_in(std::string_view(waiting_).substr(5, 4))),
                       waiting_.substr(head_bytes, size)};
            waiting_.erase(0, head_bytes + size);
            co_await take(std::move(next));
        }
        co_return true;
    }
    task<> take(frame next) {
        response_seen& of = seen[next.id];
        const bool ends = (next.flags & NGHTTP2_FLAG_END_STREAM) != 0;
        switch (next.type) {
            case NGHTTP2_HEADERS:
            case NGHTTP2_CONTINUATION: {
                of.is_ended = of.is_ended || ends;
                head_block_ += next.payload;
                if ((next.flags & NGHTTP2_FLAG_END_HEADERS) == 0)
                    break;
                fields lines = inflated(std::exchange(head_block_, ""));
                if (lines.front().first == ":status" && lines.front().second.starts_with('1'))
                    of.interim.push_back(lines.front().second);
                else
                    (of.head.empty() ? of.head : of.trailers) = std::move(lines);
                break;
            }
            case NGHTTP2_DATA:
                of.body += next.payload;
                ++of.data_frames;
                of.is_ended = of.is_ended || ends;
                if (gives_credit && !next.payload.empty()) {
                    const auto bytes = static_cast<std::uint32_t>(next.payload.size());
                    std::string windows = window(0, bytes);
                    if (!ends)
                        windows += window(next.id, bytes);
                    co_await say(std::move(windows));
                }
                break;
            case NGHTTP2_RST_STREAM:
                of.is_reset = true;
                of.code = number_in(next.payload);
                break;
            case NGHTTP2_SETTINGS:
                if ((next.flags & NGHTTP2_FLAG_ACK) != 0) {
                    ++settings_acks;
                    break;
                }
                for (std::size_t at = 0; at + 6 <= next.payload.size(); at += 6)
                    settings[static_cast<std::uint16_t>(
                        number_in(std::string("\0\0", 2) + next.payload.substr(at, 2)))] =
                        number_in(std::string_view(next.payload).substr(at + 2));
                if (acks_settings)
                    co_await say_frame(frame(NGHTTP2_SETTINGS, NGHTTP2_FLAG_ACK, 0, ""));
                break;
            case NGHTTP2_PING:
                ++((next.flags & NGHTTP2_FLAG_ACK) != 0 ? pongs : pings);
                if ((next.flags & NGHTTP2_FLAG_ACK) == 0 && answers_pings)
                    co_await say_frame(frame(NGHTTP2_PING, NGHTTP2_FLAG_ACK, 0, next.payload));
                break;
            case NGHTTP2_WINDOW_UPDATE:
                (next.id == 0 ? credit : credits[next.id]) += number_in(next.payload);
                break;
            case NGHTTP2_GOAWAY:
                goaways.emplace_back(static_cast<std::int32_t>(number_in(next.payload)),
                                     number_in(std::string_view(next.payload).substr(4)));
                break;
            default:
                break;
        }
    }
    fields inflated(const std::string& block) {
        fields lines;
        const auto* at = reinterpret_cast<const std::uint8_t*>(block.data());
        std::size_t left = block.size();
        for (;;) {
            nghttp2_nv line;
            int flags = 0;
            const auto taken = nghttp2_hd_inflate_hd2(inflater_.get(), &line, &flags, at, left, 1);
            if (taken < 0) {
                ADD_FAILURE() << "a head that cannot be decoded";
                break;
            }
            at += taken;
            left -= static_cast<std::size_t>(taken);
            if ((flags & NGHTTP2_HD_INFLATE_EMIT) != 0)
                lines.emplace_back(std::string(reinterpret_cast<char*>(line.name), line.namelen),
                                   std::string(reinterpret_cast<char*>(line.value), line.valuelen));
            if ((flags & NGHTTP2_HD_INFLATE_FINAL) != 0) {
                nghttp2_hd_inflate_end_headers(inflater_.get());
                break;
            }
        }
        return lines;
    }

public:
    bool answers_pings = true;
    bool acks_settings = true;

private:
    any_stream bytes_;
    std::string waiting_;
    std::string preface_left_;
    std::string head_block_;  // until its end
    std::unique_ptr<nghttp2_hd_inflater, free_inflater> inflater_;
};

/// Answers by calling a function.
class called_handler final : public request_handler {
public:
    using function = std::function<ready_or_task<>(exchange&)>;
    explicit called_handler(function response) : answer_(std::move(response)) {}
    [[nodiscard]] ready_or_task<> handle(exchange& ex) override { return answer_(ex); }

private:
    function answer_;
};

inline server_options speaking_http2(const http2_options& how = {}) {
    return server_options().name("").protocol(http2(how));
}

/// One connection over a pipe in memory, or between sockets: the script is the client, which closes when it ends.
class http2_talk {
public:
    using script = std::function<task<void>(frame_peer&)>;

    explicit http2_talk(called_handler::function respond, server_options options = speaking_http2())
        : handler_(std::move(respond)), options_(std::move(options)) {}

    http2_talk& over_sockets() {
        are_sockets_ = true;
        return *this;
    }
    void runs(script client) {
        script_ = std::move(client);
        eddy::test::run_bounded(run());
    }

private:
    task<void> run() {
        if (!are_sockets_)
            co_return co_await run_between(duplex(65'536));
        auto ends = socket_pair();
        ends.second.set_option(io::socket_option::send_buffer_bytes,
                               16 * 1024);  // of which many writes take a part only
        co_await run_between(std::move(ends));
    }
    template <class Ends>
    task<void> run_between(Ends ends) {
        auto [client, served] = std::move(ends);
        frame_peer peer(any_stream(std::move(client)));
        auto serving = serve_connection(any_stream(std::move(served)), handler_, options_);
        co_await when_all(std::move(serving), say(peer));
    }
    task<void> say(frame_peer& peer) {
        co_await script_(peer);
        peer.close();
    }

    called_handler handler_;
    server_options options_;
    script script_;
    bool are_sockets_ = false;
};

/// Responds with the path.
inline task<void> echo_path(exchange& ex) {
    co_await ex.respond(status::ok, {}, ex.request().target());
}

}  // namespace eddy::http::test
