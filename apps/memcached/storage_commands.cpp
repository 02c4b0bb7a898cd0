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
void answer_meta_storage(execution& with, const command& asked, std::string_view key, storage_outcome outcome,
                         std::uint64_t cas) {
    if (outcome == storage_outcome::stored && asked.is_quiet)
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
    meta_echo echoed(asked, key);
    echoed.cas = cas;
    append_echo(with.out, asked.rest, echoed);
    with.out.append(item::line_end);
}

}  // namespace

std::string_view storage_key(execution& with, const command& asked, std::span<char> room) {
    return asked.verb == verb::meta_set ? meta_key(with.out, asked, room) : asked.key;
}

storage_terms terms_of(const command& asked) noexcept {
    storage_terms terms;
    switch (asked.verb) {
        case verb::cas:
            terms.compares_cas = true;
            terms.cas = asked.number;
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
    terms.how = how[asked.meta.mode == 0 ? 0 : modes.find(asked.meta.mode)];
    terms.compares_cas = asked.meta.compares_cas;
    terms.cas = asked.meta.cas;
    terms.takes_older_cas = asked.meta.invalidates;
    return terms;
}

void prepare_item(const execution& with, const command& asked, item& fresh) noexcept {
    const bool is_meta = asked.verb == verb::meta_set;
    fresh.client_flags = is_meta ? asked.meta.client_flags : asked.client_flags;
    fresh.expire_at(expiry_of(is_meta ? asked.meta.expiry_s : asked.expiry_s, with.now));
    if (asked.meta.has_binary_key)
        fresh.set(item::has_binary_key);
}

void answer_storage(execution& with, const command& asked, std::string_view key, storage_outcome outcome,
                    std::uint64_t cas) {
    with.counted.add(count::cmd_set);
    if (terms_of(asked).compares_cas) {
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
        return with.out.append(line_for(outcome));
    }
    if (asked.verb == verb::meta_set)
        return answer_meta_storage(with, asked, key, outcome, cas);
    if (!asked.is_quiet)
        with.out.append(line_for(outcome));
}

}  // namespace eddy::apps::memcached
