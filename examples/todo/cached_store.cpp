#include "cached_store.hpp"

#include "item_text.hpp"

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

namespace todo {

namespace {

std::string name_of(const page_request& wanted) {
    const std::string_view done = !wanted.done ? "any" : *wanted.done ? "done" : "open";
    return fmt::format("page:{}:{}:{}", wanted.limit, wanted.before.value_or(0), done);
}

}  // namespace

eddy::task<page> cached_store::list(page_request wanted) {
    const std::string name = name_of(wanted);
    const redis_cache::answer known = co_await cache_.look_up(name);
    if (known.text)
        if (auto kept = page_from(*known.text))
            co_return std::move(*kept);
    page found = co_await inner_.list(wanted);
    cache_.keep(name, known.generation, text_of(found));
    co_return found;
}

eddy::task<std::optional<item>> cached_store::find(item_id id) {
    const std::string name = fmt::format("item:{}", id);
    const redis_cache::answer known = co_await cache_.look_up(name);
    if (known.text)
        if (auto kept = item_from(*known.text))
            co_return std::move(*kept);
    std::optional<item> found = co_await inner_.find(id);
    cache_.keep(name, known.generation, text_of(found));
    co_return found;
}

template <class T>
eddy::task<T> cached_store::forget_after(eddy::task<T> work) {
    std::optional<T> outcome;
    std::exception_ptr failure;
    try {
        outcome.emplace(co_await std::move(work));
    } catch (...) {
        failure = std::current_exception();  // the change may have come about all the same
    }
    co_await cache_.forget_all();
    if (failure)
        std::rethrow_exception(failure);
    co_return std::move(*outcome);
}

eddy::task<item> cached_store::add(draft added) {
    return forget_after(inner_.add(std::move(added)));
}

eddy::task<std::expected<item, refusal>> cached_store::change(item_id id, edit wanted,
                                                              std::optional<std::int64_t> expected) {
    return forget_after(inner_.change(id, std::move(wanted), expected));
}

eddy::task<std::expected<item, refusal>> cached_store::remove(item_id id,
                                                              std::optional<std::int64_t> expected) {
    return forget_after(inner_.remove(id, expected));
}

}  // namespace todo
