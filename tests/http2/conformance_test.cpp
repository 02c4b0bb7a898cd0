#include "http2/frame_peer.hpp"

#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

// RFC 9113 and RFC 7541 section by section: what a client may say, and how what it may not say ends.
namespace eddy::http::test::conformance_test {
namespace {

enum class outcome : std::uint8_t {
    served,      ///< stream `id` has its response
    reset,       ///< stream `id` is reset with the code, and the connection goes on
    ended,       ///< the connection ends with a GOAWAY of the code
    undisturbed  ///< nothing comes of it
};

struct conformance_case {
    std::string section;
    std::string says;
    outcome expected = outcome::undisturbed;
    std::uint32_t code = NGHTTP2_NO_ERROR;
    std::int32_t id = 1;
    /// Stream 1 is over before it says so.
    bool after_stream = false;
};

constexpr int ends_stream = NGHTTP2_FLAG_END_STREAM;
constexpr int ends_headers = NGHTTP2_FLAG_END_HEADERS;
constexpr int padded = NGHTTP2_FLAG_PADDED;
constexpr int prioritised = NGHTTP2_FLAG_PRIORITY;

std::string made(std::uint8_t type, int flags, std::int32_t id, std::string payload) {
    return text_of(frame(type, static_cast<std::uint8_t>(flags), id, std::move(payload)));
}
std::string headers(int flags, std::int32_t id, std::string payload) {
    return made(NGHTTP2_HEADERS, flags, id, std::move(payload));
}
std::string continuation(int flags, std::int32_t id, std::string payload) {
    return made(NGHTTP2_CONTINUATION, flags, id, std::move(payload));
}
std::string data(int flags, std::int32_t id, std::string payload) {
    return made(NGHTTP2_DATA, flags, id, std::move(payload));
}
std::string priority(std::int32_t id, std::string payload) {
    return made(NGHTTP2_PRIORITY, 0, id, std::move(payload));
}
std::string settings(std::uint16_t name, std::uint32_t value) {
    return made(NGHTTP2_SETTINGS, 0, 0, frame_peer::entry(name, value));
}
std::string whole(std::int32_t id, std::string block) {
    return headers(ends_headers | ends_stream, id, std::move(block));
}
std::string window(std::int32_t id, std::uint32_t bytes) {
    return frame_peer::window(id, bytes);
}
std::string rst(std::int32_t id, std::uint32_t code = NGHTTP2_CANCEL) {
    return frame_peer::reset(id, code);
}
/// A request whose handler waits for its body.
std::string held(std::int32_t id) {
    return frame_peer::head(id, post("/"), false);
}
std::string block() {
    return header_block(get("/"));
}
std::string block_with(const std::string& name, const std::string& value) {
    return header_block(with(get("/"), name, value));
}
fields without(fields lines, const std::string& name) {
    std::erase_if(lines, [&](const auto& line) { return line.first == name; });
    return lines;
}
const std::string dependency = number(0, 4) + "\x10";

std::string shown(const response_seen& of) {
    return (of.is_reset ? "reset " + std::to_string(of.code) : "status " + of.status()) +
           (of.is_ended ? ", ended" : "");
}

void check(const conformance_case& one) {
    SCOPED_TRACE(one.section);
    http2_talk(
        [](exchange& ex) -> task<void> {
            const std::string body = co_await ex.body().read_all(100'000);
            co_await ex.respond(status::ok, {}, ex.request().target());
        },
        speaking_http2().idle_timeout(std::chrono::seconds(5)))
        .runs([&one](frame_peer& peer) -> task<void> {
            co_await peer.begin();
            EXPECT_TRUE(
                co_await peer.until([&] { return !peer.settings.empty() && peer.settings_acks == 1; }));
            if (one.after_stream) {
                EXPECT_EQ("200", (co_await peer.request(1, get("/"))).status());
            }
            co_await peer.say(one.says);
            if (one.expected == outcome::ended) {
                co_await peer.until_end();
                EXPECT_FALSE(peer.goaways.empty()) << "no GOAWAY";
                const std::uint32_t code = peer.goaways.empty() ? 0 : peer.goaways.back().second;
                EXPECT_EQ(one.code, code);
                co_return;
            }
            if (one.expected != outcome::undisturbed) {
                EXPECT_TRUE(co_await peer.until_over(one.id)) << "the connection has ended";
                const response_seen& of = peer.seen[one.id];
                EXPECT_EQ(one.expected == outcome::reset, of.is_reset) << shown(of);
                EXPECT_EQ(one.code, of.code) << shown(of);
            }
            const int pongs = peer.pongs;
            co_await peer.say(made(NGHTTP2_PING, 0, 0, "12345678"));
            EXPECT_TRUE(co_await peer.until([&] { return peer.pongs > pongs; }))
                << "the connection has ended";
            EXPECT_EQ(1, peer.pongs - pongs);
            EXPECT_TRUE(peer.goaways.empty());
        });
}

void check_all(const std::vector<conformance_case>& cases) {
    for (const conformance_case& one : cases)
        check(one);
}

using enum outcome;
constexpr std::uint32_t protocol_error = NGHTTP2_PROTOCOL_ERROR;
constexpr std::uint32_t size_error = NGHTTP2_FRAME_SIZE_ERROR;
constexpr std::uint32_t flow_error = NGHTTP2_FLOW_CONTROL_ERROR;
constexpr std::uint32_t closed_error = NGHTTP2_STREAM_CLOSED;
constexpr std::uint32_t compression_error = NGHTTP2_COMPRESSION_ERROR;

TEST(http2_conformance, begins_with_a_preface) {
    for (const std::string& wrong :
         {std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r") + "x",
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + made(NGHTTP2_PING, 0, 0, "12345678")})
        http2_talk(echo_path).runs([&](frame_peer& peer) -> task<void> {
            co_await peer.say(wrong + std::string(100, '\0'));
            co_await peer.until_end();
            EXPECT_TRUE(peer.seen[1].head.empty());
        });
}

TEST(http2_conformance, section_4_frames) {
    check_all({
        {"4.1 unknown type", made(0x77, 0, 0, "some") + made(0x16, 0, 1, ""), undisturbed},
        {"4.1 undefined flags", made(NGHTTP2_SETTINGS, 0x16, 0, "") + headers(0xc5, 1, block()), undisturbed},
        {"4.1 reserved bit", made(NGHTTP2_WINDOW_UPDATE, 0, INT32_MIN, number(1, 4)), undisturbed},
        {"4.1 reserved bit of an increment", window(0, 0x80000001), undisturbed},
        {"4.2 largest DATA", held(1) + data(ends_stream, 1, std::string(16'384, 'x')), served},
        {"4.2 larger DATA", held(1) + data(ends_stream, 1, std::string(16'385, 'x')), ended, size_error},
        {"4.2 larger HEADERS", whole(1, std::string(16'385, 'x')), ended, size_error},
        {"4.2 larger unknown frame", made(0x77, 0, 0, std::string(16'385, 'x')), ended, size_error},
        {"4.3 invalid block", whole(1, "\x40"), ended, compression_error},
        {"4.3 PRIORITY within a head", headers(ends_stream, 1, block()) + priority(1, dependency), ended,
         protocol_error},
        {"4.3 HEADERS within a head", headers(ends_stream, 1, block()) + whole(3, block()), ended,
         protocol_error},
        {"4.3 unknown frame within a head", headers(ends_stream, 1, block()) + made(0x77, 0, 0, ""), ended,
         protocol_error},
        {"4.3 WINDOW_UPDATE of 0 within a head", headers(ends_stream, 1, block()) + window(1, 0), ended,
         protocol_error},
    });
}

TEST(http2_conformance, section_5_streams) {
    check_all({
        {"5.1 idle: DATA", data(ends_stream, 1, "x"), ended, protocol_error},
        {"5.1 idle: RST_STREAM", rst(1), ended, protocol_error},
        {"5.1 idle: WINDOW_UPDATE", window(1, 100), ended, protocol_error},
        {"5.1 idle: CONTINUATION", continuation(ends_headers, 1, block()), ended, protocol_error},
        {"5.1 idle: PRIORITY", priority(1, dependency) + whole(3, block()), served, 0, 3},
        {"5.1 half-closed: WINDOW_UPDATE", held(1) + data(ends_stream, 1, "") + window(1, 100), served},
        {"5.1 half-closed: PRIORITY", held(1) + data(ends_stream, 1, "") + priority(1, dependency), served},
        {"5.1 half-closed: RST_STREAM", whole(1, block()) + rst(1), undisturbed},
        {"5.1 half-closed: DATA", whole(1, block()) + data(ends_stream, 1, "x"), ended, closed_error},
        {"5.1 half-closed: HEADERS", whole(1, block()) + whole(1, block()), ended, closed_error},
        {"5.1 half-closed: CONTINUATION", whole(1, block()) + continuation(ends_headers, 1, block()), ended,
         protocol_error},
        {"5.1 closed: DATA after RST_STREAM", held(1) + rst(1) + data(ends_stream, 1, "x"), ended,
         closed_error},
        {"5.1 closed: HEADERS after RST_STREAM", held(1) + rst(1) + whole(1, block()), ended, closed_error},
        {"5.1 closed: DATA", data(ends_stream, 1, "x"), ended, closed_error, 1, true},
        {"5.1 closed: HEADERS", whole(1, block()), ended, closed_error, 1, true},
        {"5.1 closed: CONTINUATION", continuation(ends_headers, 1, block()), ended, protocol_error, 1, true},
        {"5.1 closed: PRIORITY", priority(1, dependency), undisturbed, 0, 1, true},
        {"5.1 closed: WINDOW_UPDATE", window(1, 100), undisturbed, 0, 1, true},
        {"5.1 closed: WINDOW_UPDATE of 0", window(1, 0), undisturbed, 0, 1, true},
        {"5.1 closed: RST_STREAM", rst(1), undisturbed, 0, 1, true},
        {"5.1.1 even number", whole(2, block()), ended, protocol_error},
        {"5.1.1 smaller number", whole(5, block()) + whole(3, block()), ended, protocol_error},
        {"5.3 a stream that depends on itself",
         headers(ends_headers | ends_stream | prioritised, 1, number(1, 4) + "\x10" + block()), ended,
         protocol_error},
        {"5.4.2 RST_STREAM is not answered by one", held(1) + rst(1) + rst(1), undisturbed},
        {"5.5 unknown frame", made(0x16, 0xff, 1, "some") + whole(1, block()), served},
    });
}

TEST(http2_conformance, section_6_frames_of_streams) {
    check_all({
        {"6.1 stream 0", data(0, 0, "x"), ended, protocol_error},
        {"6.1 padding", held(1) + data(ends_stream | padded, 1, "\x02xyz"), served},
        {"6.1 padding only", held(1) + data(ends_stream | padded, 1, std::string("\x02\0\0", 3)), served},
        {"6.1 too much padding", held(1) + data(ends_stream | padded, 1, "\x04xyz"), ended, protocol_error},
        {"6.1 no padding length", held(1) + data(ends_stream | padded, 1, ""), ended, size_error},
        {"6.2 no padding length", headers(ends_headers | padded, 1, ""), ended, size_error},
        {"6.2 no dependency", headers(ends_headers | prioritised, 1, "four"), ended, size_error},
        {"6.2 stream 0", whole(0, block()), ended, protocol_error},
        {"6.2 padding", headers(ends_headers | ends_stream | padded, 1, "\x02" + block() + "xy"), served},
        {"6.2 padding and priority",
         headers(ends_headers | ends_stream | padded | prioritised, 1, "\x02" + dependency + block() + "xy"),
         served},
        {"6.2 too much padding", headers(ends_headers | ends_stream | padded, 1, "\xff" + block()), ended,
         protocol_error},
        {"6.3 PRIORITY of stream 0", priority(0, dependency), ended, protocol_error},
        {"6.3 PRIORITY of another size", held(1) + priority(1, "four"), ended, size_error},
        {"6.4 RST_STREAM of stream 0", rst(0), ended, protocol_error},
        {"6.4 RST_STREAM of another size", held(1) + made(NGHTTP2_RST_STREAM, 0, 1, "abc"), ended,
         size_error},
        {"6.6 PUSH_PROMISE", held(1) + made(NGHTTP2_PUSH_PROMISE, ends_headers, 1, number(2, 4) + block()),
         ended, protocol_error},
        {"6.10 several",
         headers(ends_stream, 1, block()) + continuation(0, 1, header_block({{"a", "b"}})) +
             continuation(ends_headers, 1, header_block({{"c", "d"}})),
         served},
        {"6.10 a field over two",
         headers(ends_stream, 1, block().substr(0, 7)) + continuation(ends_headers, 1, block().substr(7)),
         served},
        {"6.10 something else in between", headers(ends_stream, 1, block()) + data(0, 1, "x"), ended,
         protocol_error},
        {"6.10 of another stream", headers(ends_stream, 1, block()) + continuation(ends_headers, 3, ""),
         ended, protocol_error},
        {"6.10 stream 0", headers(ends_stream, 1, block()) + continuation(ends_headers, 0, ""), ended,
         protocol_error},
        {"6.10 after a whole head", held(1) + continuation(ends_headers, 1, header_block({{"a", "b"}})),
         ended, protocol_error},
        {"6.10 after a last one",
         headers(0, 1, block()) + continuation(ends_headers, 1, "") + continuation(ends_headers, 1, ""),
         ended, protocol_error},
        {"6.10 after DATA", held(1) + data(0, 1, "x") + continuation(ends_headers, 1, ""), ended,
         protocol_error},
    });
}

TEST(http2_conformance, section_6_frames_of_the_connection) {
    check_all({
        {"6.5 acknowledgement with a payload",
         made(NGHTTP2_SETTINGS, NGHTTP2_FLAG_ACK, 0, frame_peer::entry(1, 1)), ended, size_error},
        {"6.5 of a stream", made(NGHTTP2_SETTINGS, 0, 1, ""), ended, protocol_error},
        {"6.5 another size", made(NGHTTP2_SETTINGS, 0, 0, "abc"), ended, size_error},
        {"6.5.2 ENABLE_PUSH of 2", settings(NGHTTP2_SETTINGS_ENABLE_PUSH, 2), ended, protocol_error},
        {"6.5.2 window too large", settings(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 0x80000000U), ended,
         flow_error},
        {"6.5.2 frame size too small", settings(NGHTTP2_SETTINGS_MAX_FRAME_SIZE, 16'383), ended,
         protocol_error},
        {"6.5.2 frame size too large", settings(NGHTTP2_SETTINGS_MAX_FRAME_SIZE, 1 << 24), ended,
         protocol_error},
        {"6.5.2 largest frame size", settings(NGHTTP2_SETTINGS_MAX_FRAME_SIZE, (1 << 24) - 1), undisturbed},
        {"6.5.2 unknown setting", settings(0xff, 1), undisturbed},
        {"RFC 8441 3 ENABLE_CONNECT_PROTOCOL of 2", settings(NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 2),
         ended, protocol_error},
        {"RFC 9218 2.1 NO_RFC7540_PRIORITIES of 2", settings(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 2),
         ended, protocol_error},
        {"6.7 reply that was not asked for", made(NGHTTP2_PING, NGHTTP2_FLAG_ACK, 0, "12345678"),
         undisturbed},
        {"6.7 of a stream", made(NGHTTP2_PING, 0, 1, "12345678"), ended, protocol_error},
        {"6.7 another size", made(NGHTTP2_PING, 0, 0, "123456"), ended, size_error},
        {"6.8 GOAWAY of a stream", made(NGHTTP2_GOAWAY, 0, 1, number(0, 8)), ended, protocol_error},
        {"6.8 GOAWAY too short", made(NGHTTP2_GOAWAY, 0, 0, number(0, 4)), ended, size_error},
        {"6.9 connection, by 0", window(0, 0), ended, protocol_error},
        {"6.9 stream, by 0", held(1) + window(1, 0), reset, protocol_error},
        {"6.9 another size", made(NGHTTP2_WINDOW_UPDATE, 0, 0, number(1, 3)), ended, size_error},
        {"6.9.1 connection, too large", window(0, 0x7fffffff), ended, flow_error},
        {"6.9.1 stream, too large", held(1) + window(1, 0x7fffffff), reset, flow_error},
        {"6.9.2 window of a stream too large by settings",
         held(1) + window(1, 1) + settings(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 0x7fffffff), ended,
         flow_error},
        {"7 unknown code of RST_STREAM", held(1) + rst(1, 0xff), undisturbed},
        {"RFC 9218 7.1 PRIORITY_UPDATE",
         made(NGHTTP2_PRIORITY_UPDATE, 0, 0, number(1, 4) + "u=1") + whole(1, block()), served},
        {"RFC 9218 7.1 PRIORITY_UPDATE on a stream",
         made(NGHTTP2_PRIORITY_UPDATE, 0, 1, number(1, 4) + "u=1"), ended, protocol_error},
        {"RFC 9218 7.1 PRIORITY_UPDATE of stream 0",
         made(NGHTTP2_PRIORITY_UPDATE, 0, 0, number(0, 4) + "u=1"), ended, protocol_error},
        {"RFC 9218 7.1 PRIORITY_UPDATE too short", made(NGHTTP2_PRIORITY_UPDATE, 0, 0, "abc"), ended,
         size_error},
    });
}

TEST(http2_conformance, section_8_messages) {
    const fields of_post = post("/");
    check_all({
        {"8.1 HEADERS within a body", held(1) + headers(ends_headers, 1, header_block({{"a", "b"}})), reset,
         protocol_error},
        {"8.1 trailers", held(1) + data(0, 1, "x") + whole(1, header_block({{"a", "b"}})), served},
        {"8.1 pseudo-field in trailers", held(1) + whole(1, header_block({{":method", "GET"}})), reset,
         protocol_error},
        {"8.1.1 length larger than the body",
         headers(ends_headers, 1, header_block(with(of_post, "content-length", "2"))) +
             data(ends_stream, 1, "x"),
         reset, protocol_error},
        {"8.1.1 length smaller than bodies",
         headers(ends_headers, 1, header_block(with(of_post, "content-length", "2"))) + data(0, 1, "xy") +
             data(ends_stream, 1, "z"),
         reset, protocol_error},
        {"8.1.1 two lengths",
         headers(ends_headers, 1,
                 header_block(with(with(of_post, "content-length", "1"), "content-length", "2"))),
         reset, protocol_error},
        {"8.2 upper case", whole(1, block_with("A", "b")), reset, protocol_error},
        {"8.2.1 blank in a name", whole(1, block_with("a b", "c")), reset, protocol_error},
        {"8.2.1 empty name", whole(1, block_with("", "c")), reset, protocol_error},
        {"8.2.1 colon in a name", whole(1, block_with("a:b", "c")), reset, protocol_error},
        {"8.2.1 beyond ASCII in a name", whole(1, block_with("\xc3\xa4", "c")), reset, protocol_error},
        {"8.2.1 end of line in a value", whole(1, block_with("a", "b\r\nc: d")), reset, protocol_error},
        {"8.2.1 zero in a value", whole(1, block_with("a", std::string("b\0", 2))), reset, protocol_error},
        {"8.2.1 blank before a value", whole(1, block_with("a", " b")), reset, protocol_error},
        {"8.2.1 blank behind a value", whole(1, block_with("a", "b\t")), reset, protocol_error},
        {"8.2.2 connection", whole(1, block_with("connection", "keep-alive")), reset, protocol_error},
        {"8.2.2 proxy-connection", whole(1, block_with("proxy-connection", "x")), reset, protocol_error},
        {"8.2.2 keep-alive", whole(1, block_with("keep-alive", "1")), reset, protocol_error},
        {"8.2.2 transfer-encoding", whole(1, block_with("transfer-encoding", "chunked")), reset,
         protocol_error},
        {"8.2.2 upgrade", whole(1, block_with("upgrade", "h2c")), reset, protocol_error},
        {"8.2.2 te", whole(1, block_with("te", "trailers, deflate;q=0.5")), reset, protocol_error},
        {"8.2.2 te: trailers", whole(1, block_with("te", "trailers")), served},
        {"8.3 unknown pseudo-field", whole(1, block_with(":test", "ok")), reset, protocol_error},
        {"8.3 that of a response", whole(1, block_with(":status", "200")), reset, protocol_error},
        {"8.3 behind a field",
         whole(1, header_block(with(with(without(get("/"), ":path"), "a", "b"), ":path", "/"))), reset,
         protocol_error},
        {"8.3.1 empty :path", whole(1, header_block(get(""))), reset, protocol_error},
        {"8.3.1 no :method", whole(1, header_block(without(get("/"), ":method"))), reset, protocol_error},
        {"8.3.1 no :scheme", whole(1, header_block(without(get("/"), ":scheme"))), reset, protocol_error},
        {"8.3.1 no :path", whole(1, header_block(without(get("/"), ":path"))), reset, protocol_error},
        {"8.3.1 two :method", whole(1, block_with(":method", "GET")), reset, protocol_error},
        {"8.3.1 two :scheme", whole(1, block_with(":scheme", "http")), reset, protocol_error},
        {"8.3.1 two :path", whole(1, block_with(":path", "/")), reset, protocol_error},
        {"8.3.1 two :authority", whole(1, block_with(":authority", "x")), reset, protocol_error},
        {"8.3.1 user in :authority",
         whole(1, header_block(with(without(get("/"), ":authority"), "host", "me@x"))), reset,
         protocol_error},
        {"8.3.1 * of OPTIONS",
         whole(1, header_block(
                      {{":method", "OPTIONS"}, {":scheme", "http"}, {":authority", "x"}, {":path", "*"}})),
         served},
        {"8.3.1 * of GET", whole(1, header_block(get("*"))), reset, protocol_error},
        {"8.5 CONNECT with :path",
         whole(1, header_block({{":method", "CONNECT"}, {":authority", "x:1"}, {":path", "/"}})), reset,
         protocol_error},
        {"8.5 CONNECT without :authority", whole(1, header_block({{":method", "CONNECT"}})), reset,
         protocol_error},
        {"RFC 8441 4 :protocol of GET", whole(1, block_with(":protocol", "websocket")), reset,
         protocol_error},
    });
}

TEST(http2_conformance, rfc_7541_header_compression) {
    const std::string indexed = "\x82\x86\x84" + std::string("\x41\x01x", 3);  // GET, http, /, authority x
    check_all({
        {"2.3 indexed fields", whole(1, indexed), served},
        {"2.3 the dynamic table", whole(1, indexed) + whole(3, "\x82\x86\x84\xbe"), served, 0, 3},
        {"2.3.3 index beyond the tables", whole(1, indexed + "\xff\x80\x01"), ended, compression_error},
        {"2.3.3 name beyond the tables", whole(1, indexed + "\x7f\x80\x01\x01x"), ended, compression_error},
        {"4.2 table size at the end of a block", whole(1, indexed + "\x20"), ended, compression_error},
        {"4.2 table size at the front", whole(1, "\x20" + indexed), served},
        {"5.1 number without end", whole(1, indexed + "\xff\xff\xff\xff\xff\xff\xff\xff"), ended,
         compression_error},
        {"5.2 string beyond the block",
         whole(1, indexed + std::string("\0\x01"
                                        "a\x7f\xff\x7f",
                                        6)),
         ended, compression_error},
        {"5.2 padding longer than 7 bits",
         whole(1, indexed + std::string("\0\x85\xf2\xb2\x4a\x84\xff\x81\x49", 9)), ended, compression_error},
        {"5.2 padding of zeros",
         whole(1, indexed + std::string("\0\x85\xf2\xb2\x4a\x84\x7c\x84\x49\x50\x9f\xff", 12)), ended,
         compression_error},
        {"5.2 end of string within",
         whole(1, indexed + std::string("\0\x85\xf2\xb2\x4a\x84\xff\x86\xff\xff\xff\xff\xff\x49", 14)), ended,
         compression_error},
        {"6.1 index 0", whole(1, indexed + "\x80"), ended, compression_error},
        {"6.2.2 never indexed",
         whole(1, indexed + std::string("\x10\x01"
                                        "a\x01"
                                        "b",
                                        5)),
         served},
        {"6.3 table size over the setting", whole(1, "\x3f\xe2\x1f" + indexed), ended, compression_error},
        {"6.3 the largest table size", whole(1, "\x3f\xe1\x1f" + indexed), served},
    });
}

TEST(http2_conformance, frames_may_come_byte_by_byte) {
    http2_talk(echo_path).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        const std::string all = held(1) + window(1, 7) + window(1, 0) + made(0x77, 0, 1, "unknown") +
                                whole(3, header_block(get("/three")));
        for (const char byte : all) {
            co_await peer.say(std::string(1, byte));
            co_await yield();
        }
        EXPECT_TRUE(co_await peer.until_over(3));
        EXPECT_EQ("/three", peer.seen[3].body);
    });
}

TEST(http2_conformance, a_client_that_says_goaway_has_its_requests_served) {
    http2_talk(echo_path).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        constexpr std::uint32_t unknown_code = 0xff;
        co_await peer.say(held(1) + made(NGHTTP2_GOAWAY, 0, 0, number(0, 4) + number(unknown_code, 4)) +
                          data(ends_stream, 1, "") + whole(3, block()));
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_TRUE(co_await peer.until_over(3));
        EXPECT_EQ("200", peer.seen[1].status());
        EXPECT_EQ("200", peer.seen[3].status());
    });
}

// The client changes its windows while a response waits (sections 6.9.1 and 6.9.2).
TEST(http2_conformance, windows_follow_the_settings) {
    http2_talk(echo_path).runs([](frame_peer& peer) -> task<void> {
        peer.gives_credit = false;
        co_await peer.begin(frame_peer::entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 100) +
                            frame_peer::entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1));
        co_await peer.say(frame_peer::head(1, get("/12345")));
        EXPECT_TRUE(co_await peer.until([&] { return !peer.seen[1].body.empty(); }));
        EXPECT_EQ("/", peer.seen[1].body) << "the last value counts";
        // Two more, of which the first makes up for what the window has shrunk by.
        co_await peer.say(settings(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 0) + window(1, 3));
        EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].body.size() > 1; }));
        EXPECT_EQ("/12", peer.seen[1].body);
        co_await peer.say(settings(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 100));
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_EQ("/12345", peer.seen[1].body);
    });
}

}  // namespace
}  // namespace eddy::http::test::conformance_test
