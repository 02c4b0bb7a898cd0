#include "integrations/curl/library.hpp"

#include <algorithm>
#include <new>
#include <system_error>

namespace eddy::curl {

void initialise_library() {
    static const CURLcode made = curl_global_init(CURL_GLOBAL_DEFAULT);
    require(made);
}

void append(string_list& list, const char* line) {
    curl_slist* const longer = curl_slist_append(list.get(), line);
    if (longer == nullptr)
        throw std::bad_alloc();
    static_cast<void>(list.release());
    list.reset(longer);
}

const char* line_text(const std::string& text, const char* what) {
    const bool is_plain = std::ranges::none_of(
        text, [](char letter) { return (letter >= 0 && letter < ' ' && letter != '\t') || letter == 0x7f; });
    if (!is_plain)
        throw std::system_error(make_error_code(transfer_error::bad_argument),
                                std::string(what) + " has no control characters");
    return text.c_str();
}

void throw_transfer_error(CURLcode code) {
    throw std::system_error(code, error_category());
}

void throw_multi_error(CURLMcode code) {
    throw std::system_error(code, multi_category());
}

}  // namespace eddy::curl
