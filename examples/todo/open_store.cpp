#include "open_store.hpp"

#include "postgres_store.hpp"
#include "sqlite_store.hpp"

#include <stdexcept>
#include <string_view>
#include <utility>

namespace todo {

namespace {

constexpr std::string_view sqlite_scheme = "sqlite:";

}  // namespace

eddy::task<opened_store> open_store(std::string database) {
    opened_store opened;
    if (database.starts_with(sqlite_scheme)) {
        const std::string path = database.substr(sqlite_scheme.size());
        if (path.empty() || path.starts_with(':'))
            throw std::invalid_argument("--db: sqlite: needs the name of a file");
        opened.items = co_await sqlite_store::open(path);
        opened.kind = "sqlite";
    } else if (database.starts_with("postgresql://") || database.starts_with("postgres://")) {
        opened.items = co_await postgres_store::open(std::move(database));
        opened.kind = "postgresql";
    } else {
        throw std::invalid_argument("--db: '" + database + "' is neither sqlite:FILE nor postgresql://...");
    }
    co_return opened;
}

}  // namespace todo
