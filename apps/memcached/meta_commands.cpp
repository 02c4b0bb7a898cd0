#include "memcached/command_parser.hpp"
#include "memcached/execution.hpp"
#include "memcached/expiry.hpp"
#include "memcached/meta_answer.hpp"
#include "memcached/words.hpp"

#include <array>
#include <charconv>

namespace eddy::apps::memcached {

namespace {

using key_room = std::array<char, item::key_bytes_max>;

void append_remaining(answer& out, const item& stored, moment now) {
    out.append(" t");
    if (stored.expiry().is_never())
        return out.append("-1");
    out.append(stored.expiry().seconds_since(now));
}

void append_pair(answer& out, char letter, std::uint64_t value) {
    out.append(' ');
    out.append(letter);
    out.append(value);
}

bool needs_renewal(const item& found, const meta_options& requested, moment now) {
    return !found.expiry().is_never() &&
           static_cast<std::int64_t>(found.expiry().seconds_since(now)) < requested.renewal_s;
}

// Carries out the flags of a get on an item, in their order. Returns whether the client has won the right to
// renew it. Requires: the lock of its shard.
bool append_asked(execution& with, const command& cmd, shard& home, item& stored, bool is_made) {
    answer& out = with.out;
    const moment now = with.now;
    bool has_won = false;
    std::string_view flags = cmd.rest;
    for (std::string_view word = take_word(flags); !word.empty(); word = take_word(flags)) {
        switch (word.front()) {
            case 'T':
                home.expire(stored, expiry_of(cmd.meta.expiry_s, now));
                break;
            case 'N':
                if (is_made)
                    home.expire(stored, expiry_of(cmd.meta.made_expiry_s, now));
                has_won = has_won || is_made;
                break;
            case 'R':
                has_won = has_won || (!is_made && !stored.has(item::win_is_given) &&
                                      needs_renewal(stored, cmd.meta, now));
                break;
            case 's':
                append_pair(out, 's', stored.value_bytes);
                break;
            case 't':
                append_remaining(out, stored, now);
                break;
            case 'c':
                append_pair(out, 'c', stored.cas);
                break;
            case 'f':
                append_pair(out, 'f', stored.client_flags);
                break;
            case 'l':
                append_pair(out, 'l', now.seconds() - stored.accessed_s);
                break;
            case 'h':
                append_pair(out, 'h', stored.has(item::fetched) ? 1 : 0);
                break;
            case 'O':
                out.append(' ');
                out.append(word);
                break;
            case 'k':
                append_key(out, stored.key(), stored.has(item::has_binary_key));
                break;
            default:
                break;
        }
    }
    return has_won;
}

// A miss of a get is answered by an item without a value.
item* make_on_miss(execution& with, const command& cmd, const located_key& at) {
    item* const made = at.home.allocate(at.text, at.hash, 0);
    if (made == nullptr)
        return nullptr;
    if (cmd.meta.has_binary_key)
        made->set(item::has_binary_key);
    at.home.link(*made, nullptr, with.now);
    return made;
}

// The right to renew the item goes to the first client that learns that it is missing, stale or about to end.
void append_win(answer& out, item& found, bool has_won) {
    if (found.has(item::win_is_given))
        out.append(" Z");
    if (found.has(item::stale)) {
        out.append(" X");
        has_won = has_won || !found.has(item::win_is_given);
    }
    if (!has_won)
        return;
    out.append(" W");
    found.set(item::win_is_given);
}

void answer_miss(execution& with, const command& cmd, std::string_view status, std::string_view key) {
    with.out.append(status);
    append_echo(with.out, cmd.rest, meta_echo(cmd, key));
    with.out.append(item::line_end);
}

void count_meta_get(execution& with, const command& cmd, bool is_found) {
    with.counted.add(count::cmd_meta);
    with.counted.add(count::cmd_get);
    with.counted.add(is_found ? count::get_hits : count::get_misses);
    if (!cmd.meta.has_expiry)
        return;
    with.counted.add(count::cmd_touch);
    with.counted.add(is_found ? count::touch_hits : count::touch_misses);
}

item* make_number(execution& with, const command& cmd, const located_key& at) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), cmd.meta.initial).ptr;
    const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
    item* const made = at.home.allocate(at.text, at.hash, text.size());
    if (made == nullptr)
        return nullptr;
    text.copy(made->value_data(), text.size());
    if (cmd.meta.has_binary_key)
        made->set(item::has_binary_key);
    at.home.link(*made, nullptr, with.now);
    return made;
}

// Carries out the flags on a number that was changed or made, in their order.
void answer_number(execution& with, const command& cmd, const located_key& at, item& stored,
                   std::uint64_t value, bool is_made) {
    answer& out = with.out;
    const std::size_t size_before = out.text_size();
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    const std::string_view number(digits.data(), static_cast<std::size_t>(end - digits.data()));
    if (cmd.meta.wants_value) {
        out.append("VA ");
        out.append(number.size());
    } else {
        out.append("HD");
    }
    std::string_view flags = cmd.rest;
    for (std::string_view word = take_word(flags); !word.empty(); word = take_word(flags)) {
        meta_echo echoed(cmd, at.text);
        echoed.cas = stored.cas;
        if (word.front() == 't')
            append_remaining(out, stored, with.now);
        else if (word.front() == 'T')
            at.home.expire(stored, expiry_of(cmd.meta.expiry_s, with.now));
        else if (word.front() == 'N' && is_made)
            at.home.expire(stored, expiry_of(cmd.meta.made_expiry_s, with.now));
        else
            append_echo(out, word, echoed);
    }
    out.append(item::line_end);
    if (cmd.meta.wants_value) {
        out.append(number);
        out.append(item::line_end);
    }
    if (cmd.is_quiet && !is_made)
        out.cut(size_before);
}

}  // namespace

