#include <eddy/http/websocket/detail/frame_header.hpp>
#include <eddy/http/websocket/message.hpp>
#include <eddy/io/buffer.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace eddy::http::frame_header_test {
namespace {

using enum websocket_role;

frame_parse_result parsed(std::string_view bytes, websocket_role receiver = client,
                          bool may_be_compressed = false) {
    return parse_frame_header(as_bytes(bytes), receiver, may_be_compressed);
}

bool is_refused(std::string_view bytes, websocket_role receiver = client, bool may_be_compressed = false) {
    return parsed(bytes, receiver, may_be_compressed).state() == frame_parse_state::error;
}

bool is_complete(std::string_view bytes, websocket_role receiver = client, bool may_be_compressed = false) {
    return parsed(bytes, receiver, may_be_compressed).state() == frame_parse_state::complete;
}

std::string written(const websocket_frame_header& header) {
    std::array<std::byte, websocket_frame_header::size_max> out{};
    return std::string(as_text(std::span(out).first(write_frame_header(header, out))));
}

TEST(a_frame_header, is_read_as_it_was_written) {
    for (const std::uint64_t length :
         {0ULL, 1ULL, 125ULL, 126ULL, 127ULL, 65535ULL, 65536ULL, 1ULL << 40, ~0ULL >> 1})
        for (const bool is_final : {false, true})
            for (const bool is_masked : {false, true}) {
                websocket_frame_header header(websocket_opcode::binary, length);
                header.final(is_final).compressed(length % 2 == 0);
                if (is_masked)
                    header.key({std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}});
                const std::string bytes = written(header);
                const auto receiver = is_masked ? server : client;
                for (std::size_t size = 0; size < bytes.size(); ++size)
                    ASSERT_EQ(parsed(bytes.substr(0, size), receiver, true).state(),
                              frame_parse_state::need_more);
                const frame_parse_result read = parsed(bytes + "more", receiver, true);
                ASSERT_EQ(read.state(), frame_parse_state::complete);
                EXPECT_EQ(read.size(), bytes.size());
                EXPECT_EQ(read.header().opcode(), websocket_opcode::binary);
                EXPECT_EQ(read.header().payload_bytes(), length);
                EXPECT_EQ(read.header().is_final(), is_final);
                EXPECT_EQ(read.header().is_compressed(), length % 2 == 0);
                EXPECT_EQ(read.header().is_masked(), is_masked);
                EXPECT_EQ(read.header().key(), header.key());
            }
}

TEST(a_frame_header, has_the_bytes_of_the_examples_of_rfc_6455) {
    EXPECT_EQ(written(websocket_frame_header(websocket_opcode::text, 5)), "\x81\x05");
    EXPECT_EQ(written(websocket_frame_header(websocket_opcode::text, 5)
                          .key({std::byte{0x37}, std::byte{0xfa}, std::byte{0x21}, std::byte{0x3d}})),
              "\x81\x85\x37\xfa\x21\x3d");
    EXPECT_EQ(written(websocket_frame_header(websocket_opcode::text, 3).final(false)), "\x01\x03");
    EXPECT_EQ(written(websocket_frame_header(websocket_opcode::continuation, 2)), std::string("\x80\x02", 2));
    EXPECT_EQ(written(websocket_frame_header(websocket_opcode::binary, 256)),
              std::string("\x82\x7e\x01\x00", 4));
    EXPECT_EQ(written(websocket_frame_header(websocket_opcode::binary, 65536)),
              std::string("\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10));
}

TEST(a_frame_header, with_a_reserved_bit_is_refused_by_its_first_byte) {
    EXPECT_TRUE(is_refused("\xa1"));
    EXPECT_TRUE(is_refused("\x91"));
    EXPECT_TRUE(is_refused("\xb1"));
    EXPECT_TRUE(is_refused("\xc1"));
    EXPECT_TRUE(is_refused("\xf1", client, true));
}

TEST(a_frame_header, may_say_that_a_message_is_compressed_where_one_begins) {
    EXPECT_TRUE(is_complete("\xc1\x01", client, true));
    EXPECT_TRUE(is_complete("\x42\x01", client, true));
    EXPECT_TRUE(is_refused("\xc0", client, true));
    EXPECT_TRUE(is_refused("\xc8", client, true));
    EXPECT_TRUE(is_refused("\xc9", client, true));
}

TEST(a_frame_header, with_a_reserved_opcode_is_refused) {
    for (const unsigned code : {3U, 4U, 5U, 6U, 7U, 0xbU, 0xcU, 0xdU, 0xeU, 0xfU})
        EXPECT_TRUE(is_refused(std::string(1, static_cast<char>(0x80U | code)))) << code;
}

TEST(a_control_frame, is_neither_fragmented_nor_long) {
    for (const unsigned code : {8U, 9U, 0xaU}) {
        EXPECT_TRUE(is_refused(std::string(1, static_cast<char>(code))));
        EXPECT_TRUE(is_complete(std::string{static_cast<char>(0x80U | code), 125}));
        EXPECT_TRUE(is_refused(std::string{static_cast<char>(0x80U | code), 126}));
        EXPECT_TRUE(is_refused(std::string{static_cast<char>(0x80U | code), 127}));
    }
}

TEST(a_frame_header, is_masked_by_clients_and_by_nobody_else) {
    EXPECT_TRUE(is_refused("\x81\x05", server));
    EXPECT_TRUE(is_refused("\x81\x85", client));
}

TEST(a_frame_header, has_a_length_in_its_shortest_form) {
    EXPECT_TRUE(is_refused(std::string("\x82\x7e\x00\x7d", 4)));
    EXPECT_TRUE(is_complete(std::string("\x82\x7e\x00\x7e", 4)));
    EXPECT_TRUE(is_refused(std::string("\x82\x7f\x00\x00\x00\x00\x00\x00\xff\xff", 10)));
    EXPECT_TRUE(is_complete(std::string("\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10)));
    EXPECT_TRUE(is_refused(std::string("\x82\x7f\x80\x00\x00\x00\x00\x00\x00\x00", 10)));
}

TEST(a_close_code, may_be_sent_if_rfc_6455_or_the_registry_knows_it_or_leaves_it_to_programs) {
    for (unsigned code = 0; code <= 0xffff; ++code) {
        const bool may = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
                         (code >= 3000 && code <= 4999);
        ASSERT_EQ(may_be_sent(static_cast<websocket_close_code>(code)), may) << code;
    }
}

}  // namespace
}  // namespace eddy::http::frame_header_test
