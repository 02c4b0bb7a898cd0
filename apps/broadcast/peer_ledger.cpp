#include "broadcast/peer_ledger.hpp"

#include <algorithm>

namespace eddy::apps {

peer_ledger::peer* peer_ledger::find_or_begin(std::string_view node, std::uint64_t next) {
    const auto found = peers_.find(node);
    if (found != peers_.end())
        return &found->second;
    if (peers_.size() >= nodes_max)
        peers_.erase(peers_.begin());
    peers_[std::string(node)].next = next;
    return nullptr;
}

/// Lines before `to` have not come.
void peer_ledger::note_gap(peer& of, std::uint64_t to) {
    if (to <= of.next)
        return;
    std::uint64_t from = of.next;
    if (to - from > missing_max_)
        from = to - missing_max_;
    for (std::uint64_t number = from; number != to; ++number)
        of.missing.insert(of.missing.end(), number);
    while (of.missing.size() > missing_max_)
        of.missing.erase(of.missing.begin());
    of.next = to;
    of.has_new_gap = true;
}

bool peer_ledger::take(std::string_view node, std::uint64_t number) {
    peer* const known = find_or_begin(node, number + 1);
    if (known == nullptr)
        return true;
    if (number < known->next)
        return known->missing.erase(number) != 0;
    note_gap(*known, number);
    known->next = number + 1;
    return true;
}

void peer_ledger::note_last(std::string_view node, std::uint64_t number) {
    if (peer* const known = find_or_begin(node, number + 1))
        note_gap(*known, number + 1);
}

std::optional<peer_ledger::range> peer_ledger::missing(std::string_view node, bool again) {
    const auto found = peers_.find(node);
    if (found == peers_.end() || found->second.missing.empty())
        return std::nullopt;
    if (!std::exchange(found->second.has_new_gap, false) && !again)
        return std::nullopt;
    return range(*found->second.missing.begin(), *found->second.missing.rbegin());
}

}  // namespace eddy::apps
