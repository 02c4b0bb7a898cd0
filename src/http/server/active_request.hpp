#pragma once

#include "http/codec/connection_input.hpp"
#include "http/server/exchange_parts.hpp"
#include "http/server/output_buffer.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/detail/cached_memory.hpp>
#include <eddy/http/codec/detail/request_parser.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/sync/mutex.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace eddy::http {

/// What a connection needs only while it has something to say: the parser, a request's bytes that came in
/// pieces, and answers on their way out.
class active_request {
public:
    explicit active_request(const message_limits& limits) noexcept : parser(limits) {}

    request_parser parser;
    connection_input received;
    output_buffer output;

    /// What this request needs beside its head.
    [[nodiscard]] exchange_parts& parts() {
        if (parts_ == nullptr)
            parts_ = std::make_unique<exchange_parts>();
        return *parts_;
    }
    void clear() noexcept {
        flushing.cancel();
        parser.reset();
        output.clear();
        received.clear(output_buffer::bytes_max);
        if (parts_ != nullptr)
            parts_->clear();
    }

    /// Held by the task that sends bytes of output. Others may append meanwhile; only the holder takes
    /// bytes off, and only between two writes.
    mutex sending;

private:
    std::unique_ptr<exchange_parts> parts_;

public:
    /// Sends output while the handler waits for the request's body. Destroyed first: it refers to the rest.
    handle<void> flushing;
};

/// Keeps active_requests for reuse, as many as are likely to be needed at once: where handlers wait, that is
/// one for each busy connection. What a burst has left over is freed gradually.
class active_requests final : public eddy::detail::trimmable_cache {
public:
    class give_back {
    public:
        explicit give_back(active_requests* keeper = nullptr) noexcept : keeper_(keeper) {}
        void operator()(active_request* used) const noexcept { keeper_->put(used); }

    private:
        active_requests* keeper_;
    };
    using holder = std::unique_ptr<active_request, give_back>;

    active_requests() { spare_.reserve(spare_max); }

    [[nodiscard]] holder get(const message_limits& limits) {
        if (spare_.empty())
            return make(limits);
        holder taken(spare_.back().release(), give_back(this));
        spare_.pop_back();
        spare_min_ = std::min(spare_min_, spare_.size());
        return taken;
    }

    /// Frees half of those that were not needed since the last call.
    [[nodiscard]] eddy::detail::trim_rest trim_some() noexcept override {
        const std::size_t unneeded =
            std::min(spare_min_, spare_.size() - std::min(spare_.size(), always_kept));
        const std::size_t given = (unneeded + 1) / 2;
        spare_.resize(spare_.size() - given);
        made_ -= given;
        spare_min_ = spare_.size();
        return made_ > always_kept ? eddy::detail::trim_rest::some : eddy::detail::trim_rest::little;
    }

private:
    static constexpr std::size_t spare_max = 512;
    static constexpr std::size_t always_kept = 4;

    [[nodiscard]] holder make(const message_limits& limits) {
        holder made(new active_request(limits), give_back(this));
        ++made_;
        eddy::detail::trim_request::give();
        return made;
    }
    void put(active_request* used) noexcept {
        std::unique_ptr<active_request> kept(used);
        if (spare_.size() == spare_max) {
            --made_;
            return;
        }
        kept->clear();
        spare_.push_back(std::move(kept));
    }

    std::vector<std::unique_ptr<active_request>> spare_;
    std::size_t spare_min_ = 0;  // the fewest since the last look
    std::size_t made_ = 0;       // and not destroyed
};

}  // namespace eddy::http
