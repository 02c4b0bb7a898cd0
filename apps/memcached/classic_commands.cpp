#include "memcached/command_parser.hpp"
#include "memcached/execution.hpp"
#include "memcached/expiry.hpp"

namespace eddy::apps::memcached {

namespace {

void reply(execution& with, const command& asked, std::string_view line) noexcept {
    if (!asked.is_quiet)
        with.out.append(line);
}

void count_lookup(execution& with, const command& asked, bool is_found) noexcept {
    with.counted.add(count::cmd_get);
    with.counted.add(is_found ? count::get_hits : count::get_misses);
    if (asked.verb == verb::get || asked.verb == verb::gets)
        return;
    with.counted.add(count::cmd_touch);
    with.counted.add(is_found ? count::touch_hits : count::touch_misses);
}

constexpr std::string_view not_found = "NOT_FOUND\r\n";

}  // namespace

void execute_get(execution& with, const command& asked, std::string_view key) {
    const located_key at(with.store, key);
    const auto held = at.home.lock();
    item* const found = at.home.find(key, at.hash, with.now);
    count_lookup(with, asked, found != nullptr);
    if (found == nullptr)
        return;
    if (asked.verb == verb::gat || asked.verb == verb::gats)
        at.home.expire(*found, expiry_of(asked.expiry_s, with.now));
    at.home.use(*found, with.now);
    with.out.append("VALUE ");
    with.out.append(key);
    with.out.append(' ');
    with.out.append(found->client_flags);
    with.out.append(' ');
    with.out.append(found->value_bytes);
    if (asked.verb == verb::gets || asked.verb == verb::gats) {
        with.out.append(' ');
        with.out.append(found->cas);
    }
    with.out.append(item::line_end);
    with.out.append_value(*found, at.home);
}

void execute_delete(execution& with, const command& asked) {
    const located_key at(with.store, asked.key);
    const auto held = at.home.lock();
    item* const found = at.home.find(at.text, at.hash, with.now);
    with.counted.add(found != nullptr ? count::delete_hits : count::delete_misses);
    if (found == nullptr)
        return reply(with, asked, not_found);
    at.home.remove(*found);
    reply(with, asked, "DELETED\r\n");
}

void execute_arithmetic(execution& with, const command& asked) {
    const bool is_taking = asked.verb == verb::decr;
    const located_key at(with.store, asked.key);
    const auto held = at.home.lock();
    item* const found = at.home.find(at.text, at.hash, with.now);
    if (found == nullptr) {
        with.counted.add(is_taking ? count::decr_misses : count::incr_misses);
        return reply(with, asked, not_found);
    }
    with.counted.add(is_taking ? count::decr_hits : count::incr_hits);
    const arithmetic_outcome outcome = change_number(at.home, *found, is_taking, asked.number, with.now);
    if (outcome.end != arithmetic_end::done)
        return with.out.append(outcome.end == arithmetic_end::no_memory ? answers::no_memory
                                                                        : answers::not_a_number);
    if (asked.is_quiet)
        return;
    with.out.append(outcome.value);
    with.out.append(item::line_end);
}

void execute_touch(execution& with, const command& asked) {
    const located_key at(with.store, asked.key);
    const auto held = at.home.lock();
    item* const found = at.home.find(at.text, at.hash, with.now);
    with.counted.add(count::cmd_touch);
    with.counted.add(found != nullptr ? count::touch_hits : count::touch_misses);
    if (found == nullptr)
        return reply(with, asked, not_found);
    at.home.expire(*found, expiry_of(asked.expiry_s, with.now));
    at.home.use(*found, with.now);
    reply(with, asked, "TOUCHED\r\n");
}

void execute_flush(execution& with, const command& asked) {
    with.counted.add(count::cmd_flush);
    const moment when = asked.expiry_s <= 0 ? with.now : expiry_of(asked.expiry_s, with.now);
    with.store.flush(when, with.now);
    reply(with, asked, answers::ok);
}

}  // namespace eddy::apps::memcached
