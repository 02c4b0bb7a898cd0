#include <eddy/integrations/redis/options.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace eddy::redis::options_test {
namespace {

TEST(a_url, says_where_the_server_is) {
    const options plain = options::from_url("redis://");
    EXPECT_EQ(plain.where(), "127.0.0.1:6379");
    const options whole = options::from_url("redis://user:pa%3ass%40@example.org:7000/5");
    EXPECT_EQ(whole.host(), "example.org");
    EXPECT_EQ(whole.port(), 7000);
    EXPECT_EQ(whole.user(), "user");
    EXPECT_EQ(whole.password(), "pa:ss@");
    EXPECT_EQ(whole.database(), 5U);
    EXPECT_FALSE(whole.tls());
    EXPECT_EQ(options::from_url("redis://[::1]:7000").host(), "::1");
    EXPECT_EQ(options::from_url("redis://:secret@h").password(), "secret");
    EXPECT_TRUE(options::from_url("rediss://h").tls());
    const options local = options::from_url("unix://:secret@/run/redis%20a.sock?db=2");
    EXPECT_EQ(local.where(), "/run/redis a.sock");
    EXPECT_EQ(local.password(), "secret");
    EXPECT_EQ(local.database(), 2U);
}

TEST(what_is_no_url, is_refused_without_telling_the_password) {
    for (const char* wrong :
         {"", "localhost", "http://h", "redis://h:0", "redis://h:70000", "redis://h:7000x", "redis://h/x",
          "redis://[::1", "redis://user@h", "redis://:secret%4@h", "redis://:secret%zz@h", "unix://host/path",
          "unix://", "redis://h?x=1", "redis://:secret@h:x", "redis://h%00"}) {
        try {
            static_cast<void>(options::from_url(wrong));
            ADD_FAILURE() << wrong;
        } catch (const std::invalid_argument& refused) {
            EXPECT_EQ(std::string(refused.what()).find("secret"), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace eddy::redis::options_test
