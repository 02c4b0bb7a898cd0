#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace eddy::detail {

/// Which certificate is for which name: exact ones first, then those with a star for the first label.
class server_names {
public:
    /// Requires: the name is in lower case. The first certificate that is added for a name counts.
    void add(const std::string& name, std::size_t certificate) { names_.try_emplace(name, certificate); }

    /// The certificate for a name as a client has written it.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

private:
    std::unordered_map<std::string, std::size_t> names_;
};

}  // namespace eddy::detail
