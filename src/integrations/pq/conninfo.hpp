#pragma once

#include <eddy/core/task.hpp>
#include <eddy/integrations/pq/connection_options.hpp>

#include <string>
#include <vector>

namespace eddy::pq::detail {

/// Keywords and values, in the form in which PQconnectStartParams() takes them.
class conninfo {
public:
    /// What the options and the environment say. Throws pq::error, invalid_argument.
    explicit conninfo(const connection_options& options);

    /// Of the last setting; empty if there is none.
    [[nodiscard]] const std::string& value(const std::string& keyword) const noexcept;
    void set(const std::string& keyword, std::string value);

    /// Looks the names of hosts up and writes their addresses down, so that libpq, which would block, need
    /// not: each address becomes a host of its own. Throws std::system_error if no name has one.
    [[nodiscard]] task<> resolve_hosts();

    /// For PQconnectStartParams(); null at the end. They live as long as this is not changed.
    [[nodiscard]] std::vector<const char*> keywords() const;
    [[nodiscard]] std::vector<const char*> values() const;

private:
    struct setting {
        std::string keyword;
        std::string value;
    };
    std::vector<setting> settings_;
};

}  // namespace eddy::pq::detail
