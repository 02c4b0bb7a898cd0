#include "integrations/curl/library.hpp"

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

void throw_transfer_error(CURLcode code) {
    throw std::system_error(code, error_category());
}

void throw_multi_error(CURLMcode code) {
    throw std::system_error(code, multi_category());
}

}  // namespace eddy::curl
