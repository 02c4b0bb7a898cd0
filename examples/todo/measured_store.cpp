#include "measured_store.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace todo {

namespace {

namespace http = eddy::http;

http::metric_histogram seconds_of(http::metrics_registry& registry, const std::string& kind,
                                  const char* operation) {
    return registry.make_histogram("todo_store_duration_seconds", "How long the database takes",
                                   http::metrics_registry::latency_bounds(),
                                   {{"store", kind}, {"operation", operation}});
}

/// Notes how long it was there, and whether an exception has ended it.
class stopwatch {
public:
    explicit stopwatch(http::metric_histogram& seconds) noexcept : seconds_(seconds) {}
    stopwatch(const stopwatch&) = delete;
    stopwatch& operator=(const stopwatch&) = delete;
    ~stopwatch() {
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began_at_;
        seconds_.observe(took.count());
    }

private:
    http::metric_histogram& seconds_;
    std::chrono::steady_clock::time_point began_at_ = std::chrono::steady_clock::now();
};

}  // namespace

measured_store::measured_store(store& inner, http::metrics_registry& registry, const std::string& kind)
    : inner_(inner),
      list_(seconds_of(registry, kind, "list")),
      find_(seconds_of(registry, kind, "find")),
      add_(seconds_of(registry, kind, "add")),
      change_(seconds_of(registry, kind, "change")),
      remove_(seconds_of(registry, kind, "remove")),
      check_(seconds_of(registry, kind, "check")),
      failures_(registry.make_counter("todo_store_failures_total",
                                      "Questions that the database did not answer", {{"store", kind}})) {}

template <class T>
eddy::task<T> measured_store::measure(http::metric_histogram& seconds, eddy::task<T> work) {
    const stopwatch running(seconds);
    try {
        co_return co_await std::move(work);
    } catch (...) {
        ++failures_;
        throw;
    }
}

eddy::task<page> measured_store::list(page_request wanted) {
    return measure(list_, inner_.list(wanted));
}

eddy::task<std::optional<item>> measured_store::find(item_id id) {
    return measure(find_, inner_.find(id));
}

eddy::task<item> measured_store::add(draft added) {
    return measure(add_, inner_.add(std::move(added)));
}

eddy::task<std::expected<item, refusal>> measured_store::change(item_id id, edit wanted,
                                                                std::optional<std::int64_t> expected) {
    return measure(change_, inner_.change(id, std::move(wanted), expected));
}

eddy::task<std::expected<item, refusal>> measured_store::remove(item_id id,
                                                                std::optional<std::int64_t> expected) {
    return measure(remove_, inner_.remove(id, expected));
}

eddy::task<> measured_store::check() {
    return measure(check_, inner_.check());
}

}  // namespace todo
