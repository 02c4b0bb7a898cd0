#pragma once

#include <eddy/integrations/curl/error.hpp>

#include <curl/curl.h>
#include <memory>
#include <string>

namespace eddy::curl {

/// Initialises libcurl for this process, once, and never undoes it: a thread of libcurl may still resolve a
/// name for a transfer that was dropped. Any thread. Throws std::system_error.
void initialise_library();

/// libcurl calls all three kinds of handles void, so what frees them is said by their types here.
struct easy_deleter {
    void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
};
struct share_deleter {
    void operator()(CURLSH* handle) const noexcept { curl_share_cleanup(handle); }
};
struct list_deleter {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
struct mime_deleter {
    void operator()(curl_mime* mime) const noexcept { curl_mime_free(mime); }
};
using easy_handle = std::unique_ptr<CURL, easy_deleter>;
using share_handle = std::unique_ptr<CURLSH, share_deleter>;
using string_list = std::unique_ptr<curl_slist, list_deleter>;
using mime_handle = std::unique_ptr<curl_mime, mime_deleter>;

/// Adds a line to a list. Throws std::bad_alloc.
void append(string_list& list, const char* line);

/// A text that becomes a part of a line: of a head, or of a command in other protocols. Throws
/// std::system_error with transfer_error::bad_argument if a control character stands in it, which could begin
/// another line.
[[nodiscard]] const char* line_text(const std::string& text, const char* what);

[[noreturn]] void throw_transfer_error(CURLcode code);
[[noreturn]] void throw_multi_error(CURLMcode code);

inline void require(CURLcode code) {
    if (code != CURLE_OK) [[unlikely]]
        throw_transfer_error(code);
}
inline void require(CURLMcode code) {
    if (code != CURLM_OK) [[unlikely]]
        throw_multi_error(code);
}

}  // namespace eddy::curl
