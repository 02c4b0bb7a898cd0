#pragma once

#include <eddy/etcd/client_options.hpp>
#include <eddy/rpc/channel.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace eddy::etcd::detail {

/// What is known of the connections to a node.
class node_connections {
public:
    std::size_t open = 0;
    bool has_responded = false;  // on one of those
};

/// A node of etcd, and the channel to it.
class node {
public:
    node(const std::string& endpoint, const client_options& options);

    [[nodiscard]] const rpc::channel& channel() const noexcept { return channel_; }
    /// Whether it has responded on the connection that there is, and nothing has failed there since.
    [[nodiscard]] bool is_proven() const noexcept { return connections_->has_responded; }
    void note_response() noexcept { connections_->has_responded = connections_->open > 0; }
    void note_failure() noexcept { connections_->has_responded = false; }

private:
    std::shared_ptr<node_connections> connections_ = std::make_shared<node_connections>();
    rpc::channel channel_;
};

}  // namespace eddy::etcd::detail
