#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::apps {

/// Which lines of each other node have come, so that each is delivered once, and which are missing.
class peer_ledger {
public:
    using range = std::pair<std::uint64_t, std::uint64_t>;

    /// No more than `missing_max` lines of a node are waited for.
    explicit peer_ledger(std::size_t missing_max) noexcept : missing_max_(missing_max) {}

    /// Whether this line has not come before. The first that is seen of a node is its first for us.
    [[nodiscard]] bool take(std::string_view node, std::uint64_t number);
    /// The node has sent lines up to this number.
    void note_last(std::string_view node, std::uint64_t number);

    /// The range to request again: from the first missing line to the last, once for each new gap, or
    /// whenever `again`.
    [[nodiscard]] std::optional<range> missing(std::string_view node, bool again);

private:
    static constexpr std::size_t nodes_max = 4096;

    class peer {
    public:
        std::uint64_t next = 0;  // after the largest number that is known
        std::set<std::uint64_t> missing;
        bool has_new_gap = false;
    };

    /// Null if the node was not known; it is then.
    peer* find_or_begin(std::string_view node, std::uint64_t next);
    void note_gap(peer& of, std::uint64_t to);

    std::size_t missing_max_;
    std::map<std::string, peer, std::less<>> peers_;
};

}  // namespace eddy::apps
