#include <eddy/integrations/redis/script.hpp>

#include <openssl/evp.h>

#include <array>
#include <new>
#include <span>
#include <utility>

namespace eddy::redis {

namespace {

std::string sha1_of(const std::string& text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr) != 1)
        throw std::bad_alloc();
    static constexpr char digits[] = "0123456789abcdef";
    std::string written;
    for (const unsigned char byte : std::span(digest).first(size)) {
        written.push_back(digits[byte >> 4]);
        written.push_back(digits[byte & 15]);
    }
    return written;
}

}  // namespace

script::script(std::string source) : source_(std::move(source)), digest_(sha1_of(source_)) {}

task<reply> script::run_digest(executor& on, request req) const {
    try {
        co_return co_await on.execute(req);
    } catch (const error& refused) {
        if (refused.code() != "NOSCRIPT")
            throw;
    }
    const auto arguments = req.arguments();
    request whole("EVAL", source_, std::span(arguments).subspan(2));
    co_return co_await on.execute(std::move(whole));
}

}  // namespace eddy::redis
