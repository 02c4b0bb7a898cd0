#include <eddy/integrations/pq/detail/copy_text.hpp>

#include <algorithm>

namespace eddy::pq::detail {

void copy_row_writer::add(std::nullopt_t) {
    if (!std::exchange(is_first_, false))
        out_ += '\t';
    out_ += "\\N";
}

void copy_row_writer::add_text(std::string_view text) {
    if (!std::exchange(is_first_, false))
        out_ += '\t';
    for (const char character : text) {
        switch (character) {
            case '\\':
                out_ += "\\\\";
                break;
            case '\t':
                out_ += "\\t";
                break;
            case '\n':
                out_ += "\\n";
                break;
            case '\r':
                out_ += "\\r";
                break;
            default:
                out_ += character;
        }
    }
}

copy_row_reader::copy_row_reader(std::string_view row) noexcept : left_(row) {
    if (left_.ends_with('\n'))
        left_.remove_suffix(1);
}

bool copy_row_reader::next() {
    if (has_ended_)
        return false;
    const std::string_view column = left_.substr(0, left_.find('\t'));
    has_ended_ = column.size() == left_.size();
    left_.remove_prefix(has_ended_ ? left_.size() : column.size() + 1);
    is_null_ = column == "\\N";
    text_.clear();
    for (std::size_t at = 0; at < column.size(); ++at) {
        if (column[at] != '\\' || at + 1 == column.size())
            text_ += column[at];
        else
            append_escaped(column[++at]);
    }
    return true;
}

// The server escapes what has a letter here, and the backslash and delimiter by themselves.
void copy_row_reader::append_escaped(char escaped) {
    switch (escaped) {
        case 'b':
            text_ += '\b';
            break;
        case 'f':
            text_ += '\f';
            break;
        case 'n':
            text_ += '\n';
            break;
        case 'r':
            text_ += '\r';
            break;
        case 't':
            text_ += '\t';
            break;
        case 'v':
            text_ += '\v';
            break;
        default:
            text_ += escaped;
    }
}

void throw_copied_columns(std::size_t wanted) {
    throw error(errc::wrong_columns, "a copied row does not have " + std::to_string(wanted) + " columns");
}

void throw_copied_null(std::size_t column) {
    throw error(errc::unexpected_null, "column " + std::to_string(column + 1) + " of a copied row is NULL");
}

void throw_copied_type(std::size_t column, const char* wanted) {
    throw error(errc::wrong_type,
                "column " + std::to_string(column + 1) + " of a copied row is not " + wanted);
}

}  // namespace eddy::pq::detail
