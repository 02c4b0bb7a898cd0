#include <eddy/integrations/pq/detail/copy_text.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>

namespace eddy::pq::copy_text_test {
namespace {

using detail::read_copied_row;

template <class... Values>
std::string row_of(const Values&... values) {
    std::string out;
    detail::copy_row_writer row(out);
    (row.add(values), ...);
    row.end();
    return out;
}

TEST(copy_text, is_read_as_it_is_written) {
    using row = std::tuple<int, std::string, std::optional<std::string>, std::optional<double>>;
    const row values(7, "tab\there, line\nthere, \\ and \r", std::nullopt, 0.5);
    const std::string text = std::apply([](const auto&... each) { return row_of(each...); }, values);
    EXPECT_EQ(text, "7\ttab\\there, line\\nthere, \\\\ and \\r\t\\N\t0.5\n");
    EXPECT_EQ(read_copied_row<row>(text), values);
}

TEST(copy_text, tells_null_from_a_text_like_it) {
    EXPECT_EQ(row_of("\\N"), "\\\\N\n");
    EXPECT_EQ(std::get<0>(read_copied_row<std::tuple<std::optional<std::string>>>("\\\\N\n")), "\\N");
    EXPECT_EQ(std::get<0>(read_copied_row<std::tuple<std::optional<std::string>>>("\\N\n")), std::nullopt);
    EXPECT_EQ(std::get<0>(read_copied_row<std::tuple<std::optional<std::string>>>("\n")), "");
}

TEST(copy_text, knows_the_escapes_of_the_server) {
    EXPECT_EQ(std::get<0>(read_copied_row<std::tuple<std::string>>("\\b\\f\\n\\r\\t\\v\\\\\n")),
              "\b\f\n\r\t\v\\");
}

template <class Row>
std::error_code refusal(std::string_view text) {
    try {
        (void)read_copied_row<Row>(text);
    } catch (const error& refused) {
        return refused.code();
    }
    return {};
}

TEST(copy_text, refuses_rows_of_another_form) {
    EXPECT_EQ((refusal<std::tuple<int, int>>("1\n")), errc::wrong_columns);
    EXPECT_EQ((refusal<std::tuple<int>>("1\t2\n")), errc::wrong_columns);
    EXPECT_EQ((refusal<std::tuple<int>>("\\N\n")), errc::unexpected_null);
    EXPECT_EQ((refusal<std::tuple<int>>("one\n")), errc::wrong_type);
}

}  // namespace
}  // namespace eddy::pq::copy_text_test
