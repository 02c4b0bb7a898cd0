#pragma once

#include "etcd/patient_client.hpp"
#include "support/etcd_node.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/client.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/stream/copy.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::etcd::test {

/// Three nodes whose way to each other leads through this object, which can cut one off. Belongs to a worker, to which
/// the nodes' messages to each other come.
class etcd_cluster {
public:
    static constexpr std::size_t size = 3;

    etcd_cluster() {
        std::string all;
        for (std::size_t index = 0; index < size; ++index) {
            auto made = std::make_unique<member>("node" + std::to_string(index));
            all += (index == 0 ? "" : ",") + made->node.name() + '=' + made->proxy_url();
            members_.push_back(std::move(made));
        }
        for (auto& each : members_) {
            each->node.add_arguments({"--initial-cluster", all, "--initial-advertise-peer-urls",
                                      each->proxy_url(), "--initial-cluster-state", "new"});
            each->node.start();
            each->proxy = spawn(serve_peers(*this, *each));
        }
    }
    etcd_cluster(const etcd_cluster&) = delete;
    etcd_cluster& operator=(const etcd_cluster&) = delete;
    ~etcd_cluster() = default;

    [[nodiscard]] eddy::test::etcd_node& node(std::size_t index) { return members_[index]->node; }
    /// All, beginning with this one.
    [[nodiscard]] std::vector<std::string> endpoints(std::size_t first = 0) const {
        std::vector<std::string> all;
        for (std::size_t index = 0; index < size; ++index)
            all.push_back(members_[(first + index) % size]->node.endpoint());
        return all;
    }
    /// Waits until there is a leader, and returns which node it is.
    [[nodiscard]] task<std::size_t> leader() const {
        const client any(endpoints(), patient());
        co_await any.get("a");
        http::client plain(http::client_options().total_time(std::chrono::seconds(1)));
        for (std::size_t index = 0;; index = (index + 1) % size) {
            auto metrics = co_await as_result(plain.get(members_[index]->node.endpoint() + "/metrics"));
            if (!metrics)
                continue;
            const std::string text = co_await metrics->body().read_all(std::size_t{1} << 20);
            if (text.find("\netcd_server_is_leader 1") != std::string::npos)
                co_return index;
        }
    }

    /// Cuts a node off from the others, until the next call: size cuts none off.
    void cut_off(std::size_t index) {
        cut_off_ = index;
        for (auto& each : members_)
            each->connections.cancel();
    }

private:
    class member {
    public:
        explicit member(std::string name) : node(std::move(name)) {}
        [[nodiscard]] std::string proxy_url() const {
            return eddy::test::etcd_node::url(listener.local_endpoint().port());
        }
        eddy::test::etcd_node node;
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        task_set connections{[](const std::exception_ptr&) {}};
        handle<> proxy;
    };

    /// Which node this is, by the number that it has given itself; `size` if that is not known.
    [[nodiscard]] std::size_t member_of(std::string_view id) const {
        for (std::size_t index = 0; index < size; ++index)
            if (members_[index]->node.log().find("starting member " + std::string(id) + ' ') !=
                std::string::npos)
                return index;
        return size;
    }

    static task<> serve_peers(etcd_cluster& self, member& to) {
        for (;;) {
            tcp_stream arrived = co_await to.listener.accept();
            to.connections.spawn(forward(self, to, std::move(arrived)));
        }
    }

    static task<> forward(etcd_cluster& self, member& to, tcp_stream from) {
        // Requests of nodes to each other say from which they are.
        std::string head;
        std::array<std::byte, 4096> bytes{};
        while (head.find("\r\n\r\n") == std::string::npos) {
            const std::size_t count = co_await from.read(bytes);
            if (count == 0)
                co_return;
            head += as_text(std::span(bytes).first(count));
        }
        constexpr std::string_view name = "X-Server-From: ";
        if (const auto at = head.find(name); at != std::string::npos) {
            const auto begin = at + name.size();
            const std::size_t sender = self.member_of(head.substr(begin, head.find('\r', begin) - begin));
            if (sender == self.cut_off_)
                co_return;
        }
        if (self.cut_off_ < size && self.members_[self.cut_off_].get() == &to)
            co_return;
        tcp_stream onwards = co_await tcp_stream::connect(endpoint::loopback_ipv4(to.node.peer_port()));
        co_await onwards.write_all(as_bytes(head));
        co_await race(pass(from, onwards), pass(onwards, from));
    }
    static task<> pass(tcp_stream& from, tcp_stream& to) {
        for (;;) {
            auto some = co_await from.read_leased();
            if (some.empty())
                co_return;
            co_await to.write_all(some.bytes());
        }
    }

    std::vector<std::unique_ptr<member>> members_;
    std::size_t cut_off_ = size;
};

}  // namespace eddy::etcd::test
