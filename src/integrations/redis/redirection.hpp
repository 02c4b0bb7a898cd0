#pragma once

#include <eddy/integrations/redis/reply.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace eddy::redis::detail {

/// What a node of a cluster says when a command is not for it, or not now.
class redirection {
public:
    enum class kind : std::uint8_t { moved, ask, wait };

    kind what = kind::wait;
    std::uint16_t slot = 0;
    std::string host;  // empty: the node that replied
    std::uint16_t port = 0;

    /// Of `MOVED 3999 127.0.0.1:6381`, `ASK ...`, `TRYAGAIN ...`, `CLUSTERDOWN ...`; nothing for anything
    /// else.
    static std::optional<redirection> of(const reply& answer);
    /// The first among several.
    static std::optional<redirection> of(const std::vector<reply>& answers);
};

}  // namespace eddy::redis::detail
