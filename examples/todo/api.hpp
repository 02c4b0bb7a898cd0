#pragma once

#include "store.hpp"

#include <eddy/core/task.hpp>
#include <eddy/http/routing/extract.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/response.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace todo {

/// The items over HTTP, as JSON:
///
///     GET    /todos?limit=50&before=ID&done=false   a page, the newest first, and the URL of the next
///     POST   /todos                                 {"title": ..., "done": ...}: 201 with Location
///     GET    /todos/{id}                            one, with its version as ETag
///     PUT    /todos/{id}                            replaces title and done
///     PATCH  /todos/{id}                            changes title, or done, or both
///     DELETE /todos/{id}                            204
///
/// With If-Match an item is changed or removed only if it still has that ETag: 412 otherwise. What is wrong
/// is answered as problem.hpp says.
class api {
public:
    static constexpr std::size_t page_items_max = 200;

    /// Refers to the store, which outlives it.
    explicit api(store& items) noexcept : items_(items) {}
    /// The routes refer to this.
    void add_to(eddy::http::router& routes);

private:
    using id_of_path = eddy::http::path<"id", item_id>;

    [[nodiscard]] eddy::task<eddy::http::response> list(page_request wanted);
    [[nodiscard]] eddy::task<eddy::http::response> add(draft sent);
    [[nodiscard]] eddy::task<eddy::http::response> show(eddy::http::exchange& ex, item_id id);
    [[nodiscard]] eddy::task<eddy::http::response> change(eddy::http::exchange& ex, item_id id, edit sent);
    [[nodiscard]] eddy::task<eddy::http::response> remove(eddy::http::exchange& ex, item_id id);

    /// The version that an item must have for the request to be carried out, if the request has conditions.
    [[nodiscard]] eddy::task<std::optional<std::int64_t>> expected_version(eddy::http::exchange& ex,
                                                                           item_id id);

    store& items_;
};

}  // namespace todo
