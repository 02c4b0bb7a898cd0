#include "http/message/characters.hpp"
#include "http/websocket/extension_list.hpp"

#include <eddy/http/message/method.hpp>
#include <eddy/http/websocket/handshake.hpp>
#include <eddy/runtime/detail/current_system.hpp>

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <new>
#include <span>
#include <system_error>

namespace eddy::http {

namespace {

constexpr std::string_view accept_suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr std::size_t key_bytes = 16;
constexpr std::size_t key_characters = 24;

std::string base64(const unsigned char* bytes, std::size_t size) {
    std::string text(4 * ((size + 2) / 3) + 1, '\0');  // and a null character
    text.resize(static_cast<std::size_t>(
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes, static_cast<int>(size))));
    return text;
}

bool is_base64(char byte) noexcept {
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || is_digit(byte) || byte == '+' ||
           byte == '/';
}

/// 16 bytes in base64: 22 characters, the last of which has four bits to spare, and two to fill up.
bool is_key(std::string_view key) noexcept {
    return key.size() == key_characters && key.ends_with("==") &&
           std::ranges::all_of(key.substr(0, 22), is_base64) &&
           std::string_view("AQgw").find(key[21]) != std::string_view::npos;
}

bool lists(std::string_view list, std::string_view wanted) noexcept {
    while (!list.empty())
        if (equal_ignoring_case(take_element(list), wanted))
            return true;
    return false;
}

std::string_view without_default_port(std::string_view authority, std::string_view port) noexcept {
    if (authority.ends_with(port))
        authority.remove_suffix(port.size());
    return authority;
}

/// Whether the page comes from where it connects to.
bool is_same_origin(std::string_view origin, const request_head& request) noexcept {
    const auto scheme_end = origin.find("://");
    if (scheme_end == std::string_view::npos)
        return false;  // "null" among others
    const std::string_view port = origin.substr(0, scheme_end) == "https" ? ":443" : ":80";
    const std::string_view host = origin.substr(scheme_end + 3);
    return equal_ignoring_case(without_default_port(host, port),
                               without_default_port(request.authority(), port));
}

bool is_origin_allowed(const request_head& request, const websocket_options& options) {
    const auto origin = request.find(field::origin);
    if (!origin)
        return true;
    if (!request.only(field::origin))
        return false;
    return options.origin_check() ? options.origin_check()(*origin, request)
                                  : is_same_origin(*origin, request);
}

std::string all_lines(const request_head& request, field id) {
    std::string joined;
    request.for_each(id, [&](std::string_view value) {
        if (!joined.empty())
            joined += ", ";
        joined += value;
    });
    return joined;
}

bool is_extension_list(std::string_view text) noexcept {
    extension_list list(text);
    while (list.next_extension()) {
    }
    return list.is_valid();
}

std::string choose_subprotocol(const std::string& offered, const websocket_options& options) {
    for (std::string_view left = offered; !left.empty();) {
        const std::string_view each = take_element(left);
        // Subprotocols are compared as they are written.
        if (std::ranges::find(options.subprotocols(), each) != options.subprotocols().end())
            return std::string(each);
    }
    return {};
}

std::unexpected<websocket_refusal> refused_websocket(status code, std::string_view why) noexcept {
    return std::unexpected(websocket_refusal(code, why));
}

}  // namespace

std::expected<websocket_agreement, websocket_refusal> check_websocket_request(
    const request_head& request, const websocket_options& options) {
    if (request.method() != method::get)
        return refused_websocket(status::method_not_allowed, "a WebSocket is opened by GET");
    if (!lists(request.upgrade(), "websocket"))
        return refused_websocket(status::upgrade_required, "this is for WebSocket clients");
    const auto version = request.only(field::sec_websocket_version);
    if (version != "13")
        return refused_websocket(status::upgrade_required,
                                 "only version 13 of the WebSocket protocol is spoken");
    const auto key = request.only(field::sec_websocket_key);
    if (!key || !is_key(*key))
        return refused_websocket(status::bad_request, "Sec-WebSocket-Key is not 16 bytes in base64");
    if (request.framing().kind() != body_kind::none)
        return refused_websocket(status::bad_request, "the request for a WebSocket has no body");
    if (!is_origin_allowed(request, options))
        return refused_websocket(status::forbidden, "pages of this origin may not connect");

    // What does not follow the grammar fails the connection (RFC 6455 section 9.1).
    const std::string extensions = all_lines(request, field::sec_websocket_extensions);
    if (!is_extension_list(extensions))
        return refused_websocket(status::bad_request, "Sec-WebSocket-Extensions is malformed");
    std::optional<deflate_parameters> deflate;
    if (options.deflate())
        deflate = accept_deflate_offer(extensions, options.deflate()->wanted());
    return websocket_agreement(choose_subprotocol(all_lines(request, field::sec_websocket_protocol), options),
                               deflate);
}

