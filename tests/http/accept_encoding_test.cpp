#include <eddy/http/message/detail/accept_encoding.hpp>

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <string_view>

namespace eddy::http::accept_encoding_test {
namespace {

constexpr auto identity = content_coding::identity;
constexpr auto gzip = content_coding::gzip;
constexpr auto brotli = content_coding::brotli;

accepted_codings accepted(std::initializer_list<std::string_view> lines) {
    accepted_codings made;
    for (const auto line : lines)
        made.add(line);
    return made;
}

// What a server chooses that has all three.
std::optional<content_coding> choice(std::string_view line) {
    return negotiate_coding(accepted({line}), std::array{brotli, gzip, identity});
}

TEST(accepted_codings, are_chosen_by_weight_and_then_by_the_servers_order) {
    EXPECT_EQ(choice("gzip, deflate, br"), brotli);
    EXPECT_EQ(choice("gzip"), gzip);
    EXPECT_EQ(choice("br;q=0.5, gzip;q=0.8"), gzip);
    EXPECT_EQ(choice("br;q=0.8 , gzip ; q=0.8"), brotli);
    EXPECT_EQ(choice("gzip;q=0.001"), gzip);
    EXPECT_EQ(choice("identity;q=1, gzip;q=0.5"), identity);
    EXPECT_EQ(choice("identity;q=0.5, gzip;q=1.0"), gzip);
    EXPECT_EQ(choice("GZIP;Q=1.000"), gzip);
    EXPECT_EQ(choice("x-gzip"), gzip);
}

TEST(accepted_codings, may_be_any) {
    EXPECT_EQ(choice("*"), brotli);
    EXPECT_EQ(choice("br;q=0, *"), gzip);
    EXPECT_EQ(choice("*;q=0.1, gzip"), gzip);
    EXPECT_EQ(choice("identity, *;q=0.5"), identity);
    EXPECT_EQ(choice("*;q=0, br"), brotli);
}

TEST(accepted_codings, leave_identity_where_nothing_else_will_do) {
    EXPECT_EQ(choice(""), identity);
    EXPECT_EQ(choice("zstd, compress"), identity);
    EXPECT_EQ(choice("gzip;q=0, br;q=0.0"), identity);
    EXPECT_EQ(negotiate_coding(accepted({}), std::array{brotli, gzip, identity}), identity);
    EXPECT_EQ(negotiate_coding(accepted({"br"}), std::array{identity}), identity);
}

TEST(accepted_codings, may_leave_nothing) {
    EXPECT_EQ(choice("identity;q=0"), std::nullopt);
    EXPECT_EQ(choice("*;q=0"), std::nullopt);
    EXPECT_EQ(choice("zstd, identity;q=0"), std::nullopt);
    EXPECT_EQ(choice("identity;q=0, gzip"), gzip);
    EXPECT_EQ(negotiate_coding(accepted({"*;q=0"}), std::array{identity}), std::nullopt);
    EXPECT_EQ(negotiate_coding(accepted({"*;q=0, identity;q=0.1"}), std::array{identity}), identity);
    EXPECT_EQ(negotiate_coding(accepted({"gzip"}), std::array{brotli}), std::nullopt);
    EXPECT_EQ(negotiate_coding(accepted({}), std::array{brotli}), brotli);
}

TEST(accepted_codings, pass_over_what_is_malformed) {
    for (const auto line :
         {"br;q=2", "br;q=1.001", "br;q=0.1234", "br;q=", "br;q=a", "br;q=-1", "br;q=.5", "br;", "br;level=1",
          "br;q=0.5;q=1", "br q=1", "br;q = 1", "br gzip", "\"br\"", "=", ";q=1", ",,", "br;q=1 x"})
        EXPECT_EQ(choice(line), identity) << line;
    EXPECT_EQ(choice(",, gzip ,,"), gzip);
    EXPECT_EQ(choice("br;q=2, gzip"), gzip);
    EXPECT_EQ(choice("gzip;q=1., br;q=0."), gzip);
}

TEST(accepted_codings, of_several_lines_count_as_one_list) {
    EXPECT_EQ(negotiate_coding(accepted({"gzip;q=0.5", "br"}), std::array{gzip, brotli}), brotli);
    EXPECT_EQ(negotiate_coding(accepted({"gzip;q=0", "gzip"}), std::array{gzip, identity}), identity);
}

}  // namespace
}  // namespace eddy::http::accept_encoding_test
