#include "multicast/printable.hpp"

#include <fmt/format.h>

#include <iterator>

namespace eddy::apps {

std::string printable(std::string_view bytes) {
    std::string text;
    for (const char each : bytes) {
        if (each == '\\')
            text += "\\\\";
        else if (each >= ' ' && each <= '~')
            text += each;
        else
            fmt::format_to(std::back_inserter(text), "\\x{:02x}", static_cast<unsigned char>(each));
    }
    return text;
}

}  // namespace eddy::apps
