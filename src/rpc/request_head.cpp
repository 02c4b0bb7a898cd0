#include "rpc/request_head.hpp"

#include "http/client/client_route.hpp"
#include "http/message/field_syntax.hpp"

#include <eddy/http/codec/request_head_writer.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/http/message/url.hpp>

#include <system_error>

namespace eddy::rpc::detail {

std::string begin_head(const channel_options& options, std::string_view origin, std::string_view path) {
    const http::url to(origin);
    std::string text;
    http::request_head_writer head(text, "POST", path);
    head.header("Host", options.authority().empty() ? http::host_field(to) : options.authority());
    head.header("TE", "trailers");
    if (!options.user_agent().empty())
        head.header("User-Agent", options.user_agent());
    return text;
}

void add_line(std::string& head, std::string_view name, std::string_view value) {
    if (!http::is_field(name, value))
        throw std::system_error(make_error_code(http::http_error::invalid_request), "field");
    head.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace eddy::rpc::detail
