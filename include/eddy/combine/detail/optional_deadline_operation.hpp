#pragma once

#include <eddy/combine/detail/as_task.hpp>
#include <eddy/combine/detail/deadline_operation.hpp>
#include <eddy/combine/detail/deadline_task.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/detail/transfer.hpp>
#include <eddy/core/interruptible.hpp>

#include <coroutine>
#include <type_traits>
#include <utility>
#include <variant>

namespace eddy::detail {

/// Awaits an operation until a deadline: where its wait can be ended from outside, in place; else as a task,
/// which is dropped.
template <runtime_interruptible Operation>
class [[nodiscard]] optional_deadline_operation {
    using in_place = deadline_operation<Operation>;
    using in_task = deadline_task<awaited_value_t<Operation>>;
    using way = std::variant<in_place, in_task>;

public:
    optional_deadline_operation(Operation&& operation, time_point deadline)
        : way_(choose(std::move(operation), deadline)) {}
    optional_deadline_operation(optional_deadline_operation&&) noexcept = default;
    optional_deadline_operation& operator=(optional_deadline_operation&&) = delete;
    ~optional_deadline_operation() = default;

    bool await_ready() {
        return std::visit([](auto& chosen) { return chosen.await_ready(); }, way_);
    }
    transfer await_suspend(suspension point) {
        if (auto* const direct = std::get_if<in_place>(&way_))
            return direct->await_suspend(point);
        std::get<in_task>(way_).await_suspend(point);
        return stay_suspended();
    }
    decltype(auto) await_resume() {
        return std::visit([](auto& chosen) -> decltype(auto) { return chosen.await_resume(); }, way_);
    }
    auto outcome() {
        return std::visit([](auto& chosen) { return chosen.outcome(); }, way_);
    }

private:
    static way choose(Operation&& operation, time_point deadline) {
        if (operation.is_interruptible())
            return way(std::in_place_type<in_place>, std::move(operation), deadline);
        return way(std::in_place_type<in_task>, as_task(std::move(operation)), deadline);
    }

    /// A template, so that only the way of this build is compiled.
    template <class Transfer = transfer>
    static Transfer stay_suspended() noexcept {
        if constexpr (!std::is_void_v<Transfer>)
            return transfer_to(std::noop_coroutine());
    }

    way way_;
};

}  // namespace eddy::detail
