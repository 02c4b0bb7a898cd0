#include "failure.hpp"
#include "session_facts.hpp"
#include "stream_bio.hpp"
#include "tls_settings.hpp"

#include <eddy/detail/assert.hpp>
#include <eddy/tls/detail/tls_engine.hpp>
#include <eddy/tls/tls_context.hpp>
#include <eddy/tls/tls_error.hpp>

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace eddy::detail {

namespace {

/// More than a record grows by when it is encrypted: header, padding, tag (RFC 8446 section 5.2).
constexpr std::size_t record_growth_max = 80;

bool is_address(const std::string& name) noexcept {
    ASN1_OCTET_STRING* const address = a2i_IPADDRESS(name.c_str());
    ASN1_OCTET_STRING_free(address);
    return address != nullptr;
}

/// Whether no label is empty. OpenSSL takes ".test" for any name below "test".
bool has_whole_labels(const std::string& name) noexcept {
    return !name.starts_with('.') && !name.ends_with('.') && name.find("..") == std::string::npos;
}

/// The errors noted on this thread belong to other connections.
void forget_errors() noexcept {
    if (ERR_peek_error() != 0)
        ERR_clear_error();
}

}  // namespace

tls_engine::tls_engine(const tls_context& context) : settings_(context.settings()) {
    EDDY_ASSERT(context.role() == tls_role::server, "connections are accepted with a server's context");
    set_up();
    SSL_set_accept_state(ssl_.get());
}

tls_engine::tls_engine(const tls_context& context, const tls_target& target) : settings_(context.settings()) {
    EDDY_ASSERT(context.role() == tls_role::client, "connections are made with a client's context");
    set_up();
    SSL_set_connect_state(ssl_.get());
    set_target(target);
}

tls_engine::~tls_engine() {
    // A session stays good whether or not the connection was ended properly; OpenSSL would forget it.
    SSL_set_shutdown(ssl_.get(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
}

void tls_engine::ssl_deleter::operator()(ssl_st* ssl) const noexcept {
    SSL_free(ssl);
}

void tls_engine::set_up() {
    ssl_.reset(SSL_new(settings_->context()));
    if (!ssl_)
        throw std::bad_alloc();
    BIO* const bio = new_stream_bio(*this);
    SSL_set_bio(ssl_.get(), bio, bio);
    SSL_set_app_data(ssl_.get(), this);
}

void tls_engine::set_target(const tls_target& target) {
    std::string name = target.name();
    if (name.ends_with('.'))
        name.pop_back();
    if (name.empty() && settings_->verifies())
        throw std::invalid_argument("a certificate cannot be verified without the name of the server");
    X509_VERIFY_PARAM* const wanted = SSL_get0_param(ssl_.get());
    X509_VERIFY_PARAM_set_hostflags(
        wanted, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    bool is_set = true;
    if (is_address(name))
        is_set = X509_VERIFY_PARAM_set1_ip_asc(wanted, name.c_str()) == 1;
    else if (!name.empty())
        is_set = has_whole_labels(name) &&
                 X509_VERIFY_PARAM_set1_host(wanted, name.data(), name.size()) == 1 &&
                 SSL_set_tlsext_host_name(ssl_.get(), name.c_str()) == 1;
    if (!is_set) {
        ERR_clear_error();
        throw std::invalid_argument("not the name of a server: " + name);
    }
    if (!target.alpn().empty()) {
        const std::string encoded = encoded_alpn(target.alpn());
        SSL_set_alpn_protos(ssl_.get(), reinterpret_cast<const unsigned char*>(encoded.data()),
                            static_cast<unsigned>(encoded.size()));
    }
    if (session_cache* const sessions = settings_->sessions()) {
        session_key_ = name + '\n' + target.session_scope();
        if (const session_handle known = sessions->take(session_key_))
            SSL_set_session(ssl_.get(), known.get());
    }
}

// -- ciphertext --

void tls_engine::copy_rest_of_input() {
    std::vector<std::byte> copied(input_.begin(), input_.end());
    copied_input_.swap(copied);
    input_ = copied_input_;
}

std::size_t tls_engine::take_input(std::span<std::byte> out) noexcept {
    const std::size_t count = std::min(out.size(), input_.size());
    if (count != 0)
        std::memcpy(out.data(), input_.data(), count);
    input_ = input_.subspan(count);
    return count;
}

// -- the handshake --

tls_engine::progress tls_engine::handshake() noexcept {
    if (has_failed())
        return progress::failed;
    forget_errors();
    const int result = SSL_do_handshake(ssl_.get());
    if (result != 1)
        return judge(result);
    try {
        info_ = std::make_unique<tls_session_info>(facts_of(ssl_.get()));
    } catch (...) {
        fail(std::make_error_code(std::errc::not_enough_memory));
        return progress::failed;
    }
    return progress::ready;
}

tls_engine::progress tls_engine::judge(int result) noexcept {
    if (has_failed())
        return progress::failed;
    const int reason = SSL_get_error(ssl_.get(), result);
    if (reason == SSL_ERROR_WANT_READ)
        return progress::wants_input;
    if (reason == SSL_ERROR_ZERO_RETURN && SSL_is_init_finished(ssl_.get()) == 1) {
        is_ended_ = true;
        return progress::ready;
    }
    const tls_failure failure = take_failure(ssl_.get());
    fail(failure.code, failure.detail);
    return progress::failed;
}

// -- plaintext --

bool tls_engine::can_read() noexcept {
    if (has_failed() || is_ended_)
        return true;
    char first = 0;
    forget_errors();
    const int result = SSL_peek(ssl_.get(), &first, 1);
    return result > 0 || judge(result) != progress::wants_input;
}

tls_engine::progress tls_engine::read(std::span<std::byte> out, std::size_t& count) noexcept {
    count = 0;
    // OpenSSL calls a read into no memory a failure.
    if (out.empty())
        return progress::ready;
    if (has_failed())
        return progress::failed;
    if (is_ended_)
        return progress::ready;
    forget_errors();
    // Several records at once, as long as there may be another.
    do {
        std::size_t more = 0;
        const int result = SSL_read_ex(ssl_.get(), out.data(), out.size(), &more);
        if (result != 1) {
            const progress came = judge(result);
            // What was read before a failure is returned first.
            return count != 0 ? progress::ready : came;
        }
        count += more;
        out = out.subspan(more);
    } while (!out.empty() && !input_.empty());
    return progress::ready;
}

std::size_t tls_engine::readable_max() const noexcept {
    const int pending = SSL_pending(ssl_.get());
    return static_cast<std::size_t>(std::max(pending, 0)) + input_.size();
}

std::span<const std::byte> tls_engine::next_piece(std::span<const_buffer>& buffers, std::size_t size) {
    const auto bytes_of = [](const const_buffer& each) {
        return std::span(static_cast<const std::byte*>(each.data()), each.size());
    };
    while (!buffers.empty() && buffers.front().size() == 0)
        buffers = buffers.subspan(1);
    if (buffers.empty())
        return {};
    if (buffers.size() == 1 || buffers.front().size() >= size) {
        const auto piece = bytes_of(buffers.front()).first(std::min(size, buffers.front().size()));
        buffers.front().remove_prefix(piece.size());
        return piece;
    }
    // Common to all connections of a thread, as nothing stays in it.
    static thread_local std::vector<std::byte> gathered(tls_record_sizer::large_bytes);
    std::size_t count = 0;
    for (; !buffers.empty() && count < size; buffers = buffers.subspan(buffers.front().size() == 0 ? 1 : 0)) {
        const auto piece = bytes_of(buffers.front()).first(std::min(size - count, buffers.front().size()));
        if (!piece.empty())
            std::memcpy(gathered.data() + count, piece.data(), piece.size());
        count += piece.size();
        buffers.front().remove_prefix(piece.size());
    }
    return std::span(gathered).first(count);
}

std::size_t tls_engine::write(std::span<const_buffer>& buffers, std::size_t bytes_max, time_point now) {
    if (has_failed())
        throw_failure();
    forget_errors();
    sizer_.begin(now);
    std::size_t offered = 0;
    for (const const_buffer& each : buffers)
        offered += each.size();
    offered = std::min(offered, bytes_max + tls_record_sizer::large_bytes);
    output_.reserve(offered + (offered / tls_record_sizer::small_bytes + 2) * record_growth_max);
    std::size_t count = 0;
    while (count < bytes_max) {
        const auto piece = next_piece(buffers, sizer_.next());
        if (piece.empty())
            break;
        std::size_t written = 0;
        const int result = SSL_write_ex(ssl_.get(), piece.data(), piece.size(), &written);
        if (result != 1) {
            if (judge(result) == progress::wants_input)
                fail(tls_error::protocol_violated);
            throw_failure();
        }
        sizer_.note(written);
        count += written;
    }
    return count;
}

void tls_engine::end() {
    if (has_failed())
        throw_failure();
    output_.reserve(record_growth_max);
    forget_errors();
    if (SSL_shutdown(ssl_.get()) < 0)
        ERR_clear_error();
}

// -- failures --

void tls_engine::fail(std::error_code error, const char* detail) noexcept {
    if (has_failed())
        return;
    failure_ = error;
    failure_detail_ = detail;
}

void tls_engine::throw_failure() const {
    if (failure_ == std::errc::not_enough_memory)
        throw std::bad_alloc();
    if (failure_detail_ == nullptr)
        throw std::system_error(failure_);
    throw std::system_error(failure_, failure_detail_);
}

}  // namespace eddy::detail
