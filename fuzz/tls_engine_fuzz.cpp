// Both ends of a TLS connection are given arbitrary bytes, from the beginning or behind a good handshake.
// Whatever comes, the engine says what it wants or that it has failed, and a failure is final.

#include "../tests/support/certificates.hpp"
#include "check.hpp"

#include <eddy/tls/detail/tls_engine.hpp>
#include <eddy/tls/tls_context.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

namespace {

using eddy::detail::tls_engine;

class contexts {
public:
    const eddy::test::certificate_authority authority;
    const eddy::test::key_and_certificate own = authority.issue(eddy::test::certificate_wish("localhost"));
    const eddy::tls_context server{
        eddy::tls_server_options(eddy::tls_certificate::pem(own.certificate_pem(), own.key_pem()))
            .alpn({"http/1.1"})};
    const eddy::tls_context client{
        eddy::tls_client_options().trust(eddy::tls_trust().pem(authority.pem())).alpn({"http/1.1"})};
};

/// Hands over what one end has to send; false if there was nothing.
bool pass_on(tls_engine& from, tls_engine& to) {
    std::vector<std::byte> ciphertext;
    while (!from.output().empty()) {
        const auto piece = from.output().next();
        ciphertext.insert(ciphertext.end(), piece.begin(), piece.end());
        from.output().note_sent(piece.size());
    }
    to.give_input(ciphertext);
    to.copy_rest_of_input();
    return !ciphertext.empty();
}

void shake_hands(tls_engine& server, tls_engine& client) {
    do {
        EDDY_FUZZ_CHECK(client.handshake() != tls_engine::progress::failed);
        pass_on(client, server);
        EDDY_FUZZ_CHECK(server.handshake() != tls_engine::progress::failed);
    } while (pass_on(server, client));
}

/// Gives an end the bytes in pieces, as the first of them say.
void feed(tls_engine& engine, std::span<const std::byte> bytes, bool is_connected) {
    const std::size_t step = bytes.empty() ? 1 : 1 + std::to_integer<std::size_t>(bytes.front()) * 7;
    std::vector<std::byte> out(1000);
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(step, bytes.size()))) {
        engine.give_input(bytes.first(std::min(step, bytes.size())));
        std::size_t count = 0;
        auto came = is_connected ? engine.read(out, count) : engine.handshake();
        EDDY_FUZZ_CHECK(came != tls_engine::progress::wants_input || engine.input_left() == 0);
        if (came == tls_engine::progress::failed) {
            EDDY_FUZZ_CHECK(engine.has_failed());
            EDDY_FUZZ_CHECK(engine.read(out, count) == tls_engine::progress::failed && count == 0);
            return;
        }
        EDDY_FUZZ_CHECK(is_connected || came != tls_engine::progress::ready);
        engine.give_input({});
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const contexts all;
    if (size == 0)
        return 0;
    const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
    tls_engine server(all.server);
    tls_engine client(all.client, eddy::tls_target("localhost"));
    const bool is_connected = (data[0] & 1) != 0;
    if (is_connected)
        shake_hands(server, client);
    else
        static_cast<void>(client.handshake());
    feed((data[0] & 2) != 0 ? server : client, bytes, is_connected);
    return 0;
}
