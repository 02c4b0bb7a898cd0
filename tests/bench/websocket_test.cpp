#include "load/websocket.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace websocket_test {
namespace {

using bench::connection;
using bench::verdict;
using bench::websocket_protocol;

const std::string switched =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

// What a server sends back for a masked frame (RFC 6455 section 5): the same without its mask.
std::string echo_of(std::string frame) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(frame[at]); };
    EXPECT_NE(byte(1) & 0x80, 0) << "a client's frame is masked";
    const unsigned code = byte(1) & 0x7fu;
    const std::size_t head = code == 126 ? 4 : code == 127 ? 10 : 2;
    for (std::size_t at = head + 4; at < frame.size(); ++at)
        frame[at] = static_cast<char>(byte(at) ^ byte(head + (at - head - 4) % 4));
    frame[1] = static_cast<char>(code);
    return frame.erase(head, 4);
}

std::string open(websocket_protocol& protocol, connection& c) {
    protocol.connected(c);
    EXPECT_TRUE(protocol.next_request(c).starts_with("GET /echo HTTP/1.1\r\n"));
    EXPECT_EQ(protocol.consume(c, switched), verdict::replies);
    return std::string(protocol.reply(c));
}

TEST(a_websocket, is_opened_and_sends_a_masked_message_whose_echo_completes_it) {
    for (const std::size_t size : {0u, 1u, 64u, 125u, 126u, 65535u, 65536u}) {
        websocket_protocol protocol("/echo", size);
        connection c;
        const std::string first = open(protocol, c);
        EXPECT_EQ(protocol.consume(c, echo_of(first)), verdict::complete) << size;
        const std::string second(protocol.next_request(c));
        EXPECT_EQ(protocol.consume(c, echo_of(second)), verdict::complete) << size;
    }
}

TEST(a_websocket, takes_an_echo_in_pieces) {
    websocket_protocol protocol("/echo", 64);
    connection c;
    const std::string echo = echo_of(open(protocol, c));
    for (std::size_t at = 0; at + 1 < echo.size(); ++at)
        EXPECT_EQ(protocol.consume(c, echo.substr(at, 1)), verdict::incomplete);
    EXPECT_EQ(protocol.consume(c, echo.substr(echo.size() - 1)), verdict::complete);
}

TEST(a_websocket, notes_an_echo_that_differs) {
    websocket_protocol protocol("/echo", 64);
    connection c;
    std::string echo = echo_of(open(protocol, c));
    echo[40] = static_cast<char>(echo[40] ^ 1);
    EXPECT_EQ(protocol.consume(c, echo), verdict::wrong);
}

TEST(a_websocket, is_not_open_without_the_right_answer_to_its_key) {
    for (const std::string& answer :
         {std::string("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
          std::string("HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: other\r\n\r\n")}) {
        websocket_protocol protocol("/echo", 64);
        connection c;
        protocol.connected(c);
        protocol.next_request(c);
        EXPECT_EQ(protocol.consume(c, answer), verdict::wrong) << answer;
    }
}

}  // namespace
}  // namespace websocket_test
