#include "integrations/curl/library.hpp"
#include "integrations/curl/transfer_state.hpp"

#include <eddy/integrations/curl/transfer.hpp>

#include <chrono>

namespace eddy::curl {

namespace {

std::uint64_t count_of(CURL* easy, CURLINFO requested) noexcept {
    curl_off_t count = 0;
    curl_easy_getinfo(easy, requested, &count);
    return count > 0 ? static_cast<std::uint64_t>(count) : 0;
}

duration time_of(CURL* easy, CURLINFO requested) noexcept {
    return std::chrono::microseconds(count_of(easy, requested));
}

long number_of(CURL* easy, CURLINFO requested) noexcept {
    long number = 0;
    curl_easy_getinfo(easy, requested, &number);
    return number;
}

unsigned major_of(long version) noexcept {
    switch (version) {
        case CURL_HTTP_VERSION_NONE:
            return 0;
        case CURL_HTTP_VERSION_1_0:
        case CURL_HTTP_VERSION_1_1:
            return 1;
        case CURL_HTTP_VERSION_3:
            return 3;
        default:
            return 2;
    }
}

}  // namespace

statistics transfer::statistics() const {
    CURL* const easy = state_->handle();
    curl::statistics made;
    made.name_resolved = time_of(easy, CURLINFO_NAMELOOKUP_TIME_T);
    made.connected = time_of(easy, CURLINFO_CONNECT_TIME_T);
    made.tls_ready = time_of(easy, CURLINFO_APPCONNECT_TIME_T);
    made.request_sent = time_of(easy, CURLINFO_PRETRANSFER_TIME_T);
    made.first_byte = time_of(easy, CURLINFO_STARTTRANSFER_TIME_T);
    made.total = time_of(easy, CURLINFO_TOTAL_TIME_T);
    made.redirecting = time_of(easy, CURLINFO_REDIRECT_TIME_T);
    made.bytes_uploaded = count_of(easy, CURLINFO_SIZE_UPLOAD_T);
    made.bytes_downloaded = count_of(easy, CURLINFO_SIZE_DOWNLOAD_T);
    made.redirects = static_cast<unsigned>(number_of(easy, CURLINFO_REDIRECT_COUNT));
    made.connections_made = static_cast<unsigned>(number_of(easy, CURLINFO_NUM_CONNECTS));
    made.http_major = major_of(number_of(easy, CURLINFO_HTTP_VERSION));
    made.peer_port = static_cast<std::uint16_t>(number_of(easy, CURLINFO_PRIMARY_PORT));
    const char* address = nullptr;
    curl_easy_getinfo(easy, CURLINFO_PRIMARY_IP, &address);
    made.peer_address = address != nullptr ? address : "";
    return made;
}

}  // namespace eddy::curl
