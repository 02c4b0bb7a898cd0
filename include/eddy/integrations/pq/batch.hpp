#pragma once

#include <eddy/integrations/pq/command.hpp>
#include <eddy/integrations/pq/error.hpp>
#include <eddy/integrations/pq/result.hpp>

#include <cstddef>
#include <expected>
#include <string>
#include <utility>
#include <vector>

namespace eddy::pq {

/// What a command of a batch has come to.
using batch_outcome = std::expected<result, error>;

/// Commands that are sent together, without a wait for each other's answers. A value.
///
/// Each is a transaction of its own and fails by itself. With `atomic` all are one: if one fails, those
/// behind it are not run, nothing has happened, and each of them has an error without a SQLSTATE. Within an
/// open transaction a command that fails makes those behind it fail too.
class batch {
public:
    batch() = default;

    /// Adds a statement with its parameters.
    template <class... Values>
    batch& add(std::string sql, const Values&... values) {
        commands_.emplace_back(std::move(sql), values...);
        return *this;
    }
    template <class... Values>
    batch& add(const prepared& statement, const Values&... values) {
        commands_.emplace_back(statement, values...);
        return *this;
    }
    /// Whether all of it is one transaction; off by default.
    batch& atomic(bool is_on) noexcept {
        is_atomic_ = is_on;
        return *this;
    }

    /// The statements, in order.
    [[nodiscard]] const std::vector<command>& commands() const noexcept { return commands_; }
    /// The number of statements.
    [[nodiscard]] std::size_t size() const noexcept { return commands_.size(); }
    /// Whether all of it is one transaction.
    [[nodiscard]] bool is_atomic() const noexcept { return is_atomic_; }

private:
    std::vector<command> commands_;
    bool is_atomic_ = false;
};

}  // namespace eddy::pq
