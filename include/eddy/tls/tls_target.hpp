#pragma once

#include <eddy/detail/build.hpp>

#include <string>
#include <utility>
#include <vector>

namespace eddy {

/// The server that a client means to reach. A value; setters chain.
class tls_target {
public:
    /// The server's DNS name, or its address as text. It is what the certificate has to be for; a name is
    /// also said to the server, in the clear (RFC 6066 section 3).
    explicit tls_target(std::string name) : name_(std::move(name)) {}

    /// The protocols offered, in place of the context's.
    tls_target& alpn(std::vector<std::string> protocols) {
        alpn_ = std::move(protocols);
        return *this;
    }
    /// Separates servers of one name that do not share sessions: for example the port. Sessions are
    /// resumed among targets with the same name and the same of these.
    tls_target& session_scope(std::string scope) {
        session_scope_ = std::move(scope);
        return *this;
    }

    /// The name that the certificate must have.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const std::vector<std::string>& alpn() const noexcept { return alpn_; }
    [[nodiscard]] const std::string& session_scope() const noexcept { return session_scope_; }

private:
    std::string name_;
    std::vector<std::string> alpn_;
    std::string session_scope_;
};

}  // namespace eddy
