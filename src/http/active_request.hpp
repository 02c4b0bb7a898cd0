#pragma once

#include "http/connection_input.hpp"
#include "http/exchange_parts.hpp"

#include <eddy/base/spare_memory.hpp>
#include <eddy/http/limits.hpp>
#include <eddy/http/request_parser.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

/// What a connection needs only while it has something to say: the parser, a request's bytes that came in
/// pieces, and answers on their way out.
class active_request {
public:
    static constexpr std::size_t output_bytes_max = 8192;

    explicit active_request(const message_limits& limits) noexcept : parser(limits) {}

    request_parser parser;
    connection_input received;

    /// What this request needs beside its head.
    [[nodiscard]] exchange_parts& parts() {
        if (parts_ == nullptr)
            parts_ = std::make_unique<exchange_parts>();
        return *parts_;
    }
    void clear() noexcept {
        parser.reset();
        clear_output();
        received.clear(output_bytes_max);
        if (parts_ != nullptr)
            parts_->clear();
    }

    /// Answers that gather. What is written into room() is added by commit().
    [[nodiscard]] std::span<char> room() noexcept { return std::span(output_).subspan(output_size_); }
    void commit(std::size_t bytes) noexcept { output_size_ += bytes; }
    [[nodiscard]] std::string_view output() const noexcept { return {output_.data(), output_size_}; }
    void clear_output() noexcept { output_size_ = 0; }
    /// What was sent of it. Requires: it is no more than there is.
    void take_off(std::size_t bytes) noexcept {
        std::copy(output_.data() + bytes, output_.data() + output_size_, output_.data());
        output_size_ -= bytes;
    }
    /// A place in the output, to which it can be taken back.
    using mark = std::size_t;
    [[nodiscard]] mark output_mark() const noexcept { return output_size_; }
    void take_back(mark place) noexcept { output_size_ = place; }

private:
    std::unique_ptr<exchange_parts> parts_;
    std::size_t output_size_ = 0;
    std::array<char, output_bytes_max> output_;
};

/// Keeps active_requests for reuse, as many as are likely to be needed at once: where handlers wait, that is
/// one for each busy connection. Those that a burst has left are given back by and by.
class active_requests final : public eddy::detail::spare_keeper {
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

    /// Half of those that nobody has needed since the last look.
    [[nodiscard]] eddy::detail::spare_left give_back_some() noexcept override {
        const std::size_t unneeded =
            std::min(spare_min_, spare_.size() - std::min(spare_.size(), always_kept));
        const std::size_t given = (unneeded + 1) / 2;
        spare_.resize(spare_.size() - given);
        made_ -= given;
        spare_min_ = spare_.size();
        return made_ > always_kept ? eddy::detail::spare_left::some : eddy::detail::spare_left::little;
    }

private:
    static constexpr std::size_t spare_max = 512;
    static constexpr std::size_t always_kept = 4;

    [[nodiscard]] holder make(const message_limits& limits) {
        holder made(new active_request(limits), give_back(this));
        ++made_;
        eddy::detail::spare_notice::give();
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
