#include "sqlite_store.hpp"

#include <eddy/runtime/offload.hpp>

#include <type_traits>
#include <utility>

namespace todo {

/// A connection that is returned after use. It moves with the call to the pool, so that a task that is
/// dropped meanwhile does not hand on a connection that a thread still uses.
class sqlite_store::lease {
public:
    lease(connections from, connection taken) noexcept : from_(std::move(from)), taken_(std::move(taken)) {}
    lease(lease&&) noexcept = default;
    lease& operator=(lease&&) = delete;
    ~lease() {
        if (taken_ != nullptr)
            static_cast<void>(from_->try_send(std::move(taken_)));  // there is room: it came from there
    }
    sqlite_items& operator*() const noexcept { return *taken_; }

private:
    connections from_;
    connection taken_;
};

eddy::task<std::unique_ptr<sqlite_store>> sqlite_store::open(std::string path) {
    std::unique_ptr<sqlite_store> made(new sqlite_store());
    const auto connect = [](const std::string& to) { return std::make_unique<sqlite_items>(to); };
    connection writer = co_await eddy::offload(connect, std::string(path));
    static_cast<void>(made->writing_->try_send(std::move(writer)));
    for (std::size_t number = 0; number < readers; ++number) {
        connection reader = co_await eddy::offload(connect, std::string(path));
        static_cast<void>(made->reading_->try_send(std::move(reader)));
    }
    co_return made;
}

template <class Question>
auto sqlite_store::ask(connections free, Question question)
    -> eddy::task<std::invoke_result_t<Question, sqlite_items&>> {
    auto taken = co_await free->recv();
    lease used(free, std::move(*taken));
    auto call = [](lease with, Question requested) {
        try {
            return requested(*with);
        } catch (const sqlite_error& error) {
            if (error.is_temporary())
                throw store_unavailable(error.what());
            throw;
        }
    };
    co_return co_await eddy::offload(call, std::move(used), std::move(question));
}

eddy::task<page> sqlite_store::list(page_request wanted) {
    return ask(reading_, [wanted](sqlite_items& items) { return items.list(wanted); });
}

eddy::task<std::optional<item>> sqlite_store::find(item_id id) {
    return ask(reading_, [id](sqlite_items& items) { return items.find(id); });
}

eddy::task<item> sqlite_store::add(draft added) {
    return ask(writing_, [added = std::move(added)](sqlite_items& items) { return items.add(added); });
}

eddy::task<std::expected<item, refusal>> sqlite_store::change(item_id id, edit wanted,
                                                              std::optional<std::int64_t> expected) {
    return ask(writing_, [id, wanted = std::move(wanted), expected](sqlite_items& items) {
        return items.change(id, wanted, expected);
    });
}

eddy::task<std::expected<item, refusal>> sqlite_store::remove(item_id id,
                                                              std::optional<std::int64_t> expected) {
    return ask(writing_, [id, expected](sqlite_items& items) { return items.remove(id, expected); });
}

eddy::task<> sqlite_store::check() {
    return ask(reading_, [](sqlite_items& items) { items.check(); });
}

}  // namespace todo
