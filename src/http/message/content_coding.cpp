#include "http/message/characters.hpp"

#include <eddy/http/message/detail/content_coding.hpp>

namespace eddy::http {

std::string_view to_string(content_coding coding) noexcept {
    switch (coding) {
        case content_coding::gzip:
            return "gzip";
        case content_coding::deflate:
            return "deflate";
        case content_coding::brotli:
            return "br";
        case content_coding::identity:
            break;
    }
    return "identity";
}

std::optional<content_coding> content_coding_from(std::string_view name) noexcept {
    if (equal_ignoring_case(name, "gzip") || equal_ignoring_case(name, "x-gzip"))
        return content_coding::gzip;
    if (equal_ignoring_case(name, "br"))
        return content_coding::brotli;
    if (equal_ignoring_case(name, "deflate"))
        return content_coding::deflate;
    if (equal_ignoring_case(name, "identity"))
        return content_coding::identity;
    return std::nullopt;
}

}  // namespace eddy::http
