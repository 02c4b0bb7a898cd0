#include <eddy/http/message/field.hpp>

#include <gtest/gtest.h>

#include <cctype>
#include <string>

namespace eddy::http::field_test {
namespace {

TEST(field, every_known_name_is_recognised_in_any_case) {
    for (std::size_t i = 1; i < field_count; ++i) {
        const auto id = static_cast<field>(i);
        const std::string name(to_string(id));
        std::string upper = name;
        std::string capital = name;
        for (char& letter : upper) {
            letter = static_cast<char>(std::toupper(letter));
        }
        capital[0] = upper[0];
        EXPECT_EQ(field_from(name), id) << name;
        EXPECT_EQ(field_from(upper), id) << upper;
        EXPECT_EQ(field_from(capital), id) << capital;
    }
}

TEST(field, a_name_that_differs_in_one_byte_is_another) {
    for (std::size_t i = 1; i < field_count; ++i) {
        const std::string name(to_string(static_cast<field>(i)));
        for (std::size_t at = 0; at < name.size(); ++at) {
            for (char byte : std::string("!#$%&'*+.^_`|~0qz-")) {
                std::string other = name;
                other[at] = byte;
                if (other != name) {
                    EXPECT_EQ(field_from(other), field::other) << other;
                }
            }
        }
        EXPECT_EQ(field_from(name + "x"), field::other);
        EXPECT_NE(field_from(name.substr(1)), static_cast<field>(i));
    }
    EXPECT_EQ(field_from(""), field::other);
    EXPECT_EQ(field_from(std::string(300, 'a')), field::other);
}

}  // namespace
}  // namespace eddy::http::field_test
