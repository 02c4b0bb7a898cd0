#pragma once

#include "sqlite.hpp"
#include "store.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

namespace todo {

/// The queries of a store, on one connection to SQLite, with statements that are prepared once. They block;
/// one thread at a time uses it. Throws sqlite_error.
class sqlite_items {
public:
    explicit sqlite_items(const std::string& path);

    [[nodiscard]] page list(const page_request& wanted);
    [[nodiscard]] std::optional<item> find(item_id id);
    [[nodiscard]] item add(const draft& added);
    [[nodiscard]] std::expected<item, refusal> change(item_id id, const edit& wanted,
                                                      std::optional<std::int64_t> expected);
    [[nodiscard]] std::expected<item, refusal> remove(item_id id, std::optional<std::int64_t> expected);
    void check();

private:
    /// Why a change has found no row.
    [[nodiscard]] refusal why_not(item_id id);

    sqlite_database database_;
    sqlite_statement list_;
    sqlite_statement find_;
    sqlite_statement add_;
    sqlite_statement change_;
    sqlite_statement remove_;
    sqlite_statement check_;
};

}  // namespace todo
