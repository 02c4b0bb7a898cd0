#include <eddy/http/message/server_event.hpp>

#include <stdexcept>
#include <utility>

namespace eddy::http {

namespace {

std::string checked(std::string text) {
    if (text.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos)
        throw std::invalid_argument("the id or type of an event has a line end or NUL");
    return text;
}

// Each line of the text behind the name of a field. CR, LF and CRLF end a line alike.
void append_lines(std::string& out, std::string_view name, std::string_view text) {
    for (;;) {
        const auto end = text.find_first_of("\r\n");
        out.append(name).append(text.substr(0, end)).append("\n");
        if (end == std::string_view::npos)
            return;
        text.remove_prefix(text.substr(end, 2) == "\r\n" ? end + 2 : end + 1);
    }
}

}  // namespace

server_event& server_event::id(std::string text) {
    id_ = checked(std::move(text));
    return *this;
}

server_event& server_event::type(std::string text) {
    type_ = checked(std::move(text));
    return *this;
}

void server_event::append_to(std::string& out) const {
    if (!type_.empty())
        out.append("event: ").append(type_).append("\n");
    if (id_)
        out.append("id: ").append(*id_).append("\n");
    if (retry_)
        out.append("retry: ").append(std::to_string(retry_->count())).append("\n");
    if (data_)
        append_lines(out, "data: ", *data_);
    out += '\n';
}

void append_event_comment(std::string& out, std::string_view text) {
    append_lines(out, ": ", text);
    out += '\n';
}

}  // namespace eddy::http
