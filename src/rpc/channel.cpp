#include "rpc/channel_state.hpp"

#include <eddy/rpc/channel.hpp>

#include <utility>

namespace eddy::rpc {

channel::channel(std::string_view target, channel_options options)
    : state_(std::make_shared<detail::channel_state>(target, std::move(options))) {}
channel::channel(channel&&) noexcept = default;
channel& channel::operator=(channel&&) noexcept = default;
channel::~channel() = default;

}  // namespace eddy::rpc
