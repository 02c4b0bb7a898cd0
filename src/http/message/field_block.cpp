#include "http/message/field_syntax.hpp"

#include <eddy/http/message/field_block.hpp>

#include <stdexcept>

namespace eddy::http {

field_block::field_block(const response_fields& fields) : text_(fields.block()) {
    for (const response_field& one : fields.single())
        add(one.name(), one.value());
}

field_block& field_block::add(std::string_view name, std::string_view value) {
    if (!is_field(name, value))
        throw std::invalid_argument("a field that HTTP does not allow");
    text_.append(name).append(": ").append(value).append("\r\n");
    return *this;
}

}  // namespace eddy::http
