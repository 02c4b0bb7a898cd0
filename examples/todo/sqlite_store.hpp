#pragma once

#include "sqlite_items.hpp"
#include "store.hpp"

#include <eddy/core/task.hpp>
#include <eddy/sync/channel.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace todo {

/// Keeps items in a file of SQLite. Its calls block, so each is made on the offload pool, with a connection
/// that no other call has meanwhile: one for all changes, since SQLite has one writer at a time, and a few
/// for reading, which in WAL mode does not wait for the writer.
class sqlite_store final : public store {
public:
    static constexpr std::size_t readers = 4;

    /// Opens the file, or makes it. Throws sqlite_error.
    [[nodiscard]] static eddy::task<std::unique_ptr<sqlite_store>> open(std::string path);

    [[nodiscard]] eddy::task<page> list(page_request wanted) override;
    [[nodiscard]] eddy::task<std::optional<item>> find(item_id id) override;
    [[nodiscard]] eddy::task<item> add(draft added) override;
    [[nodiscard]] eddy::task<std::expected<item, refusal>> change(
        item_id id, edit wanted, std::optional<std::int64_t> expected) override;
    [[nodiscard]] eddy::task<std::expected<item, refusal>> remove(
        item_id id, std::optional<std::int64_t> expected) override;
    [[nodiscard]] eddy::task<> check() override;

private:
    using connection = std::unique_ptr<sqlite_items>;
    /// Connections that are free. A channel passes each to one task, in order, while the others wait.
    using connections = std::shared_ptr<eddy::channel<connection>>;
    class lease;

    sqlite_store() = default;
    template <class Question>
    [[nodiscard]] static auto ask(connections free, Question question)
        -> eddy::task<std::invoke_result_t<Question, sqlite_items&>>;

    connections reading_ = std::make_shared<eddy::channel<connection>>(readers);
    connections writing_ = std::make_shared<eddy::channel<connection>>(1);
};

}  // namespace todo
