#include <eddy/integrations/redis/reply.hpp>

#include <system_error>

namespace eddy::redis {

std::string_view to_string(reply_kind kind) noexcept {
    switch (kind) {
        case reply_kind::nil:
            return "nil";
        case reply_kind::integer:
            return "an integer";
        case reply_kind::string:
            return "a string";
        case reply_kind::status:
            return "a status";
        case reply_kind::error:
            return "an error";
        case reply_kind::array:
            return "an array";
    }
    return "unknown";
}

void throw_wrong_type(const reply& got, std::string_view wanted) {
    throw std::system_error(client_error::wrong_type, std::string(wanted) + " was wanted, there is " +
                                                          std::string(to_string(got.kind())));
}

namespace detail {

std::vector<reply>& elements_of(reply& given, std::optional<std::size_t> size) {
    if (!given.is_array())
        throw_wrong_type(given, "an array");
    auto& elements = given.elements();
    if (size && elements.size() != *size)
        throw_wrong_type(given, "an array of " + std::to_string(*size));
    return elements;
}

}  // namespace detail

bool reply_conversion<bool>::from(reply&& given) {
    if (given.is_integer() && (given.integer() == 0 || given.integer() == 1))
        return given.integer() == 1;
    if (given.kind() == reply_kind::status)
        return true;
    if (!given.is_nil())
        throw_wrong_type(given, "yes or no");
    return false;
}

std::string reply_conversion<std::string>::from(reply&& given) {
    if (given.is_integer())
        return std::to_string(given.integer());
    if (!given.has_text())
        throw_wrong_type(given, "a string");
    return std::move(given).text();
}

}  // namespace eddy::redis
