#include "pipeline/answer_reader.hpp"

#include <charconv>
#include <system_error>

namespace eddy::apps {

namespace {

template <class Integer>
Integer number_after(std::string_view head, std::string_view name) {
    const std::size_t at = head.find(name);
    Integer number = 0;
    if (at != std::string_view::npos) {
        const char* const first = head.data() + at + name.size();
        if (std::from_chars(first, head.data() + head.size(), number).ec == std::errc())
            return number;
    }
    throw std::system_error(std::make_error_code(std::errc::bad_message), "an answer");
}

}  // namespace

std::size_t answer_reader::find(std::string_view bytes) {
    constexpr std::string_view end_of_head = "\r\n\r\n";
    const std::size_t at = bytes.find(end_of_head);
    if (at == std::string_view::npos)
        return 0;
    const std::size_t head_size = at + end_of_head.size();
    const std::string_view head = bytes.substr(0, head_size);
    const auto body_size = number_after<std::size_t>(head, "\r\nContent-Length: ");
    if (bytes.size() - head_size < body_size)
        return 0;
    found_ = {number_after<unsigned>(head, "HTTP/1.1 "), bytes.substr(head_size, body_size)};
    return head_size + body_size;
}

}  // namespace eddy::apps
