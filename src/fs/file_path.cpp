#include <eddy/fs/file_path.hpp>

#include <system_error>

namespace eddy {

const char* file_path::checked() const {
    if (const auto end = text_.find('\0'); end != std::string::npos)
        throw std::system_error(std::make_error_code(std::errc::invalid_argument),
                                "a path holds a NUL byte after '" + text_.substr(0, end) + "'");
    return text_.c_str();
}

std::string file_path::parent() const {
    const auto last = text_.find_last_not_of('/');
    if (last == std::string::npos)
        return text_.empty() ? "." : "/";
    const auto slash = text_.find_last_of('/', last);
    if (slash == std::string::npos)
        return ".";
    const auto end = text_.find_last_not_of('/', slash);
    return end == std::string::npos ? "/" : text_.substr(0, end + 1);
}

}  // namespace eddy
