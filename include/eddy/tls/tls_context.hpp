#pragma once

#include <eddy/tls/tls_client_options.hpp>
#include <eddy/tls/tls_server_options.hpp>

#include <chrono>
#include <memory>

namespace eddy {

namespace detail {

class tls_settings;
class tls_settings_slot;

}  // namespace detail

/// Whether a context is for accepting connections or for making them.
enum class tls_role {
    /// Has a certificate.
    server,
    /// Begins the handshake.
    client,
};

/// What connections are accepted or made with: certificates, keys, trust, sessions to resume.
///
/// - Ownership: a handle; copies are cheap and share one context, connections keep what they need.
/// - Thread safety: all of it may be used by any number of threads at once.
/// - Reloading: reads the files again and replaces the context for all copies at once. Handshakes that begin
///   afterwards use the new one; existing connections do not change. After an error everything stays as it
///   was. The keys of session tickets and the sessions of a client survive it.
/// - Errors: std::system_error with tls_error::bad_certificate_file for what cannot be read, is no PEM, is
///   encrypted without the password, or does not belong together; what() names the file.
///   The system's error (too_many_files_open) if it lacks the resources to read them.
/// - Cost: making and reloading one reads files and blocks; offload it where that matters. `SSL_CERT_FILE`
///   and the like are OpenSSL's.
class tls_context {
public:
    /// For servers or clients. Throws std::system_error if certificates cannot be used.
    explicit tls_context(tls_server_options options);
    explicit tls_context(tls_client_options options);

    /// Server or client.
    [[nodiscard]] tls_role role() const noexcept;
    /// How long a handshake may take.
    [[nodiscard]] std::chrono::milliseconds handshake_time_max() const noexcept;
    /// Whether the options say so, or leave it open and has_slow_handshakes().
    [[nodiscard]] bool offload_handshakes() const;
    /// Whether one step of a handshake may take several milliseconds.
    [[nodiscard]] bool has_slow_handshakes() const;

    /// Reads all files again.
    void reload();
    /// Reads all files again if one of them has changed since the last attempt, judged by its time, size or
    /// inode. Returns whether it did. A file that is bad is tried again once it has changed again; one that
    /// could not be read since the program lacks descriptors or memory is tried again by the next call.
    bool reload_if_changed();

    /// For the engine: what new connections are to use.
    [[nodiscard]] std::shared_ptr<const detail::tls_settings> settings() const;

private:
    std::shared_ptr<detail::tls_settings_slot> slot_;
};

}  // namespace eddy
