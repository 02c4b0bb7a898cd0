#include "rpc/json_value.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <system_error>

namespace eddy::rpc {
namespace {

constexpr unsigned depth_max = 32;

void append_utf8(std::string& out, std::uint32_t code) {
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0 | (code >> 6));
        tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xe0 | (code >> 12));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xf0 | (code >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

class parser {
public:
    explicit parser(std::string_view text) noexcept : left_(text) {}

    json_value document() {
        json_value whole = value(0);
        skip_space();
        if (!left_.empty())
            fail();
        return whole;
    }

private:
    [[noreturn]] static void fail() { throw std::invalid_argument("malformed JSON"); }

    void skip_space() noexcept {
        while (!left_.empty() && std::string_view(" \t\r\n").find(left_.front()) != std::string_view::npos)
            left_.remove_prefix(1);
    }
    bool take(std::string_view text) noexcept {
        if (!left_.starts_with(text))
            return false;
        left_.remove_prefix(text.size());
        return true;
    }
    void expect(char byte) {
        skip_space();
        if (!take({&byte, 1}))
            fail();
    }

    json_value value(unsigned depth) {
        if (depth == depth_max)
            fail();
        skip_space();
        if (take("{"))
            return json_value(members(depth + 1));
        if (take("["))
            return json_value(elements(depth + 1));
        if (left_.starts_with('"'))
            return json_value(string());
        if (take("true"))
            return json_value(true);
        if (take("false"))
            return json_value(false);
        if (take("null"))
            return {};
        return json_value(number());
    }

    json_value::object members(unsigned depth) {
        json_value::object found;
        skip_space();
        if (take("}"))
            return found;
        do {
            skip_space();
            std::string name = string();
            for (const auto& [known, member] : found)
                if (known == name)
                    fail();
            expect(':');
            found.emplace_back(std::move(name), value(depth));
            skip_space();
        } while (take(","));
        expect('}');
        return found;
    }

    json_value::array elements(unsigned depth) {
        json_value::array found;
        skip_space();
        if (take("]"))
            return found;
        do {
            found.push_back(value(depth));
            skip_space();
        } while (take(","));
        expect(']');
        return found;
    }

    double number() {
        const bool is_negative = take("-");
        const char first = left_.empty() ? '\0' : left_.front();
        const bool has_zero_in_front = first == '0' && left_.size() > 1 && left_[1] >= '0' && left_[1] <= '9';
        if (first < '0' || first > '9' || has_zero_in_front)
            fail();
        double found = 0;
        const auto parsed = std::from_chars(left_.data(), left_.data() + left_.size(), found);
        if (parsed.ec != std::errc() || *(parsed.ptr - 1) == '.')
            fail();
        left_.remove_prefix(static_cast<std::size_t>(parsed.ptr - left_.data()));
        return is_negative ? -found : found;
    }

    std::string string() {
        expect('"');
        std::string found;
        for (;;) {
            if (left_.empty() || static_cast<unsigned char>(left_.front()) < 0x20)
                fail();
            const char byte = left_.front();
            left_.remove_prefix(1);
            if (byte == '"')
                return found;
            if (byte == '\\')
                escape(found);
            else
                found += byte;
        }
    }

    void escape(std::string& out) {
        constexpr std::string_view names = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        if (take("u")) {
            std::uint32_t code = hexadecimal();
            if (code >= 0xd800 && code < 0xdc00) {
                const std::uint32_t low = take("\\u") ? hexadecimal() : 0;
                if (low < 0xdc00 || low >= 0xe000)
                    fail();
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            } else if (code >= 0xdc00 && code < 0xe000) {
                fail();
            }
            return append_utf8(out, code);
        }
        const std::size_t at = left_.empty() ? std::string_view::npos : names.find(left_.front());
        if (at == std::string_view::npos)
            fail();
        out += meanings[at];
        left_.remove_prefix(1);
    }

    std::uint32_t hexadecimal() {
        std::uint32_t code = 0;
        if (left_.size() < 4 ||
            std::from_chars(left_.data(), left_.data() + 4, code, 16).ptr != left_.data() + 4)
            fail();
        left_.remove_prefix(4);
        return code;
    }

    std::string_view left_;
};

}  // namespace

json_value json_value::parse(std::string_view text) {
    return parser(text).document();
}

const json_value* json_value::find(std::string_view name) const noexcept {
    if (const object* const members = get_if<object>())
        for (const auto& [known, member] : *members)
            if (known == name)
                return &member;
    return nullptr;
}

}  // namespace eddy::rpc
