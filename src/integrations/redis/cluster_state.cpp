#include "integrations/redis/cluster_state.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/runtime/detail/growing_wait.hpp>
#include <eddy/runtime/sleep.hpp>

#include <algorithm>
#include <chrono>
#include <set>
#include <system_error>

namespace eddy::redis::detail {

namespace {

constexpr std::chrono::milliseconds first_pause{10};
constexpr std::chrono::milliseconds pause_max{500};

}  // namespace

cluster_state::cluster_state(std::vector<options> seeds) : seeds_(std::move(seeds)) {}

cluster_node cluster_state::node_at(const std::string& host, std::uint16_t port) {
    cluster_node& found = nodes_[place(host, port)];
    if (found == nullptr) {
        options wanted = seeds_.front();
        wanted.host(host).port(port);
        found = std::make_shared<client>(std::move(wanted));
    }
    return found;
}

cluster_node cluster_state::known_node(std::optional<std::uint16_t> slot) const {
    if (slot)
        return slots_[*slot];
    const auto any = std::ranges::find_if(slots_, [](const cluster_node& each) { return each != nullptr; });
    return any == slots_.end() ? nullptr : *any;
}

std::vector<cluster_node> cluster_state::masters() const {
    std::set<cluster_node> all(slots_.begin(), slots_.end());
    all.erase(nullptr);
    return {all.begin(), all.end()};
}

task<cluster_node> cluster_state::node_of(std::optional<std::uint16_t> slot) {
    cluster_node found = known_node(slot);
    if (found == nullptr) {
        co_await refresh(version_);
        found = known_node(slot);
    }
    co_return found;
}

// CLUSTER SLOTS: from, to, then the nodes with address, port and more; the first one is the master.
void cluster_state::take_map(const reply& reported, const std::string& asked_host) {
    std::array<cluster_node, hash_slots> made;
    for (const reply& each : reported.elements()) {
        const auto& range = each.elements();
        const auto from = range.at(0).as<std::uint16_t>();
        const auto to = range.at(1).as<std::uint16_t>();
        const auto& master = range.at(2).elements();
        const auto host = master.at(0).as<std::optional<std::string>>().value_or("");
        const cluster_node node = node_at(host.empty() ? asked_host : host, master.at(1).as<std::uint16_t>());
        if (from > to || to >= hash_slots)
            throw std::system_error(client_error::protocol, "a slot that does not exist");
        std::fill(made.begin() + from, made.begin() + to + 1, node);
    }
    slots_ = std::move(made);
    // Clients of nodes that have gone end with the last command on them.
    std::erase_if(nodes_, [this](const auto& known) {
        return std::ranges::find(slots_, known.second) == slots_.end();
    });
}

task<bool> cluster_state::learn_from(cluster_node requested) {
    try {
        const reply reported = co_await requested->command("CLUSTER", "SLOTS");
        if (reported.elements().empty())
            co_return false;  // it has not met the others yet
        take_map(reported, requested->settings().host());
        co_return true;
    } catch (const std::exception&) {
        co_return false;  // the next one may know
    }
}

task<> cluster_state::refresh(std::uint64_t seen) {
    const mutex_guard alone = co_await refreshing_.lock();
    if (version_ != seen)
        co_return;
    std::vector<cluster_node> known;
    known.reserve(nodes_.size() + seeds_.size());
    for (const auto& [where, node] : nodes_)
        known.push_back(node);
    // One that is connected answers at once.
    std::ranges::partition(known, [](const cluster_node& each) { return each->is_connected(); });
    for (const options& each : seeds_)
        known.push_back(node_at(each.host(), each.port()));
    for (const cluster_node& each : known) {
        const bool is_learned = co_await learn_from(each);
        if (is_learned) {
            ++version_;
            co_return;
        }
    }
    throw std::system_error(client_error::no_node, "no node reports which slots belong to which");
}

task<std::vector<reply>> cluster_state::follow(const redirection& target, const cluster_node& from,
                                               const pipeline& unit, std::uint64_t seen) {
    const std::string host = target.host.empty() ? from->settings().host() : target.host;
    const cluster_node to = node_at(host, target.port);
    if (target.what == redirection::kind::moved) {
        // This is known for certain; the rest of the map may be old too.
        static_cast<void>(co_await as_result(refresh(seen)));
        slots_[target.slot] = to;
        co_return co_await to->run(unit);
    }
    pipeline asking;
    asking.add("ASKING").add(unit.requests().front());
    std::vector<reply> answers = co_await to->run(std::move(asking));
    answers.erase(answers.begin());
    co_return answers;
}

task<std::vector<reply>> cluster_state::route(std::optional<std::uint16_t> slot, pipeline unit) {
    eddy::detail::growing_wait pauses(first_pause, pause_max, 2);
    for (std::size_t attempt = 0; attempt <= redirections_max; ++attempt) {
        const std::uint64_t seen = version_;
        const cluster_node node = co_await node_of(slot);
        bool is_reached = false;
        if (node != nullptr) {
            const auto reached = co_await as_result(node->connect());
            is_reached = reached.has_value();
        }
        if (is_reached) {
            std::vector<reply> answers = co_await node->run(unit);
            auto reported = redirection::of(answers);
            while (reported && reported->what != redirection::kind::wait && attempt < redirections_max) {
                if (reported->what == redirection::kind::ask && unit.size() > 1)
                    break;  // until it has moved
                ++attempt;
                answers = co_await follow(*reported, node, unit, seen);
                reported = redirection::of(answers);
            }
            if (!reported)
                co_return answers;
        }
        co_await sleep_for(pauses.next());
        static_cast<void>(co_await as_result(refresh(seen)));
    }
    throw std::system_error(client_error::too_many_redirections);
}

}  // namespace eddy::redis::detail
