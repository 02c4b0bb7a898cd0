#pragma once

#include <eddy/core/task.hpp>
#include <eddy/integrations/redis/detail/reply_reader.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/stream/any_stream.hpp>

#include <utility>

namespace eddy::redis::detail {

/// A stream on which the server has let us in, and the reader of what it sends.
class greeted_stream {
public:
    greeted_stream(any_stream led, reply_reader read) noexcept
        : stream(std::move(led)), reader(std::move(read)) {}

    any_stream stream;
    reply_reader reader;
};

/// Connects and introduces itself, within connect_timeout().
task<greeted_stream> greet(const options& wanted);

}  // namespace eddy::redis::detail
