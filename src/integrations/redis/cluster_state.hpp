#pragma once

#include "integrations/redis/redirection.hpp"

#include <eddy/core/task.hpp>
#include <eddy/integrations/redis/client.hpp>
#include <eddy/integrations/redis/detail/hash_slot.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/sync/mutex.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace eddy::redis::detail {

using cluster_node = std::shared_ptr<client>;

class cluster_state {
public:
    explicit cluster_state(std::vector<options> seeds);

    /// Sends commands to the node of the slot, all of them again where that turns out to be another.
    task<std::vector<reply>> route(std::optional<std::uint16_t> slot, pipeline unit);
    /// The node of a slot, or any; after a refresh if it is not known. Null if no node serves it.
    task<cluster_node> node_of(std::optional<std::uint16_t> slot);
    /// Fetches the map, unless it is newer than `seen`.
    task<> refresh(std::uint64_t seen);

    [[nodiscard]] std::uint64_t version() const noexcept { return version_; }
    [[nodiscard]] std::vector<cluster_node> masters() const;

    std::size_t redirections_max = 16;

private:
    using place = std::pair<std::string, std::uint16_t>;

    [[nodiscard]] cluster_node node_at(const std::string& host, std::uint16_t port);
    task<bool> learn_from(cluster_node requested);
    void take_map(const reply& reported, const std::string& asked_host);
    [[nodiscard]] cluster_node known_node(std::optional<std::uint16_t> slot) const;
    task<std::vector<reply>> follow(const redirection& target, const cluster_node& from, const pipeline& unit,
                                    std::uint64_t seen);

    std::vector<options> seeds_;
    std::map<place, cluster_node> nodes_;
    std::array<cluster_node, hash_slots> slots_;
    std::uint64_t version_ = 0;
    mutex refreshing_;
};

}  // namespace eddy::redis::detail