field_block websocket_response(const request_head& request, const websocket_agreement& agreed) {
    field_block fields;
    fields.add("Upgrade", "websocket");
    fields.add("Sec-WebSocket-Accept",
               websocket_accept_value(request.find(field::sec_websocket_key).value_or("")));
    if (!agreed.subprotocol().empty())
        fields.add("Sec-WebSocket-Protocol", agreed.subprotocol());
    if (agreed.deflate())
        fields.add("Sec-WebSocket-Extensions", deflate_response(*agreed.deflate()));
    return fields;
}

std::string websocket_accept_value(std::string_view key) {
    const std::string text = std::string(key) + std::string(accept_suffix);
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned size = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr) != 1)
        throw std::bad_alloc();
    return base64(digest.data(), size);
}

std::string make_websocket_key() {
    std::array<unsigned char, key_bytes> random;
    eddy::detail::current_system().randomness->fill(std::as_writable_bytes(std::span(random)));
    return base64(random.data(), random.size());
}

field_block websocket_request(std::string_view key, const websocket_options& options) {
    field_block fields;
    fields.add("Upgrade", "websocket").add("Connection", "Upgrade");
    fields.add("Sec-WebSocket-Version", "13").add("Sec-WebSocket-Key", key);
    if (!options.origin().empty())
        fields.add("Origin", options.origin());
    std::string names;
    for (const std::string& each : options.subprotocols())
        names.append(names.empty() ? "" : ", ").append(each);
    if (!names.empty())
        fields.add("Sec-WebSocket-Protocol", names);
    if (options.deflate())
        fields.add("Sec-WebSocket-Extensions", deflate_offer(options.deflate()->wanted()));
    for (const auto& [name, value] : options.fields())
        fields.add(name, value);
    return fields;
}

websocket_response_head& websocket_response_head::line(std::string_view name, std::string_view value) {
    const std::array<std::pair<std::string_view, std::string*>, 5> noted{{
        {"Upgrade", &upgrade_},
        {"Connection", &connection_},
        {"Sec-WebSocket-Accept", &accept_},
        {"Sec-WebSocket-Protocol", &subprotocol_},
        {"Sec-WebSocket-Extensions", &extensions_},
    }};
    for (const auto& [known, lines] : noted)
        if (equal_ignoring_case(name, known))
            lines->append(lines->empty() ? "" : ", ").append(value);
    return *this;
}

std::expected<websocket_agreement, std::string_view> check_websocket_response(
    const websocket_response_head& response, std::string_view key, const websocket_options& options) {
    if (response.status() != status::switching_protocols)
        return std::unexpected("the server does not switch to WebSocket");
    if (!equal_ignoring_case(response.upgrade(), "websocket"))
        return std::unexpected("the server switches to another protocol");
    if (!lists(response.connection(), "upgrade"))
        return std::unexpected("the server's Connection does not say Upgrade");
    if (response.accept() != websocket_accept_value(key))
        return std::unexpected("the server's Sec-WebSocket-Accept does not belong to this key");
    if (!response.subprotocol().empty() &&
        std::ranges::find(options.subprotocols(), response.subprotocol()) == options.subprotocols().end())
        return std::unexpected("the server speaks a subprotocol that was not requested");
    if (!options.deflate()) {
        if (!response.extensions().empty())
            return std::unexpected("the server uses an extension that was not offered");
        return websocket_agreement(response.subprotocol(), std::nullopt);
    }
    const deflate_agreement deflate =
        check_deflate_response(response.extensions(), options.deflate()->wanted());
    if (!deflate.is_valid())
        return std::unexpected("the server's answer to the offered compression is wrong");
    return websocket_agreement(response.subprotocol(), deflate.agreed());
}

}  // namespace eddy::http
