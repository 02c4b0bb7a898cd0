#include "memcached/meta_answer.hpp"

#include "memcached/base64.hpp"
#include "memcached/command_parser.hpp"
#include "memcached/item.hpp"
#include "memcached/words.hpp"

#include <array>

namespace eddy::apps::memcached {

std::string_view meta_key(answer& out, const command& cmd, std::span<char> room) {
    if (!cmd.meta.has_binary_key)
        return cmd.key;
    const auto size = decode_base64(cmd.key, room);
    if (size)
        return {room.data(), *size};
    out.append(answers::bad_key_code);
    return {};
}

void append_echo(answer& out, std::string_view flags, const meta_echo& echoed) {
    for (std::string_view word = take_word(flags); !word.empty(); word = take_word(flags)) {
        if (word.front() == 'O') {
            out.append(' ');
            out.append(word);
        } else if (word.front() == 'k') {
            append_key(out, echoed.key, echoed.is_binary);
        } else if (word.front() == 'c' && echoed.cas) {
            out.append(" c");
            out.append(*echoed.cas);
        }
    }
}

void append_key(answer& out, std::string_view key, bool is_binary) {
    out.append(" k");
    append_printable_key(out, key, is_binary);
    if (is_binary)
        out.append(" b");
}

void append_printable_key(answer& out, std::string_view key, bool is_binary) {
    if (!is_binary)
        return out.append(key);
    std::array<char, base64_bytes(item::key_bytes_max)> coded;
    out.append(std::string_view(coded.data(), encode_base64(key, coded.data())));
}

}  // namespace eddy::apps::memcached
