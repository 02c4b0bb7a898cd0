#include "load/load_target.hpp"

#include <eddy/http/codec/request_head_writer.hpp>
#include <eddy/net/connect.hpp>
#include <eddy/net/resolver.hpp>
#include <eddy/tls/tls_client_options.hpp>
#include <eddy/tls/tls_stream.hpp>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace eddy::apps {

namespace {

http::url parse_url(const std::string& text) {
    auto parsed = http::url::parse(text);
    if (!parsed || parsed->host().empty())
        throw std::invalid_argument("'" + text + "' is no URL; one is http://127.0.0.1:8080/");
    const std::string_view scheme = parsed->scheme();
    if (scheme != "http" && scheme != "https" && scheme != "ws" && scheme != "wss")
        throw std::invalid_argument("'" + text + "': the scheme is none of http, https, ws and wss");
    return *std::move(parsed);
}

std::string read_body(const load_options& options) {
    if (options.body_file.empty())
        return options.body;
    std::ifstream from(options.body_file, std::ios::binary);
    if (!from)
        throw std::invalid_argument(options.body_file + ": cannot be read");
    return std::string(std::istreambuf_iterator<char>(from), std::istreambuf_iterator<char>());
}

std::pair<std::string_view, std::string_view> split_field(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
        throw std::invalid_argument("--header: '" + std::string(line) + "' is not of the form 'Name: value'");
    std::string_view value = line.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    return {line.substr(0, colon), value};
}

bool names(std::string_view field, std::string_view name) {
    return std::ranges::equal(
        field, name, {}, [](unsigned char byte) { return std::tolower(byte); },
        [](unsigned char byte) { return std::tolower(byte); });
}

tls_context make_context(const load_options& options) {
    tls_client_options chosen;
    if (options.is_insecure)
        chosen.without_verification();
    else if (!options.authority_file.empty())
        chosen.trust(tls_trust().file(options.authority_file));
    return tls_context(chosen);
}

}  // namespace

load_target::load_target(const load_options& options)
    : url_(parse_url(options.url)), is_websocket_(url_.scheme().starts_with("ws")) {
    body_ = read_body(options);
    method_ = !options.method.empty() ? options.method : body_.empty() ? "GET" : "POST";
    http::request_head_writer writer(request_, method_, url_.target());
    bool names_host = false;
    bool names_agent = false;
    for (const std::string& line : options.fields) {
        const auto [name, value] = split_field(line);
        names_host |= names(name, "host");
        names_agent |= names(name, "user-agent");
        writer.header(name, value);
        fields_.emplace_back(name, value);
    }
    if (!names_host)
        writer.header("Host", url_.authority());
    if (!names_agent)
        writer.header("User-Agent", "eddy-load");
    if (options.speaks_http2 && EDDY_LOAD_HTTP2 == 0)
        throw std::invalid_argument("--http2: this program was built without HTTP/2");
    if (options.speaks_http2 && is_websocket_)
        throw std::invalid_argument("--http2: WebSockets are reached by HTTP/1.1");
    if (options.closes)
        writer.header("Connection", "close");
    if (!body_.empty() || method_ == "POST" || method_ == "PUT")
        writer.content_length(body_.size());
    writer.finish();
    request_ += body_;
    if (url_.is_secure())
        tls_ = make_context(options);
}

task<load_target> load_target::find(const load_options& options) {
    load_target found(options);
    found.endpoints_ =
        co_await resolve(std::string(found.url_.host_name()), std::to_string(found.url_.port_or_default()));
    co_return found;
}

http::client_request load_target::client_request() const {
    http::client_request made(method_, url_);
    for (const auto& [name, value] : fields_)
        made.field(name, value);
    made.content(body_);
    return made;
}

task<any_stream> load_target::connect_without_tls() const {
    tcp_stream connected = co_await connect_to_first(endpoints_);
    co_return any_stream(std::move(connected));
}

task<any_stream> load_target::connect() const {
    tcp_stream connected = co_await connect_to_first(endpoints_);
    if (!tls_)
        co_return any_stream(std::move(connected));
    co_return any_stream(
        co_await tls_connect(std::move(connected), *tls_, tls_target(std::string(url_.host_name()))));
}

}  // namespace eddy::apps
