#pragma once

#include "edit.hpp"
#include "item.hpp"

#include <eddy/core/task.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <stdexcept>
#include <vector>

namespace todo {

/// Which part of the list is wanted. The newest items come first.
struct page_request {
    std::size_t limit = 50;
    std::optional<item_id> before;  ///< only older ones than this
    std::optional<bool> done;       ///< only those that are, or are not
};

struct page {
    std::vector<item> items;
    bool has_more = false;
};

/// Why nothing was changed.
enum class refusal : std::uint8_t {
    missing,   ///< there is no such item
    outdated,  ///< it has another version than was expected
};

/// The store is not available for the moment. Clients may try again.
class store_unavailable final : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Where items are kept. Everything above depends only on this.
///
/// - Thread safety: none; it belongs to its worker. Any number of tasks may use it at a time.
/// - Cancellation: a dropped call of list() or find() has no effect; one of the others has had its effect, or
///   will have it, or will not: that is not known. announced_store ensures that they are not dropped.
/// - Errors: store_unavailable; any other exception is a defect.
/// - With `expected`, an item is changed only if it has this very version; the look and the change are one.
class store {
public:
    virtual ~store() = default;

    [[nodiscard]] virtual eddy::task<page> list(page_request wanted) = 0;
    [[nodiscard]] virtual eddy::task<std::optional<item>> find(item_id id) = 0;
    [[nodiscard]] virtual eddy::task<item> add(draft added) = 0;
    [[nodiscard]] virtual eddy::task<std::expected<item, refusal>> change(
        item_id id, edit wanted, std::optional<std::int64_t> expected) = 0;
    /// Returns the item as it was last.
    [[nodiscard]] virtual eddy::task<std::expected<item, refusal>> remove(
        item_id id, std::optional<std::int64_t> expected) = 0;
    /// Throws if it is not available.
    [[nodiscard]] virtual eddy::task<> check() = 0;
};

}  // namespace todo
