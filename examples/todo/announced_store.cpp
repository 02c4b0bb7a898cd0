#include "announced_store.hpp"

#include <eddy/sync/oneshot.hpp>

#include <exception>
#include <utility>

namespace todo {

namespace {

template <class T>
using outcome = std::expected<T, std::exception_ptr>;

template <class T>
eddy::task<> work_for(eddy::task<T> work, eddy::oneshot_sender<outcome<T>> who_asked) {
    outcome<T> result = std::unexpected(std::exception_ptr());
    try {
        result = co_await std::move(work);
    } catch (...) {
        result = std::unexpected(std::current_exception());
    }
    who_asked.send(std::move(result));  // the request may have been dropped
}

}  // namespace

announced_store::announced_store(store& inner, listener reported)
    : inner_(inner), reported_(std::move(reported)) {}

template <class T>
eddy::task<T> announced_store::carry_out(eddy::task<T> work) {
    eddy::oneshot<outcome<T>> done;
    in_hand_.spawn(work_for(std::move(work), std::move(done.sender)), "change");
    outcome<T> result = co_await done.receiver;
    if (!result)
        std::rethrow_exception(result.error());
    co_return std::move(*result);
}

eddy::task<item> announced_store::add(draft added) {
    return carry_out(add_and_tell(std::move(added)));
}

eddy::task<std::expected<item, refusal>> announced_store::change(item_id id, edit wanted,
                                                                 std::optional<std::int64_t> expected) {
    return carry_out(change_and_tell(id, std::move(wanted), expected));
}

eddy::task<std::expected<item, refusal>> announced_store::remove(item_id id,
                                                                 std::optional<std::int64_t> expected) {
    return carry_out(remove_and_tell(id, expected));
}

eddy::task<item> announced_store::add_and_tell(draft added) {
    item made = co_await inner_.add(std::move(added));
    reported_({item_event::kind::added, made});
    co_return made;
}

eddy::task<std::expected<item, refusal>> announced_store::change_and_tell(
    item_id id, edit wanted, std::optional<std::int64_t> expected) {
    auto changed = co_await inner_.change(id, std::move(wanted), expected);
    if (changed)
        reported_({item_event::kind::changed, *changed});
    co_return changed;
}

eddy::task<std::expected<item, refusal>> announced_store::remove_and_tell(
    item_id id, std::optional<std::int64_t> expected) {
    auto removed = co_await inner_.remove(id, expected);
    if (removed)
        reported_({item_event::kind::removed, *removed});
    co_return removed;
}

eddy::task<> announced_store::finish() {
    co_await in_hand_.join();
}

}  // namespace todo
