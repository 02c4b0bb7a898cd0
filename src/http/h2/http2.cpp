#include "http/h2/http2_client.hpp"
#include "http/h2/http2_connection.hpp"
#include "http/h2/http2_server.hpp"

#include <eddy/http/h2/http2.hpp>

#include <memory>
#include <utility>

namespace eddy::http {

namespace {

class http2_choice final : public protocol_choice {
public:
    explicit http2_choice(const http2_options& options) noexcept : options_(options) {}
    [[nodiscard]] std::unique_ptr<other_protocol> make(server_state& shared) const override {
        return std::make_unique<http2_server>(shared, options_);
    }
    [[nodiscard]] std::unique_ptr<client_protocol> make_for_client() const override {
        return std::make_unique<http2_client>(options_);
    }

private:
    http2_options options_;
};

}  // namespace

http2_server::http2_server(server_state& served, const http2_options& chosen)
    : shared(served), options(chosen) {
    shared.home.spare().add(streams);
    shared.home.spare().add(frames.blocks);
}

task<void> http2_server::serve(any_stream stream, std::unique_ptr<connection_info> info,
                               address_counts::slot slot, std::string front) {
    return http2_connection::serve(*this, std::move(stream), std::move(info), std::move(slot),
                                   std::move(front));
}

std::shared_ptr<const protocol_choice> http2(const http2_options& options) {
    return std::make_shared<const http2_choice>(options);
}

}  // namespace eddy::http
