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

// What the flags of a get ask of an item, in their order.
void append_asked(answer& out, std::string_view flags, const item& stored, moment now) {
    for (std::string_view word = take_word(flags); !word.empty(); word = take_word(flags)) {
        switch (word.front()) {
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
}

// A miss of a get is answered by an item without a value.
item* make_on_miss(execution& with, const command& asked, const located_key& at) {
    item* const made = at.home.allocate(at.text, at.hash, 0);
    if (made == nullptr)
        return nullptr;
    made->expire_at(expiry_of(asked.meta.made_expiry_s, with.now));
    if (asked.meta.has_binary_key)
        made->set(item::has_binary_key);
    at.home.link(*made, nullptr, with.now);
    return made;
}

bool needs_renewal(const item& found, const meta_options& asked, moment now) {
    return asked.renews_below && !found.expiry().is_never() &&
           static_cast<std::int64_t>(found.expiry().seconds_since(now)) < asked.renewal_s;
}

// Who may renew the item: the first that learns that it is missing, stale or about to end.
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

void answer_miss(execution& with, const command& asked, std::string_view status, std::string_view key) {
    with.out.append(status);
    append_echo(with.out, asked.rest, meta_echo(asked, key));
    with.out.append(item::line_end);
}

void count_meta_get(execution& with, const command& asked, bool is_found) {
    with.counted.add(count::cmd_meta);
    with.counted.add(count::cmd_get);
    with.counted.add(is_found ? count::get_hits : count::get_misses);
    if (!asked.meta.has_expiry)
        return;
    with.counted.add(count::cmd_touch);
    with.counted.add(is_found ? count::touch_hits : count::touch_misses);
}

item* make_number(execution& with, const command& asked, const located_key& at) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), asked.meta.initial).ptr;
    const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
    item* const made = at.home.allocate(at.text, at.hash, text.size());
    if (made == nullptr)
        return nullptr;
    text.copy(made->value_data(), text.size());
    made->expire_at(expiry_of(asked.meta.made_expiry_s, with.now));
    if (asked.meta.has_binary_key)
        made->set(item::has_binary_key);
    at.home.link(*made, nullptr, with.now);
    return made;
}

void answer_number(execution& with, const command& asked, const item& stored, std::uint64_t value,
                   std::string_view key) {
    if (asked.is_quiet)
        return;
    answer& out = with.out;
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    const std::string_view number(digits.data(), static_cast<std::size_t>(end - digits.data()));
    if (asked.meta.wants_value) {
        out.append("VA ");
        out.append(number.size());
    } else {
        out.append("HD");
    }
    std::string_view flags = asked.rest;
    for (std::string_view word = take_word(flags); !word.empty(); word = take_word(flags)) {
        meta_echo echoed(asked, key);
        echoed.cas = stored.cas;
        if (word.front() == 't')
            append_remaining(out, stored, with.now);
        else
            append_echo(out, word, echoed);
    }
    out.append(item::line_end);
    if (!asked.meta.wants_value)
        return;
    out.append(number);
    out.append(item::line_end);
}

}  // namespace

void execute_meta_get(execution& with, const command& asked) {
    key_room room;
    const std::string_view key = meta_key(with.out, asked, room);
    if (key.empty())
        return;
    const located_key at(with.store, key);
    const auto held = at.home.lock();
    item* found = at.home.find(key, at.hash, with.now);
    count_meta_get(with, asked, found != nullptr);
    const bool is_made = found == nullptr && asked.meta.makes_on_miss;
    if (is_made) {
        found = make_on_miss(with, asked, at);
        if (found == nullptr)
            return with.out.append(answers::no_memory);
    }
    if (found == nullptr) {
        if (!asked.is_quiet)
            answer_miss(with, asked, "EN", key);
        return;
    }
    if (asked.meta.has_expiry)
        at.home.expire(*found, expiry_of(asked.meta.expiry_s, with.now));
    const bool has_won =
        is_made || (!found->has(item::win_is_given) && needs_renewal(*found, asked.meta, with.now));
    with.out.append(asked.meta.wants_value ? "VA " : "HD");
    if (asked.meta.wants_value)
        with.out.append(found->value_bytes);
    append_asked(with.out, asked.rest, *found, with.now);
    append_win(with.out, *found, has_won);
    with.out.append(item::line_end);
    if (asked.meta.wants_value)
        with.out.append_value(*found, at.home);
    if (!asked.meta.leaves_order && !is_made)
        at.home.use(*found, with.now);
}

void execute_meta_delete(execution& with, const command& asked) {
    key_room room;
    const std::string_view key = meta_key(with.out, asked, room);
    if (key.empty())
        return;
    const located_key at(with.store, key);
    const auto held = at.home.lock();
    item* const found = at.home.find(key, at.hash, with.now);
    with.counted.add(count::cmd_meta);
    with.counted.add(found != nullptr ? count::delete_hits : count::delete_misses);
    if (found == nullptr)
        return answer_miss(with, asked, "NF", key);
    if (asked.meta.compares_cas && asked.meta.cas != found->cas)
        return answer_miss(with, asked, "EX", key);
    if (asked.meta.invalidates) {
        if (asked.meta.has_expiry)
            at.home.expire(*found, expiry_of(asked.meta.expiry_s, with.now));
        found->set(item::stale);
        // The next one that asks wins anew.
        found->clear(item::win_is_given);
        at.home.change(*found);
    } else {
        at.home.remove(*found);
    }
    if (!asked.is_quiet)
        answer_miss(with, asked, "HD", key);
}

void execute_meta_arithmetic(execution& with, const command& asked) {
    key_room room;
    const std::string_view key = meta_key(with.out, asked, room);
    if (key.empty())
        return;
    const bool is_taking = asked.meta.mode == 'D';
    const located_key at(with.store, key);
    const auto held = at.home.lock();
    item* const found = at.home.find(key, at.hash, with.now);
    with.counted.add(count::cmd_meta);
    if (found == nullptr) {
        with.counted.add(is_taking ? count::decr_misses : count::incr_misses);
        if (!asked.meta.makes_on_miss)
            return answer_miss(with, asked, "NF", key);
        const item* const made = make_number(with, asked, at);
        if (made == nullptr)
            return with.out.append(answers::no_memory);
        return answer_number(with, asked, *made, asked.meta.initial, key);
    }
    with.counted.add(is_taking ? count::decr_hits : count::incr_hits);
    if (asked.meta.compares_cas && asked.meta.cas != found->cas)
        return answer_miss(with, asked, "EX", key);
    const arithmetic_outcome outcome = change_number(at.home, *found, is_taking, asked.meta.delta, with.now);
    if (outcome.end != arithmetic_end::done)
        return with.out.append(outcome.end == arithmetic_end::no_memory ? answers::no_memory
                                                                        : answers::not_a_number);
    if (asked.meta.has_expiry)
        at.home.expire(*outcome.stored, expiry_of(asked.meta.expiry_s, with.now));
    answer_number(with, asked, *outcome.stored, outcome.value, key);
}

void execute_meta_debug(execution& with, const command& asked) {
    key_room room;
    const std::string_view key = meta_key(with.out, asked, room);
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
    out.append(asked.key);
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
