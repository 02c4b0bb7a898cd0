#pragma once

#include <eddy/http/codec/detail/request_parser.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Ways to give a message to a parser: whole, in two pieces, and a byte at a time.
namespace eddy::http::test {

// All that a parser says about a message, in one comparable piece of text.
inline std::string describe(const parse_result& result, const request_parser& parser,
                            std::string_view bytes) {
    if (result.state() == parse_state::need_more) {
        return "need more";
    }
    if (result.state() == parse_state::error) {
        return std::to_string(to_number(result.error().status())) + " " +
               std::string(result.error().reason());
    }
    const request_head head = parser.head(bytes);
    std::string text = std::string(head.method_name()) + "|" + std::string(head.target()) + "|" +
                       std::to_string(static_cast<int>(head.form())) + "|" + std::string(head.path()) + "|" +
                       std::string(head.query()) + "|" + std::string(head.authority()) + "|1." +
                       std::to_string(head.minor_version()) + "|";
    text += head.keep_alive() ? "keep-alive|" : "close|";
    text += head.expects_continue() ? "expects|" : "|";
    text += std::string(head.upgrade()) + "|" + std::to_string(static_cast<int>(head.framing().kind())) +
            "|" + std::to_string(head.framing().length()) + "|" + std::to_string(result.head_size());
    for (std::size_t i = 0; i < head.header_count(); ++i) {
        const auto line = head.header(i);
        text += "\n" + std::string(line.name()) + "=" + std::string(line.value());
    }
    return text;
}

// Parses the pieces as they would arrive: each call sees all bytes so far, in a buffer of its own.
inline std::string parse_cut(std::string_view bytes, const std::vector<std::size_t>& cuts,
                             const message_limits& limits) {
    request_parser parser(limits);
    for (std::size_t cut : cuts) {
        const std::string so_far(bytes.substr(0, cut));
        const auto result = parser.parse(so_far);
        if (result.state() != parse_state::need_more) {
            return describe(result, parser, so_far);
        }
    }
    const std::string all(bytes);
    return describe(parser.parse(all), parser, all);
}

// The outcome of the whole message, having checked that every way of cutting it comes to the same.
inline std::string parse_every_way(std::string_view bytes, const message_limits& limits) {
    const std::string whole = parse_cut(bytes, {}, limits);
    std::vector<std::size_t> every_byte;
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        EXPECT_EQ(parse_cut(bytes, {cut}, limits), whole) << "cut at " << cut << " of:\n" << bytes;
        every_byte.push_back(cut);
    }
    EXPECT_EQ(parse_cut(bytes, every_byte, limits), whole) << "a byte at a time:\n" << bytes;
    return whole;
}

inline std::string parse_every_way(std::string_view bytes) {
    const message_limits limits;
    return parse_every_way(bytes, limits);
}

// The status a message is refused with; 0 when it is accepted, 1 when it is unfinished.
inline int status_of(std::string_view bytes, const message_limits& limits) {
    const std::string outcome = parse_every_way(bytes, limits);
    if (outcome == "need more") {
        return 1;
    }
    return outcome[0] >= '4' && outcome[0] <= '5' ? std::stoi(outcome) : 0;
}

inline int status_of(std::string_view bytes) {
    const message_limits limits;
    return status_of(bytes, limits);
}

}  // namespace eddy::http::test
