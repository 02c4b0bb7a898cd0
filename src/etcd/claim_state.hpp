#pragma once

#include "etcd/client_state.hpp"
#include "etcd/lease_state.hpp"

#include <eddy/core/task.hpp>
#include <eddy/etcd/claim.hpp>
#include <eddy/etcd/transaction.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace eddy::etcd::detail {

/// A key below a name, with its place among the others there: the oldest holds what the name stands for.
class claim_state {
public:
    claim_state(std::shared_ptr<client_state> db, std::shared_ptr<lease_state> under, std::string name);
    claim_state(const claim_state&) = delete;
    claim_state& operator=(const claim_state&) = delete;
    /// Has the key removed in the background.
    ~claim_state();

    [[nodiscard]] const std::string& key() const noexcept { return key_; }
    [[nodiscard]] std::int64_t revision() const noexcept { return revision_; }
    [[nodiscard]] compare held() const;
    /// Makes the key, as the newest.
    [[nodiscard]] task<> enter(std::string value);
    /// Waits until it is the oldest.
    [[nodiscard]] task<> wait_turn();
    [[nodiscard]] task<> lost();
    [[nodiscard]] task<> proclaim(std::string value);
    [[nodiscard]] task<> release();

private:
    std::shared_ptr<client_state> db_;
    std::shared_ptr<lease_state> lease_;
    std::string prefix_;
    std::string key_;
    std::int64_t revision_ = 0;  // 0 while it is not known
    bool may_exist_ = false;
};

/// client::lock() and client::campaign().
[[nodiscard]] task<claim> make_claim(std::shared_ptr<client_state> db, std::shared_ptr<lease_state> under,
                                     std::string name, std::string value);

}  // namespace eddy::etcd::detail
