#include "support/certificates.hpp"
#include "support/free_port.hpp"
#include "support/redis_server.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/integrations/redis/client.hpp>
#include <eddy/tls/tls_client_options.hpp>
#include <eddy/tls/tls_error.hpp>

#include <gtest/gtest.h>

#include <string>
#include <system_error>
#include <vector>

namespace eddy::redis::tls_test {
namespace {

TEST(a_client, speaks_tls_with_a_server_whose_certificate_it_trusts) {
    test::run_bounded([]() -> task<> {
        const test::certificate_authority authority;
        const auto own = authority.issue(test::certificate_wish("localhost").address("127.0.0.1"));
        const test::scratch_directory directory;
        directory.write("ca.pem", authority.pem());
        directory.write("cert.pem", own.certificate_pem());
        directory.write("key.pem", own.key_pem());
        const auto port = test::free_port();
        const std::vector<std::string> arguments{"--tls-port",         std::to_string(port),
                                                 "--tls-cert-file",    directory.at("cert.pem"),
                                                 "--tls-key-file",     directory.at("key.pem"),
                                                 "--tls-ca-cert-file", directory.at("ca.pem"),
                                                 "--tls-auth-clients", "no"};
        test::redis_server server(arguments);
        auto where = server.options().port(port);
        const auto trust = tls_trust().pem(authority.pem());
        where.tls(tls_context(tls_client_options().trust(trust)));
        client used(where);
        const std::string large(1'000'000, 'x');
        co_await used.command("SET", "large", large);
        const reply got = co_await used.command("GET", "large");
        EXPECT_TRUE(got.text() == large);

        client wary(options::from_url("rediss://127.0.0.1:" + std::to_string(port)));
        const auto refused = co_await as_result(wary.command("PING"));
        EXPECT_EQ(refused.error(), tls_error::certificate_refused);
    }());
}

}  // namespace
}  // namespace eddy::redis::tls_test
