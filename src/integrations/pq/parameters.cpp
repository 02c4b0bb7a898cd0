#include <eddy/integrations/pq/error.hpp>
#include <eddy/integrations/pq/parameters.hpp>

#include <string_view>

namespace eddy::pq {

parameters& parameters::add(std::nullopt_t) {
    values_.emplace_back(bytes_.size(), 0, true, false);
    return *this;
}

parameters& parameters::add(std::string_view text) {
    begin_text();
    bytes_ += text;
    return end_text();
}

parameters& parameters::add(std::span<const std::byte> bytes) {
    values_.emplace_back(bytes_.size(), bytes.size(), false, true);
    bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return *this;
}

parameters& parameters::end_text() {
    const std::string_view text = std::string_view(bytes_).substr(begin_);
    if (text.contains('\0')) {
        bytes_.resize(begin_);
        throw error(errc::invalid_argument, "a parameter of text holds a null byte");
    }
    values_.emplace_back(begin_, text.size(), false, false);
    bytes_ += '\0';
    return *this;
}

}  // namespace eddy::pq
