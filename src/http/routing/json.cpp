// Of eddy/http/routing/json.hpp what needs no nlohmann-json.
#include <cstddef>
#include <string_view>

namespace eddy::http::detail {

bool is_json_shallow(std::string_view text, std::size_t depth_max) noexcept {
    std::size_t depth = 0;
    bool is_in_string = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char byte = text[at];
        if (is_in_string) {
            if (byte == '\\')
                ++at;
            else if (byte == '"')
                is_in_string = false;
        } else if (byte == '"') {
            is_in_string = true;
        } else if (byte == '[' || byte == '{') {
            if (++depth > depth_max)
                return false;
        } else if ((byte == ']' || byte == '}') && depth != 0) {
            --depth;
        }
    }
    return true;
}

}  // namespace eddy::http::detail
