#include <eddy/integrations/pq/array.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace eddy::pq::array_test {
namespace {

using strings = std::vector<std::string>;

template <class T>
std::string text_of(const T& value) {
    std::string out;
    converter<T>::to_text(value, out);
    return out;
}

TEST(array, is_read_as_it_is_written) {
    const strings texts = {"", "NULL", "a,b", "a\"b", "a\\b", "{}", " ", "\n"};
    EXPECT_EQ(converter<strings>::from_text(text_of(texts)), texts);
    const std::vector<std::optional<int>> numbers = {1, std::nullopt, -3};
    EXPECT_EQ(text_of(numbers), "{\"1\",NULL,\"-3\"}");
    EXPECT_EQ(converter<std::vector<std::optional<int>>>::from_text(text_of(numbers)), numbers);
    EXPECT_EQ(converter<strings>::from_text("{}"), strings());
}

TEST(array, may_hold_arrays) {
    const std::vector<std::vector<int>> grid = {{1, 2}, {3, 4}};
    EXPECT_EQ(converter<std::vector<std::vector<int>>>::from_text("{{1,2},{3,4}}"), grid);
    EXPECT_EQ(converter<std::vector<std::vector<int>>>::from_text(text_of(grid)), grid);
    const std::vector<strings> texts = {{"}", "{"}, {"\"", "\\"}};
    EXPECT_EQ(converter<std::vector<strings>>::from_text(text_of(texts)), texts);
    EXPECT_EQ(converter<std::vector<int>>::from_text("{{1,2},{3,4}}"), std::nullopt);
    EXPECT_EQ(converter<std::vector<std::vector<int>>>::from_text("{1,2}"), std::nullopt);
}

TEST(array, may_begin_elsewhere_than_at_1) {
    EXPECT_EQ(converter<std::vector<int>>::from_text("[0:2]={1,2,3}"), (std::vector<int>{1, 2, 3}));
}

TEST(array, of_boxes_has_semicolons) {
    const std::vector<box> boxes = {box(3, 4, 1, 2), box(7, 8, 5, 6)};
    EXPECT_EQ(text_of(boxes), "{\"(3,4),(1,2)\";\"(7,8),(5,6)\"}");
    EXPECT_EQ(converter<std::vector<box>>::from_text("{(3,4),(1,2);(7,8),(5,6)}"), boxes);
    EXPECT_EQ(converter<std::vector<std::vector<box>>>::from_text("{{(3,4),(1,2)};{(7,8),(5,6)}}"),
              (std::vector<std::vector<box>>{{boxes[0]}, {boxes[1]}}));
    EXPECT_EQ(converter<strings>::from_text("{(3,4),(1,2);(7,8),(5,6)}", ';'),
              (strings{"(3,4),(1,2)", "(7,8),(5,6)"}));
}

TEST(array, of_bytes_is_no_bytea) {
    const std::vector<bytea> values = {{std::byte{1}, std::byte{'"'}}, {}};
    EXPECT_EQ(text_of(values), "{\"\\\\x0122\",\"\\\\x\"}");
    EXPECT_EQ(converter<std::vector<bytea>>::from_text(text_of(values)), values);
}

TEST(array, is_refused_where_it_is_malformed) {
    for (const char* const text :
         {"", "{", "}", "1", "{1", "1}", "{1,}", "{,1}", "{1,,2}", "{\"1}", "{\"1\"2}", "{1\"2\"}", "{1}2}",
          "{{1}", "{\"\\", "{NULL}", "{a}", "[1:2]", "[1:2]="})
        EXPECT_EQ(converter<std::vector<int>>::from_text(text), std::nullopt) << text;
}

}  // namespace
}  // namespace eddy::pq::array_test
