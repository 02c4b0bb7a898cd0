#include "integrations/redis/cluster_state.hpp"
#include "integrations/redis/transaction.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/integrations/redis/cluster_client.hpp>

#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace eddy::redis {

namespace {

using detail::cluster_node;
using detail::cluster_state;

std::optional<std::uint16_t> slot_of(const request& req) {
    const auto key = first_key(req);
    if (!key)
        return std::nullopt;
    return hash_slot(*key);
}

std::optional<std::uint16_t> common_slot(const pipeline& batch) {
    std::optional<std::uint16_t> common;
    for (const request& each : batch.requests()) {
        const auto slot = slot_of(each);
        if (slot && common && *slot != *common)
            throw std::invalid_argument("the keys of a transaction are not of one slot");
        if (slot)
            common = slot;
    }
    return common;
}

task<reply> execute_one(cluster_state& state, request req) {
    const auto slot = slot_of(req);
    pipeline unit;
    unit.add(std::move(req));
    std::vector<reply> answers = co_await state.route(slot, std::move(unit));
    co_return std::move(answers.front());
}

/// Sends a node's share of a pipeline, and again, one by one, what it has redirected.
task<> execute_share(cluster_state& state, cluster_node node, const pipeline& whole,
                     std::vector<std::size_t> share, std::vector<reply>& answers) {
    pipeline batch;
    for (const std::size_t each : share)
        batch.add(whole.requests()[each]);
    // What cannot be reached was sent nothing, so that each may look for its own way.
    const auto reached = co_await as_result(node->connect());
    std::vector<reply> got;
    if (reached)
        got = co_await node->run(std::move(batch));
    for (std::size_t at = 0; at != share.size(); ++at) {
        if (reached && !detail::redirection::of(got[at]))
            answers[share[at]] = std::move(got[at]);
        else
            answers[share[at]] = co_await execute_one(state, whole.requests()[share[at]]);
    }
}

}  // namespace

cluster_client::cluster_client(std::vector<options> seeds)
    : state_(std::make_unique<cluster_state>(std::move(seeds))) {}
cluster_client::cluster_client(cluster_client&&) noexcept = default;
cluster_client& cluster_client::operator=(cluster_client&&) noexcept = default;
cluster_client::~cluster_client() = default;

void cluster_client::redirections_max(std::size_t count) noexcept {
    state_->redirections_max = count;
}

task<reply> cluster_client::execute(request req) {
    reply answer = co_await execute_one(*state_, std::move(req));
    answer.throw_if_error();
    co_return answer;
}

task<std::vector<reply>> cluster_client::execute_all(pipeline batch) {
    std::map<cluster_node, std::vector<std::size_t>> shares;
    for (std::size_t at = 0; at != batch.size(); ++at) {
        const cluster_node node = co_await state_->node_of(slot_of(batch.requests()[at]));
        if (node == nullptr)
            throw std::system_error(client_error::no_node);
        shares[node].push_back(at);
    }
    std::vector<reply> answers(batch.size());
    std::vector<task<>> all;
    all.reserve(shares.size());
    for (auto& [node, share] : shares)
        all.push_back(execute_share(*state_, node, batch, std::move(share), answers));
    co_await when_all(std::move(all));
    co_return answers;
}

task<std::vector<reply>> cluster_client::execute_transaction(pipeline batch) {
    const auto slot = common_slot(batch);
    pipeline unit;
    for (request& each : detail::in_transaction(std::move(batch)))
        unit.add(std::move(each));
    std::vector<reply> answers = co_await state_->route(slot, std::move(unit));
    co_return detail::results_of_transaction(std::move(answers));
}

task<std::vector<std::shared_ptr<client>>> cluster_client::masters() {
    static_cast<void>(co_await state_->node_of(std::nullopt));
    co_return state_->masters();
}

task<> cluster_client::refresh() {
    return state_->refresh(state_->version());
}

}  // namespace eddy::redis
