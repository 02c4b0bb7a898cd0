#pragma once

#include "store.hpp"

#include <eddy/core/task.hpp>
#include <eddy/integrations/pq/command.hpp>
#include <eddy/integrations/pq/pool.hpp>
#include <eddy/integrations/pq/result.hpp>

#include <memory>
#include <string>

namespace todo {

/// Keeps items in a table of PostgreSQL, over a pool of connections. Several nodes may use the same database.
class postgres_store final : public store {
public:
    static constexpr std::size_t connections_max = 8;

    /// Connects, and makes the table if it is not there. `url`: postgresql://... Throws pq::error.
    [[nodiscard]] static eddy::task<std::unique_ptr<postgres_store>> open(std::string url);

    [[nodiscard]] eddy::task<page> list(page_request wanted) override;
    [[nodiscard]] eddy::task<std::optional<item>> find(item_id id) override;
    [[nodiscard]] eddy::task<item> add(draft added) override;
    [[nodiscard]] eddy::task<std::expected<item, refusal>> change(
        item_id id, edit wanted, std::optional<std::int64_t> expected) override;
    [[nodiscard]] eddy::task<std::expected<item, refusal>> remove(
        item_id id, std::optional<std::int64_t> expected) override;
    [[nodiscard]] eddy::task<> check() override;

private:
    explicit postgres_store(const std::string& url);

    /// Runs a command, prepared once a connection. Throws store_unavailable where another attempt may
    /// succeed.
    template <class... Values>
    [[nodiscard]] eddy::task<eddy::pq::result> ask(std::string sql, Values... values);
    /// Why a change has found no row.
    [[nodiscard]] eddy::task<refusal> why_not(item_id id);

    eddy::pq::pool database_;
};

}  // namespace todo
