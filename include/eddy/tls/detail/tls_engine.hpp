#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/tls/detail/tls_output.hpp>
#include <eddy/tls/tls_session_info.hpp>
#include <eddy/tls/tls_target.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <vector>

// OpenSSL's, which no public header includes.
struct ssl_st;

namespace eddy {

class tls_context;

namespace detail {

class tls_settings;

/// One end of a TLS connection without a stream: ciphertext goes in, ciphertext comes out, and nothing waits.
/// The bytes that go in stay where they are and are read from there.
///
/// A failure is final: the alert for the peer lies in the output, everything else fails as well, and
/// throw_failure() throws the reason.
///
/// Thread safety: none, but it may move from thread to thread.
class tls_engine {
public:
    enum class progress {
        ready,        ///< it is done, or there is a response
        wants_input,  ///< it needs more ciphertext
        failed,
    };

    /// For a server.
    explicit tls_engine(const tls_context& context);
    /// For a client. Throws std::invalid_argument for a target without a name whose certificate is verified.
    tls_engine(const tls_context& context, const tls_target& target);
    tls_engine(const tls_engine&) = delete;
    tls_engine& operator=(const tls_engine&) = delete;
    ~tls_engine();

    // -- ciphertext --

    /// Ciphertext that has arrived, which stays until it is used up. Requires: what came before is.
    void give_input(std::span<const std::byte> ciphertext) noexcept {
        input_ = ciphertext;
        if (!copied_input_.empty()) [[unlikely]]
            std::vector<std::byte>().swap(copied_input_);
    }
    /// Copies what is left of it, so that its memory may go. Throws std::bad_alloc.
    void copy_rest_of_input();
    [[nodiscard]] std::size_t input_left() const noexcept { return input_.size(); }
    /// What has to be sent.
    [[nodiscard]] tls_output& output() noexcept { return output_; }

    // -- the handshake --

    [[nodiscard]] progress handshake() noexcept;
    /// Requires: the handshake is done.
    [[nodiscard]] const tls_session_info& info() const noexcept { return *info_; }

    // -- plaintext. Requires: the handshake is done --

    /// Whether read() has something to say: bytes, the end, or a failure.
    [[nodiscard]] bool can_read() noexcept;
    /// Puts bytes into `out` and stores their number in `count`, 0 at the end or if `out` is empty.
    [[nodiscard]] progress read(std::span<std::byte> out, std::size_t& count) noexcept;
    /// An upper bound of what one read can return.
    [[nodiscard]] std::size_t readable_max() const noexcept;

    /// Encrypts bytes of several buffers, `bytes_max` and a record at the most, and takes them off the front.
    /// Returns their number. Throws std::bad_alloc, without any effect, or by throw_failure().
    std::size_t write(std::span<const_buffer>& buffers, std::size_t bytes_max, time_point now);
    /// Makes the close_notify that ends this side's bytes, unless it was made before. Throws as write().
    void end();

    // -- failures --

    [[nodiscard]] bool has_failed() const noexcept { return static_cast<bool>(failure_); }
    void fail(std::error_code error, const char* detail = nullptr) noexcept;
    /// Throws std::system_error, or std::bad_alloc. Requires: has_failed().
    [[noreturn]] void throw_failure() const;

    // -- for what OpenSSL calls --

    std::size_t take_input(std::span<std::byte> out) noexcept;
    [[nodiscard]] const std::string& session_key() const noexcept { return session_key_; }

private:
    struct ssl_deleter {
        void operator()(ssl_st* ssl) const noexcept;
    };

    void set_up();
    void set_target(const tls_target& target);
    [[nodiscard]] progress judge(int result) noexcept;
    [[nodiscard]] std::span<const std::byte> next_piece(std::span<const_buffer>& buffers, std::size_t size);

    std::shared_ptr<const tls_settings> settings_;
    std::unique_ptr<ssl_st, ssl_deleter> ssl_;
    std::span<const std::byte> input_;
    std::vector<std::byte> copied_input_;
    tls_output output_;
    tls_record_sizer sizer_;
    std::unique_ptr<tls_session_info> info_;
    std::string session_key_;
    std::error_code failure_;
    const char* failure_detail_ = nullptr;
    bool is_ended_ = false;
};

}  // namespace detail

}  // namespace eddy
