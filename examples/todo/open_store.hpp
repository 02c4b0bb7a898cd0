#pragma once

#include "store.hpp"

#include <eddy/core/task.hpp>

#include <memory>
#include <string>

namespace todo {

/// A store, and what kind it is, for people.
struct opened_store {
    std::unique_ptr<store> items;
    std::string kind;
};

/// Opens "sqlite:FILE" or "postgresql://...". Throws std::invalid_argument for anything else, and what the
/// store has met when it was opened.
[[nodiscard]] eddy::task<opened_store> open_store(std::string database);

}  // namespace todo