void execute_meta_get(execution& with, const command& cmd) {
    key_room room;
    const std::string_view key = meta_key(with.out, cmd, room);
    if (key.empty())
        return;
    const located_key at(with.store, key);
    const auto held = at.home.lock();
    item* found = at.home.find(key, at.hash, with.now);
    count_meta_get(with, cmd, found != nullptr);
    const bool is_made = found == nullptr && cmd.meta.makes_on_miss;
    if (is_made) {
        found = make_on_miss(with, cmd, at);
        if (found == nullptr)
            return with.out.append(answers::no_memory);
    }
    if (found == nullptr) {
        if (!cmd.is_quiet)
            answer_miss(with, cmd, "EN", key);
        return;
    }
    with.out.append(cmd.meta.wants_value ? "VA " : "HD");
    if (cmd.meta.wants_value)
        with.out.append(found->value_bytes);
    append_win(with.out, *found, append_asked(with, cmd, at.home, *found, is_made));
    with.out.append(item::line_end);
    if (cmd.meta.wants_value)
        with.out.append_value(*found, at.home);
    if (!cmd.meta.leaves_order)
        at.home.use(*found, with.now);
}

void execute_meta_delete(execution& with, const command& cmd) {
    key_room room;
    const std::string_view key = meta_key(with.out, cmd, room);
    if (key.empty())
        return;
    const located_key at(with.store, key);
    const auto held = at.home.lock();
    item* const found = at.home.find(key, at.hash, with.now);
    with.counted.add(count::cmd_meta);
    with.counted.add(found != nullptr ? count::delete_hits : count::delete_misses);
    if (found == nullptr)
        return answer_miss(with, cmd, "NF", key);
    if (cmd.meta.compares_cas && cmd.meta.cas != found->cas)
        return answer_miss(with, cmd, "EX", key);
    if (cmd.meta.invalidates) {
        if (cmd.meta.has_expiry)
            at.home.expire(*found, expiry_of(cmd.meta.expiry_s, with.now));
        found->set(item::stale);
        // The next client that gets it wins again.
        found->clear(item::win_is_given);
        at.home.change(*found);
    } else {
        at.home.remove(*found);
    }
    if (!cmd.is_quiet)
        answer_miss(with, cmd, "HD", key);
}

void execute_meta_arithmetic(execution& with, const command& cmd) {
    key_room room;
    const std::string_view key = meta_key(with.out, cmd, room);
    if (key.empty())
        return;
    const bool is_taking = cmd.meta.mode == 'D';
    const located_key at(with.store, key);
    const auto held = at.home.lock();
    item* const found = at.home.find(key, at.hash, with.now);
    with.counted.add(count::cmd_meta);
    if (found == nullptr) {
        with.counted.add(is_taking ? count::decr_misses : count::incr_misses);
        if (!cmd.meta.makes_on_miss)
            return answer_miss(with, cmd, "NF", key);
        item* const made = make_number(with, cmd, at);
        if (made == nullptr)
            return with.out.append(answers::no_memory);
        return answer_number(with, cmd, at, *made, cmd.meta.initial, true);
    }
    with.counted.add(is_taking ? count::decr_hits : count::incr_hits);
    const bool is_other = cmd.meta.compares_cas && cmd.meta.cas != 0 && cmd.meta.cas != found->cas;
    if (is_other && found->value_bytes != 0)
        return answer_miss(with, cmd, "EX", key);
    const arithmetic_outcome outcome = change_number(at.home, *found, is_taking, cmd.meta.delta, with.now);
    if (outcome.end != arithmetic_end::done)
        return with.out.append(outcome.end == arithmetic_end::no_memory ? answers::no_memory
                                                                        : answers::not_a_number);
    answer_number(with, cmd, at, *outcome.stored, outcome.value, false);
}

void execute_meta_debug(execution& with, const command& cmd) {
    key_room room;
    const std::string_view key = meta_key(with.out, cmd, room);
    if (key.empty())
        return;
    const located_key at(with.store, key);
    const auto held = at.home.lock();
    const item* const found = at.home.find(key, at.hash, with.now);
    with.counted.add(count::cmd_meta);
    if (found == nullptr)
        return with.out.append("EN\r\n");
    answer& out = with.out;
    out.append("ME ");
    append_printable_key(out, found->key(), found->has(item::has_binary_key));
    out.append(" exp=");
    if (found->expiry().is_never())
        out.append("-1");
    else
        out.append(found->expiry().seconds_since(with.now));
    out.append(" la=");
    out.append(with.now.seconds() - found->accessed_s);
    out.append(" cas=");
    out.append(found->cas);
    out.append(found->has(item::fetched) ? " fetch=yes" : " fetch=no");
    out.append(" cls=");
    out.append(size_class::of(at.home.block_bytes(*found)));
    out.append(" size=");
    out.append(at.home.block_bytes(*found));
    out.append(item::line_end);
}

}  // namespace eddy::apps::memcached
