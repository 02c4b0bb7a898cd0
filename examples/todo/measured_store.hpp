#pragma once

#include "store.hpp"

#include <eddy/core/task.hpp>
#include <eddy/http/routing/metrics_registry.hpp>

namespace todo {

/// A store in front of another, which measures how long that takes and counts its failures.
class measured_store final : public store {
public:
    /// Refers to the inner store, which outlives it. `kind` is a label: "sqlite", "postgresql".
    measured_store(store& inner, eddy::http::metrics_registry& registry, const std::string& kind);

    [[nodiscard]] eddy::task<page> list(page_request wanted) override;
    [[nodiscard]] eddy::task<std::optional<item>> find(item_id id) override;
    [[nodiscard]] eddy::task<item> add(draft added) override;
    [[nodiscard]] eddy::task<std::expected<item, refusal>> change(
        item_id id, edit wanted, std::optional<std::int64_t> expected) override;
    [[nodiscard]] eddy::task<std::expected<item, refusal>> remove(
        item_id id, std::optional<std::int64_t> expected) override;
    [[nodiscard]] eddy::task<> check() override;

private:
    template <class T>
    [[nodiscard]] eddy::task<T> measure(eddy::http::metric_histogram& seconds, eddy::task<T> work);

    store& inner_;
    eddy::http::metric_histogram list_;
    eddy::http::metric_histogram find_;
    eddy::http::metric_histogram add_;
    eddy::http::metric_histogram change_;
    eddy::http::metric_histogram remove_;
    eddy::http::metric_histogram check_;
    eddy::http::metric_counter failures_;
};

}  // namespace todo
