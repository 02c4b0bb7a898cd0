#include "memcached/command_parser.hpp"
#include "memcached/execution.hpp"
#include "memcached/expiry.hpp"

namespace eddy::apps::memcached {

namespace {

void count_lookup(execution& with, const command& cmd, bool is_found) noexcept {
    with.counted.add(count::cmd_get);
    with.counted.add(is_found ? count::get_hits : count::get_misses);
    if (cmd.verb == verb::get || cmd.verb == verb::gets)
        return;
    with.counted.add(count::cmd_touch);
    with.counted.add(is_found ? count::touch_hits : count::touch_misses);
}

constexpr std::string_view not_found = "NOT_FOUND\r\n";

}  // namespace

void execute_get(execution& with, const command& cmd, std::string_view key) {
    const located_key at(with.store, key);
    const auto held = at.home.lock();
    item* const found = at.home.find(key, at.hash, with.now);
    count_lookup(with, cmd, found != nullptr);
    if (found == nullptr)
        return;
    if (cmd.verb == verb::gat || cmd.verb == verb::gats)
        at.home.expire(*found, expiry_of(cmd.expiry_s, with.now));
    at.home.use(*found, with.now);
    with.out.append("VALUE ");
    with.out.append(key);
    with.out.append(' ');
    with.out.append(found->client_flags);
    with.out.append(' ');
    with.out.append(found->value_bytes);
    if (cmd.verb == verb::gets || cmd.verb == verb::gats) {
        with.out.append(' ');
        with.out.append(found->cas);
    }
    with.out.append(item::line_end);
    with.out.append_value(*found, at.home);
}

void execute_delete(execution& with, const command& cmd) {
    const located_key at(with.store, cmd.key);
    const auto held = at.home.lock();
    item* const found = at.home.find(at.text, at.hash, with.now);
    with.counted.add(found != nullptr ? count::delete_hits : count::delete_misses);
    if (found == nullptr)
        return reply(with, cmd, not_found);
    at.home.remove(*found);
    reply(with, cmd, "DELETED\r\n");
}

void execute_arithmetic(execution& with, const command& cmd) {
    const bool is_taking = cmd.verb == verb::decr;
    const located_key at(with.store, cmd.key);
    const auto held = at.home.lock();
    item* const found = at.home.find(at.text, at.hash, with.now);
    if (found == nullptr) {
        with.counted.add(is_taking ? count::decr_misses : count::incr_misses);
        return reply(with, cmd, not_found);
    }
    with.counted.add(is_taking ? count::decr_hits : count::incr_hits);
    const arithmetic_outcome outcome = change_number(at.home, *found, is_taking, cmd.number, with.now);
    if (outcome.end != arithmetic_end::done)
        return reply(with, cmd,
                     outcome.end == arithmetic_end::no_memory ? answers::no_memory : answers::not_a_number);
    if (cmd.is_quiet)
        return;
    with.out.append(outcome.value);
    with.out.append(item::line_end);
}

void execute_touch(execution& with, const command& cmd) {
    const located_key at(with.store, cmd.key);
    const auto held = at.home.lock();
    item* const found = at.home.find(at.text, at.hash, with.now);
    with.counted.add(count::cmd_touch);
    with.counted.add(found != nullptr ? count::touch_hits : count::touch_misses);
    if (found == nullptr)
        return reply(with, cmd, not_found);
    at.home.expire(*found, expiry_of(cmd.expiry_s, with.now));
    at.home.use(*found, with.now);
    reply(with, cmd, "TOUCHED\r\n");
}

void execute_flush(execution& with, const command& cmd) {
    with.counted.add(count::cmd_flush);
    const moment when = cmd.expiry_s <= 0 ? with.now : expiry_of(cmd.expiry_s, with.now);
    with.store.flush(when, with.now);
    reply(with, cmd, answers::ok);
}

// The memory is divided when the program starts, so the limit cannot change.
void execute_memory_limit(execution& with, const command& cmd) {
    constexpr std::uint64_t smallest_mb = 8;
    constexpr std::uint64_t largest_mb = 1'000'000'000;
    if (cmd.number < smallest_mb)
        return reply(with, cmd, "MEMLIMIT_TOO_SMALL cannot set maxbytes to less than 8m\r\n");
    if (cmd.number > largest_mb)
        return reply(with, cmd, "MEMLIMIT_ADJUST_FAILED input value is megabytes not bytes\r\n");
    if (cmd.number << 20 != with.store.memory_bytes())
        return reply(with, cmd, "MEMLIMIT_ADJUST_FAILED out of bounds or unable to adjust\r\n");
    reply(with, cmd, answers::ok);
}

}  // namespace eddy::apps::memcached
