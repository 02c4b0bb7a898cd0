#pragma once

#include "load/connection.hpp"
#include "load/tls_session.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace bench {

// The sessions of all connections.
class tls_sessions {
public:
    void open(const connection& c) {
        if (sessions_.size() <= c.index)
            sessions_.resize(c.index + 1);
        sessions_[c.index].emplace(settings_);
    }

    tls_session& operator[](const connection& c) { return *sessions_[c.index]; }

private:
    tls_settings settings_;
    std::vector<std::optional<tls_session>> sessions_;
};

// Another protocol within TLS. The handshake counts into the first request's time.
template <class Inner>
class tls_protocol : public protocol_base {
public:
    explicit tls_protocol(Inner& inner) : inner_(inner) {}

    void connected(connection& c) {
        sessions_.open(c);
        inner_.connected(c);
    }

    std::string_view next_request(connection& c) {
        tls_session& session = sessions_[c];
        if (session.is_established())
            session.write(inner_.next_request(c));
        else
            session.shake_hands();
        return session.take_output();
    }

    std::string_view reply(connection& c) { return sessions_[c].take_output(); }

    verdict consume(connection& c, std::string_view bytes) {
        tls_session& session = sessions_[c];
        session.feed(bytes);
        if (!session.is_established())
            return go_on_with_handshake(c, session);
        verdict result = verdict::incomplete;
        while (result == verdict::incomplete) {
            const std::string_view text = session.read();
            if (text.empty())
                return session.has_failed() ? verdict::wrong : verdict::incomplete;
            result = inner_.consume(c, text);
        }
        return result;
    }

private:
    verdict go_on_with_handshake(connection& c, tls_session& session) {
        session.shake_hands();
        if (session.has_failed())
            return verdict::wrong;
        if (!session.is_established())
            return verdict::incomplete;
        session.write(inner_.next_request(c));
        return verdict::replies;
    }

    Inner& inner_;
    tls_sessions sessions_;
};

// A full handshake a request, each on a connection of its own, which is then closed as it should be: the
// client says that it ends, and the request is over when the server has ended too.
class handshake_protocol : public protocol_base {
public:
    void connected(connection& c) { sessions_.open(c); }

    std::string_view next_request(connection& c) {
        ++c.sequence;
        sessions_[c].shake_hands();
        return sessions_[c].take_output();
    }

    std::string_view reply(connection& c) { return sessions_[c].take_output(); }

    verdict consume(connection& c, std::string_view bytes) {
        tls_session& session = sessions_[c];
        if (session.is_established())
            return verdict::incomplete;  // the server's own end, which needs no answer
        session.feed(bytes);
        session.shake_hands();
        if (session.has_failed())
            return verdict::wrong;
        if (!session.is_established())
            return verdict::incomplete;
        session.write_close();
        return verdict::replies;
    }

    verdict ended(connection& c) {
        return sessions_[c].is_established() ? verdict::complete : verdict::wrong;
    }

private:
    tls_sessions sessions_;
};

}  // namespace bench
