#pragma once

#include <boost/beast/core/flat_static_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace bench {

// What a connection of the Beast peers needs, made once and used again for every request, as Beast's
// http_server_fast example does it: a buffer of fixed size, and fields whose memory needs no allocation.
class beast_exchange {
public:
    using allocator = std::pmr::polymorphic_allocator<char>;
    using fields = boost::beast::http::basic_fields<allocator>;
    using body = boost::beast::http::string_body;
    using parser = boost::beast::http::request_parser<body, allocator>;
    using response = boost::beast::http::response<body, fields>;
    using serializer = boost::beast::http::response_serializer<body, fields>;

    boost::beast::flat_static_buffer<65536>& buffer() { return buffer_; }

    // Forgets the request before. The parser stays until the next call.
    parser& next_request() {
        serializer_.reset();
        response_.reset();
        parser_.reset();
        memory_.release();
        parser_.emplace(std::piecewise_construct, std::make_tuple(), std::make_tuple(allocator(&memory_)));
        parser_->body_limit(body_bytes_max);
        return *parser_;
    }

    // The answer to what the parser holds. Requires: the request is whole.
    serializer& answer() {
        namespace http = boost::beast::http;
        const auto& requested = parser_->get();
        if (requested.method() == http::verb::get && requested.target() == "/hello")
            respond(http::status::ok, "Hello, World!");
        else if (requested.method() == http::verb::post && requested.target() == "/length")
            respond(http::status::ok, std::to_string(requested.body().size()));
        else
            respond(http::status::not_found, "");
        return *serializer_;
    }

    bool keeps_alive() const { return response_->keep_alive(); }

private:
    static constexpr std::uint64_t body_bytes_max = std::uint64_t{1} << 20;

    void respond(boost::beast::http::status status, std::string text) {
        namespace http = boost::beast::http;
        response_.emplace(std::piecewise_construct, std::make_tuple(std::move(text)),
                          std::make_tuple(allocator(&memory_)));
        response_->result(status);
        response_->version(parser_->get().version());
        response_->keep_alive(parser_->get().keep_alive());
        response_->set(http::field::server, "Beast");
        response_->set(http::field::content_type, "text/plain");
        response_->prepare_payload();
        serializer_.emplace(*response_);
    }

    boost::beast::flat_static_buffer<65536> buffer_;
    std::array<std::byte, 8192> room_;
    std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
    std::optional<parser> parser_;
    std::optional<response> response_;
    std::optional<serializer> serializer_;
};

}  // namespace bench
