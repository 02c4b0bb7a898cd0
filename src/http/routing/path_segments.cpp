#include "http/routing/path_segments.hpp"

#include <eddy/http/message/percent_encoding.hpp>

#include <algorithm>
#include <utility>

namespace eddy::http::detail {

namespace {

bool is_dots(std::string_view segment) noexcept {
    return segment == "." || segment == "..";
}

}  // namespace

path_segments::validity path_segments::split(std::string_view path) {
    path_ = path;
    if (!path.starts_with('/'))
        return validity::malformed;
    const bool has_escapes = path.find('%') != std::string_view::npos;
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::string_view segment = path.substr(0, path.find('/'));
        path.remove_prefix(segment.size());
        if (is_dots(segment))
            return validity::malformed;
        if (count_ == segments_max)
            return validity::too_many;
        if (count_ < few) {
            few_[count_] = segment;
        } else {
            if (count_ == few)
                more_.assign(few_.begin(), few_.end());
            more_.push_back(segment);
        }
        ++count_;
    }
    return !has_escapes || decode() ? validity::valid : validity::malformed;
}

bool path_segments::decode() {
    decoded_.reserve(count_);
    std::string_view* const segments = more_.empty() ? few_.data() : more_.data();
    for (std::size_t index = 0; index < count_; ++index) {
        auto text = percent_decode(segments[index]);
        if (!text || is_dots(*text) || text->find('\0') != std::string::npos)
            return false;
        segments[index] = decoded_.emplace_back(std::move(*text));
    }
    return true;
}

std::size_t path_segments::offset(std::size_t segment) const noexcept {
    std::size_t at = 0;
    for (std::size_t passed = 0; passed <= segment; ++passed)
        at = path_.find('/', at) + 1;
    return at;
}

std::string path_segments::decoded_from(std::size_t segment) const {
    std::string out;
    for (std::size_t index = segment; index < count_; ++index) {
        if (index != segment)
            out += '/';
        for (const char byte : decoded_[index]) {
            if (byte == '/')
                out += "%2F";
            else
                out += byte;
        }
    }
    return out;
}

}  // namespace eddy::http::detail
