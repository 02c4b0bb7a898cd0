#include "http/message/field_syntax.hpp"

#include <eddy/http/codec/request_head_writer.hpp>
#include <eddy/http/message/field.hpp>
#include <eddy/http/message/http_error.hpp>

#include <system_error>

namespace eddy::http {
namespace {

void require_valid(bool is_allowed, const char* what) {
    if (!is_allowed)
        throw std::system_error(make_error_code(http_error::invalid_request), what);
}

}  // namespace

request_head_writer::request_head_writer(std::string& out, std::string_view method_name,
                                         std::string_view target)
    : out_(out) {
    require_valid(is_token(method_name), "method");
    require_valid(!target.empty() && all_are(target, character::target), "target");
    out_.append(method_name).append(" ").append(target).append(" HTTP/1.1\r\n");
}

request_head_writer& request_head_writer::header(std::string_view name, std::string_view value) {
    require_valid(is_field(name, value), "field");
    const field id = field_from(name);
    require_valid(id != field::content_length && id != field::transfer_encoding, "framing as a field");
    out_.append(name).append(": ").append(value).append("\r\n");
    return *this;
}

request_head_writer& request_head_writer::content_length(std::uint64_t bytes) {
    frame("Content-Length", std::to_string(bytes));
    return *this;
}

request_head_writer& request_head_writer::transfer_chunked() {
    frame("Transfer-Encoding", "chunked");
    return *this;
}

void request_head_writer::frame(std::string_view name, std::string_view value) {
    require_valid(!framed_, "framing given twice");
    framed_ = true;
    out_.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace eddy::http
