#include "memcached/command_parser.hpp"
#include "memcached/execution.hpp"
#include "memcached/expiry.hpp"
#include "memcached/meta_answer.hpp"

#include <array>

namespace eddy::apps::memcached {

namespace {

std::string_view line_for(storage_outcome outcome) noexcept {
    switch (outcome) {
        case storage_outcome::stored:
            return "STORED\r\n";
        case storage_outcome::not_stored:
            return "NOT_STORED\r\n";
        case storage_outcome::other_cas:
            return "EXISTS\r\n";
        case storage_outcome::not_found:
            return "NOT_FOUND\r\n";
        case storage_outcome::too_large:
            return answers::too_large;
        case storage_outcome::no_memory:
            return answers::no_memory;
    }
    return answers::error;
}

// Of a meta set that has not failed.
void answer_meta_storage(execution& with, const command& cmd, std::string_view key, storage_outcome outcome,
                         std::uint64_t cas) {
    if (outcome == storage_outcome::stored && cmd.is_quiet)
        return;
    switch (outcome) {
        case storage_outcome::stored:
            with.out.append("HD");
            break;
        case storage_outcome::not_stored:
            with.out.append("NS");
            break;
        case storage_outcome::other_cas:
            with.out.append("EX");
            break;
        default:
            with.out.append("NF");
    }
    meta_echo echoed(cmd, key);
    echoed.cas = cas;
    append_echo(with.out, cmd.rest, echoed);
    with.out.append(item::line_end);
}

}  // namespace

std::string_view storage_key(execution& with, const command& cmd, std::span<char> room) {
    return cmd.verb == verb::meta_set ? meta_key(with.out, cmd, room) : cmd.key;
}

storage_terms terms_of(const command& cmd) noexcept {
    storage_terms terms;
    switch (cmd.verb) {
        case verb::cas:
            terms.compares_cas = true;
            terms.cas = cmd.number;
            return terms;
        case verb::add:
            terms.how = storing::add;
            return terms;
        case verb::replace:
            terms.how = storing::replace;
            return terms;
        case verb::append:
            terms.how = storing::append;
            return terms;
        case verb::prepend:
            terms.how = storing::prepend;
            return terms;
        case verb::meta_set:
            break;
        default:
            return terms;
    }
    constexpr std::string_view modes = "SERAP";
    constexpr std::array how = {storing::set, storing::add, storing::replace, storing::append,
                                storing::prepend};
    terms.how = how[cmd.meta.mode == 0 ? 0 : modes.find(cmd.meta.mode)];
    terms.compares_cas = cmd.meta.compares_cas;
    terms.cas = cmd.meta.cas;
    terms.takes_older_cas = cmd.meta.invalidates;
    return terms;
}

void prepare_item(const execution& with, const command& cmd, item& fresh) noexcept {
    const bool is_meta = cmd.verb == verb::meta_set;
    fresh.client_flags = is_meta ? cmd.meta.client_flags : cmd.client_flags;
    fresh.expire_at(expiry_of(is_meta ? cmd.meta.expiry_s : cmd.expiry_s, with.now));
    if (cmd.meta.has_binary_key)
        fresh.set(item::has_binary_key);
}

void answer_storage(execution& with, const command& cmd, std::string_view key, storage_outcome outcome,
                    std::uint64_t cas) {
    with.counted.add(count::cmd_set);
    if (terms_of(cmd).compares_cas) {
        if (outcome == storage_outcome::stored)
            with.counted.add(count::cas_hits);
        else if (outcome == storage_outcome::other_cas)
            with.counted.add(count::cas_badval);
        else if (outcome == storage_outcome::not_found)
            with.counted.add(count::cas_misses);
    }
    const bool has_failed = outcome == storage_outcome::too_large || outcome == storage_outcome::no_memory;
    if (has_failed) {
        with.counted.add(outcome == storage_outcome::too_large ? count::store_too_large
                                                               : count::store_no_memory);
        if (cmd.verb == verb::meta_set)
            return with.out.append(line_for(outcome));
    } else if (cmd.verb == verb::meta_set) {
        return answer_meta_storage(with, cmd, key, outcome, cas);
    }
    reply(with, cmd, line_for(outcome));
}

}  // namespace eddy::apps::memcached
