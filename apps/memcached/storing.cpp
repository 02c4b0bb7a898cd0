#include "memcached/storing.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace eddy::apps::memcached {

namespace {

void inherit(item& fresh, const item& old) noexcept {
    fresh.client_flags = old.client_flags;
    fresh.expire_at(old.expiry());
    if (old.has(item::has_binary_key))
        fresh.set(item::has_binary_key);
}

// An item of this size with what `old` has but the value, which stays readable until release(). Null if there
// is no memory; `old` may have had to go for it.
item* allocate_successor(shard& home, item& old, std::size_t value_bytes) noexcept {
    shard::retain(old);
    item* const fresh = home.allocate(old.key(), old.hash, value_bytes);
    if (fresh == nullptr)
        home.release(old);
    else
        inherit(*fresh, old);
    return fresh;
}

void succeed(shard& home, item& fresh, item& old, moment now) noexcept {
    home.link(fresh, old.has(item::linked) ? &old : nullptr, now);
    home.release(old);
}

storage_outcome join(shard& home, item& added, item& old, bool is_behind, std::size_t value_bytes_max,
                     moment now, std::uint64_t& cas) noexcept {
    const std::size_t value_bytes = added.value().size() + old.value().size();
    if (value_bytes > value_bytes_max)
        return storage_outcome::too_large;
    item* const joined = allocate_successor(home, old, value_bytes);
    if (joined == nullptr)
        return storage_outcome::no_memory;
    const std::string_view first = is_behind ? old.value() : added.value();
    const std::string_view second = is_behind ? added.value() : old.value();
    first.copy(joined->value_data(), first.size());
    second.copy(joined->value_data() + first.size(), second.size());
    succeed(home, *joined, old, now);
    cas = joined->cas;
    return storage_outcome::stored;
}

storage_outcome judge(const item* old, const storage_terms& terms) noexcept {
    const bool joins = terms.how == storing::append || terms.how == storing::prepend;
    // append and prepend compare no cas of 0.
    const bool compares = terms.compares_cas && terms.how != storing::add && !(joins && terms.cas == 0);
    if (old == nullptr) {
        if (compares && !joins)
            return storage_outcome::not_found;
        const bool may_be_new = terms.how == storing::set || terms.how == storing::add;
        return may_be_new ? storage_outcome::stored : storage_outcome::not_stored;
    }
    if (terms.how == storing::add)
        return storage_outcome::not_stored;
    const bool is_older = terms.takes_older_cas && !joins && terms.cas != 0 && terms.cas < old->cas;
    return compares && terms.cas != old->cas && !is_older ? storage_outcome::other_cas
                                                          : storage_outcome::stored;
}

// The number with which a value begins, as memcached reads it (strtoull(3)): white space in front is skipped,
// and ends it.
std::optional<std::uint64_t> number_in(std::string_view value) noexcept {
    constexpr std::string_view white_space = " \t\n\v\f\r";
    const std::size_t begin = std::min(value.find_first_not_of(white_space), value.size());
    const char* const last = value.data() + value.size();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data() + begin, last, number);
    if (error != std::errc() || (end != last && white_space.find(*end) == std::string_view::npos))
        return std::nullopt;
    return number;
}

}  // namespace

storage_outcome store_item(shard& home, item& fresh, const storage_terms& terms, std::size_t value_bytes_max,
                           moment now, std::uint64_t& cas) noexcept {
    item* const old = home.find(fresh.key(), fresh.hash, now);
    storage_outcome outcome = judge(old, terms);
    if (outcome != storage_outcome::stored) {
        // An attempt to add an existing item shows that it is in use.
        if (old != nullptr && terms.how == storing::add)
            home.renew(*old, now);
        home.release(fresh);
        return outcome;
    }
    if (terms.how == storing::append || terms.how == storing::prepend) {
        outcome = join(home, fresh, *old, terms.how == storing::append, value_bytes_max, now, cas);
        home.release(fresh);
        return outcome;
    }
    if (terms.compares_cas && old != nullptr && terms.cas != old->cas) {
        // A late value replaces the old one without changing its expiry and its renewal.
        fresh.set(item::stale);
        fresh.expire_at(old->expiry());
        if (old->has(item::win_is_given))
            fresh.set(item::win_is_given);
    }
    home.link(fresh, old, now);
    cas = fresh.cas;
    return outcome;
}

arithmetic_outcome change_number(shard& home, item& counting, bool is_taking, std::uint64_t delta,
                                 moment now) noexcept {
    const auto before = number_in(counting.value());
    if (!before)
        return {arithmetic_end::not_a_number, 0, nullptr};
    const std::uint64_t value = is_taking ? *before - std::min(*before, delta) : *before + delta;
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
    if (text.size() <= counting.value_bytes && counting.references == 0) {
        text.copy(counting.value_data(), text.size());
        std::fill_n(counting.value_data() + text.size(), counting.value_bytes - text.size(), ' ');
        home.change(counting);
        home.renew(counting, now);
        return {arithmetic_end::done, value, &counting};
    }
    item* const fresh = allocate_successor(home, counting, text.size());
    if (fresh == nullptr)
        return {arithmetic_end::no_memory, 0, nullptr};
    text.copy(fresh->value_data(), text.size());
    // As if the number had been changed in place.
    for (const item::flag kept : {item::stale, item::win_is_given})
        if (counting.has(kept))
            fresh->set(kept);
    succeed(home, *fresh, counting, now);
    return {arithmetic_end::done, value, fresh};
}

}  // namespace eddy::apps::memcached
