#pragma once

#include <eddy/http/limits.hpp>
#include <eddy/http/request_parser.hpp>

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
    std::string carried;

    /// Answers that gather. What is written into room() is added by commit().
    [[nodiscard]] std::span<char> room() noexcept { return std::span(output_).subspan(output_size_); }
    void commit(std::size_t bytes) noexcept { output_size_ += bytes; }
    [[nodiscard]] std::string_view output() const noexcept { return {output_.data(), output_size_}; }
    void clear_output() noexcept { output_size_ = 0; }

private:
    std::size_t output_size_ = 0;
    std::array<char, output_bytes_max> output_;
};

/// Keeps active_requests for reuse, as many as are likely to be needed at once: where handlers wait, that is
/// one for each busy connection.
class active_requests {
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
            return holder(new active_request(limits), give_back(this));
        holder taken(spare_.back().release(), give_back(this));
        spare_.pop_back();
        return taken;
    }

private:
    static constexpr std::size_t spare_max = 512;

    void put(active_request* used) noexcept {
        std::unique_ptr<active_request> kept(used);
        if (spare_.size() == spare_max)
            return;
        kept->parser.reset();
        kept->clear_output();
        kept->carried.clear();
        if (kept->carried.capacity() > active_request::output_bytes_max)
            kept->carried = std::string();
        spare_.push_back(std::move(kept));
    }

    std::vector<std::unique_ptr<active_request>> spare_;
};

}  // namespace eddy::http
