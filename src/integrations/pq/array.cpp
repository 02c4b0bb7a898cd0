#include <eddy/integrations/pq/array.hpp>

#include <cstddef>

namespace eddy::pq::detail {

array_reader::array_reader(std::string_view text, char delimiter) noexcept
    : left_(text), delimiter_(delimiter) {
    // "[2:4]={...}" says where a dimension begins that does not begin at 1.
    if (left_.starts_with('['))
        left_.remove_prefix(std::min(left_.find('{'), left_.size()));
    is_malformed_ = left_.size() < 2 || left_.front() != '{' || left_.back() != '}';
    if (is_malformed_)
        return;
    left_ = left_.substr(1, left_.size() - 2);
}

array_reader::token array_reader::next() {
    if (is_malformed_ || (left_.empty() && needs_element_))
        return token::malformed;
    if (left_.empty())
        return token::end;
    switch (left_.front()) {
        case '"':
            return separated(read_quoted());
        case '{':
            return separated(read_nested());
        default:
            return separated(read_plain());
    }
}

// After an element there is a delimiter and another one, or the end.
array_reader::token array_reader::separated(token found) noexcept {
    needs_element_ = left_.starts_with(delimiter_);
    if (needs_element_)
        left_.remove_prefix(1);
    else if (!left_.empty())
        found = token::malformed;
    is_malformed_ = found == token::malformed;
    return found;
}

array_reader::token array_reader::read_quoted() {
    unescaped_.clear();
    for (std::size_t at = 1; at < left_.size(); ++at) {
        if (left_[at] == '"') {
            left_.remove_prefix(at + 1);
            element_ = unescaped_;
            return token::element;
        }
        if (left_[at] == '\\')
            ++at;
        if (at == left_.size())
            break;
        unescaped_ += left_[at];
    }
    return token::malformed;
}

array_reader::token array_reader::read_plain() noexcept {
    element_ = left_.substr(0, left_.find(delimiter_));
    left_.remove_prefix(element_.size());
    if (element_.empty() || element_.find_first_of("{}\"") != std::string_view::npos)
        return token::malformed;
    return element_ == "NULL" ? token::null : token::element;
}

array_reader::token array_reader::read_nested() noexcept {
    std::size_t depth = 0;
    bool is_quoted = false;
    for (std::size_t at = 0; at < left_.size(); ++at) {
        const char character = left_[at];
        if (character == '\\')
            ++at;
        else if (character == '"')
            is_quoted = !is_quoted;
        else if (!is_quoted && character == '{')
            ++depth;
        else if (!is_quoted && character == '}' && --depth == 0) {
            element_ = left_.substr(0, at + 1);
            left_.remove_prefix(at + 1);
            return token::array;
        }
    }
    return token::malformed;
}

void append_quoted_element(std::string_view element, std::string& out) {
    out += '"';
    for (const char character : element) {
        if (character == '"' || character == '\\')
            out += '\\';
        out += character;
    }
    out += '"';
}

}  // namespace eddy::pq::detail
