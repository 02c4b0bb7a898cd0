#pragma once

#include "etcd/client_state.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/etcd/lease.hpp>
#include <eddy/io/endpoint.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace eddy::etcd::detail {

/// The key of a registered endpoint, and the task that puts it again when its lease was lost.
class registration_state {
public:
    registration_state(std::shared_ptr<client_state> db, const std::string& name, const endpoint& at,
                       std::chrono::seconds ttl);
    registration_state(const registration_state&) = delete;
    registration_state& operator=(const registration_state&) = delete;
    ~registration_state() = default;

    /// Puts the key under a new lease.
    [[nodiscard]] task<> enter();
    void keep() { keeping_ = spawn(enter_again(), "etcd registration"); }
    [[nodiscard]] task<> withdraw();

private:
    [[nodiscard]] task<> enter_again();

    std::shared_ptr<client_state> db_;
    std::string key_;
    std::string value_;
    std::chrono::seconds ttl_;
    std::optional<lease> held_;
    handle<> keeping_;
};

}  // namespace eddy::etcd::detail
