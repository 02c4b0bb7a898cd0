#include "http/message/escapes.hpp"

#include <eddy/http/message/detail/authority.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/http/message/url.hpp>

#include <system_error>

namespace eddy::http {
namespace {

constexpr std::size_t url_bytes_max = 65535;

std::uint16_t default_port(std::string_view scheme) noexcept {
    if (scheme == "http" || scheme == "ws") {
        return 80;
    }
    return scheme == "https" || scheme == "wss" ? 443 : 0;
}

constexpr bool is_letter(char byte) noexcept {
    return to_lower(byte) >= 'a' && to_lower(byte) <= 'z';
}

// The size of the scheme at the front, 0 if none is there.
std::size_t scheme_size(std::string_view text) noexcept {
    if (text.empty() || !is_letter(text.front())) {
        return 0;
    }
    std::size_t size = 1;
    while (size < text.size() && (is_letter(text[size]) || is_digit(text[size]) || text[size] == '+' ||
                                  text[size] == '-' || text[size] == '.')) {
        ++size;
    }
    return size < text.size() && text[size] == ':' ? size : 0;
}

// pchar and what is named besides, with whole escapes.
bool is_text_of(std::string_view text, std::string_view also) noexcept {
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char byte = text[at];
        if (byte == '%') {
            if (!begins_with_escape(text.substr(at))) {
                return false;
            }
        } else if (!is(byte, character::host) && !also.contains(byte)) {
            return false;
        }
    }
    return true;
}

// RFC 3986 section 5.2.4, for a path that begins with "/".
std::string without_dot_segments(std::string_view path) {
    std::string out;
    out.reserve(path.size());
    while (!path.empty()) {
        path.remove_prefix(1);
        const auto segment = path.substr(0, path.find('/'));
        path.remove_prefix(segment.size());
        const bool is_last = path.empty();
        if (segment == "..") {
            out.resize(out.empty() ? 0 : out.rfind('/'));
        } else if (segment != ".") {
            out.append("/").append(segment);
            continue;
        }
        if (is_last) {
            out.push_back('/');
        }
    }
    return out;
}

// Whether no label is empty, but for the one behind the last dot, which stands for the root.
bool has_whole_labels(std::string_view host) noexcept {
    return !host.starts_with('.') && host.find("..") == std::string_view::npos;
}

void append_lower(std::string& out, std::string_view text) {
    for (const char byte : text) {
        out.push_back(to_lower(byte));
    }
}

// RFC 3986 sections 6.2.2.1 and 6.2.2.2. Requires: escapes are whole.
std::string without_needless_escapes(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            out.push_back(text[at]);
            continue;
        }
        const char byte = escaped_byte(text.substr(at));
        if (is_unreserved(byte)) {
            out.push_back(byte);
        } else {
            append_escape(out, byte);
        }
        at += escape_size - 1;
    }
    return out;
}

// The parts of a reference (RFC 3986 appendix B), as views.
struct reference_parts {
    explicit reference_parts(std::string_view text) noexcept {
        if (const auto hash = text.find('#'); hash != std::string_view::npos) {
            fragment = text.substr(hash);
            text = text.substr(0, hash);
        }
        if (const auto mark = text.find('?'); mark != std::string_view::npos) {
            query = text.substr(mark);
            text = text.substr(0, mark);
        }
        if (text.starts_with("//")) {
            authority = text.substr(0, text.find('/', 2));
            text.remove_prefix(authority.size());
        }
        path = text;
    }

    std::string_view authority;  // with "//"
    std::string_view path;
    std::string_view query;     // with "?"
    std::string_view fragment;  // with "#"
};

}  // namespace

std::optional<url> url::parse(std::string_view text) {
    url made;
    if (!made.take(text)) {
        return std::nullopt;
    }
    return made;
}

url::url(std::string_view text) {
    if (!take(text)) {
        throw std::system_error(make_error_code(http_error::malformed_url));
    }
}

bool url::take(std::string_view text) {
    const auto scheme = text.substr(0, scheme_size(text));
    const reference_parts parts(text.substr(scheme.empty() ? 0 : scheme.size() + 1));
    if (scheme.empty() || parts.authority.empty() || text.size() > url_bytes_max) {
        return false;
    }
    auto host_and_port = parts.authority.substr(2);
    if (const auto at = host_and_port.find('@'); at != std::string_view::npos) {
        user_info_ = host_and_port.substr(0, at);
        host_and_port.remove_prefix(at + 1);
    }
    const auto parsed = parse_authority(host_and_port);
    if (!parsed) {
        return false;
    }
    std::string_view host = parsed->host();
    std::string unescaped;
    if (host.contains('%')) {
        host = unescaped = without_needless_escapes(host);
    }
    if (!has_whole_labels(host) || !is_text_of(user_info_, ":") || !is_text_of(parts.path, "/:@") ||
        !is_text_of(parts.query, "/:@?") ||
        !is_text_of(parts.fragment.substr(parts.fragment.empty() ? 0 : 1), "/:@?")) {
        return false;
    }

    text_.reserve(text.size() + 1);
    append_lower(text_, scheme);
    scheme_end_ = text_.size();
    text_.append("://");
    append_lower(text_, host);
    host_end_ = text_.size();
    if (parsed->port() && *parsed->port() != default_port(this->scheme())) {
        port_ = parsed->port();
        text_.append(":").append(std::to_string(*port_));
    }
    path_start_ = text_.size();
    text_.append(parts.path.empty() ? "/" : without_dot_segments(parts.path));
    path_end_ = text_.size();
    text_.append(parts.query);
    target_end_ = text_.size();
    text_.append(parts.fragment);
    return true;
}

std::string_view url::host_name() const noexcept {
    auto name = host();
    if (name.starts_with('[')) {
        name = name.substr(1, name.size() - 2);
    }
    return name;
}

std::uint16_t url::port_or_default() const noexcept {
    return port_ ? *port_ : default_port(scheme());
}

std::optional<std::string_view> url::query() const noexcept {
    if (path_end_ == target_end_) {
        return std::nullopt;
    }
    return part(path_end_ + 1, target_end_);
}

std::optional<std::string_view> url::fragment() const noexcept {
    if (target_end_ == text_.size()) {
        return std::nullopt;
    }
    return part(target_end_ + 1, text_.size());
}

bool url::is_secure() const noexcept {
    return scheme() == "https" || scheme() == "wss";
}

std::optional<url> url::resolve(std::string_view reference) const {
    if (scheme_size(reference) != 0) {
        return parse(reference);
    }
    const reference_parts parts(reference);
    std::string joined;
    if (!parts.authority.empty()) {
        joined.append(scheme()).append(":").append(reference);
    } else if (parts.path.starts_with('/')) {
        joined.append(origin()).append(reference);
    } else if (!parts.path.empty()) {
        joined.append(origin()).append(path().substr(0, path().rfind('/') + 1)).append(reference);
    } else if (!parts.query.empty()) {
        joined.append(origin()).append(path()).append(reference);
    } else {
        joined.append(absolute_target()).append(parts.fragment);
    }
    return parse(joined);
}

url url::normalised() const {
    url made(without_needless_escapes(text_));
    made.user_info_ = user_info_;
    return made;
}

std::optional<url> url::with_user_info(std::string_view encoded) const {
    if (!is_text_of(encoded, ":")) {
        return std::nullopt;
    }
    url made(*this);
    made.user_info_ = encoded;
    return made;
}

}  // namespace eddy::http
