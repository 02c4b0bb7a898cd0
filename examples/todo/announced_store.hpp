#pragma once

#include "item_event.hpp"
#include "store.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/core/task.hpp>

#include <functional>

namespace todo {

/// A store in front of another, which announces every change that was made.
///
/// A change that has begun is completed, even if the request behind it is dropped in the middle: a task of
/// the store carries it out. Otherwise an item could be in the database without an announcement.
class announced_store final : public store {
public:
    using listener = std::function<void(const item_event&)>;

    /// Refers to the inner store, which outlives it.
    announced_store(store& inner, listener reported);

    [[nodiscard]] eddy::task<page> list(page_request wanted) override { return inner_.list(wanted); }
    [[nodiscard]] eddy::task<std::optional<item>> find(item_id id) override { return inner_.find(id); }
    [[nodiscard]] eddy::task<item> add(draft added) override;
    [[nodiscard]] eddy::task<std::expected<item, refusal>> change(
        item_id id, edit wanted, std::optional<std::int64_t> expected) override;
    [[nodiscard]] eddy::task<std::expected<item, refusal>> remove(
        item_id id, std::optional<std::int64_t> expected) override;
    [[nodiscard]] eddy::task<> check() override { return inner_.check(); }

    /// Waits until all changes that have begun are done.
    [[nodiscard]] eddy::task<> finish();

private:
    template <class T>
    [[nodiscard]] eddy::task<T> carry_out(eddy::task<T> work);
    [[nodiscard]] eddy::task<item> add_and_tell(draft added);
    [[nodiscard]] eddy::task<std::expected<item, refusal>> change_and_tell(
        item_id id, edit wanted, std::optional<std::int64_t> expected);
    [[nodiscard]] eddy::task<std::expected<item, refusal>> remove_and_tell(
        item_id id, std::optional<std::int64_t> expected);

    store& inner_;
    listener reported_;
    eddy::task_set in_hand_;
};

}  // namespace todo
