#pragma once

#include "redis_cache.hpp"
#include "store.hpp"

#include <eddy/core/task.hpp>

namespace todo {

/// A store in front of another, which answers repeated queries from a cache until something changes. Any
/// change clears the cache before it is answered.
class cached_store final : public store {
public:
    /// Refers to both, which outlive it.
    cached_store(store& inner, redis_cache& cache) noexcept : inner_(inner), cache_(cache) {}

    [[nodiscard]] eddy::task<page> list(page_request wanted) override;
    [[nodiscard]] eddy::task<std::optional<item>> find(item_id id) override;
    [[nodiscard]] eddy::task<item> add(draft added) override;
    [[nodiscard]] eddy::task<std::expected<item, refusal>> change(
        item_id id, edit wanted, std::optional<std::int64_t> expected) override;
    [[nodiscard]] eddy::task<std::expected<item, refusal>> remove(
        item_id id, std::optional<std::int64_t> expected) override;
    [[nodiscard]] eddy::task<> check() override { return inner_.check(); }

private:
    /// Carries a change out, and has the cache forget, whether or not it is known to have come about.
    template <class T>
    [[nodiscard]] eddy::task<T> forget_after(eddy::task<T> work);

    store& inner_;
    redis_cache& cache_;
};

}  // namespace todo
