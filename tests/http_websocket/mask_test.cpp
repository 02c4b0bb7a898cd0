#include "support/numbered_bytes.hpp"

#include <eddy/http/websocket/detail/mask.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace eddy::http::mask_test {
namespace {

constexpr websocket_mask_key key{std::byte{0x12}, std::byte{0x9a}, std::byte{0xf3}, std::byte{0x05}};

std::vector<std::byte> numbered(std::size_t size) {
    std::vector<std::byte> bytes(size);
    eddy::test::fill_numbered(bytes, 0);
    return bytes;
}

TEST(a_mask, covers_each_byte_by_that_of_its_place_at_any_alignment_and_phase) {
    for (std::size_t size = 0; size <= 70; ++size)
        for (std::size_t begin = 0; begin < 9 && begin <= size; ++begin)
            for (std::uint64_t phase = 0; phase < 8; ++phase) {
                std::vector<std::byte> bytes = numbered(size);
                apply_mask(std::span(bytes).subspan(begin), key, phase);
                const std::vector<std::byte> plain = numbered(size);
                for (std::size_t at = 0; at < size; ++at) {
                    const std::byte covered = plain[at] ^ key[(phase + at - begin) % 4];
                    ASSERT_EQ(bytes[at], at < begin ? plain[at] : covered)
                        << size << " " << begin << " " << at;
                }
            }
}

TEST(a_mask, may_be_applied_in_pieces) {
    std::vector<std::byte> whole = numbered(100);
    apply_mask(whole, key, 0);
    for (std::size_t cut = 0; cut <= 100; ++cut) {
        std::vector<std::byte> pieces = numbered(100);
        apply_mask(std::span(pieces).first(cut), key, 0);
        apply_mask(std::span(pieces).subspan(cut), key, cut);
        ASSERT_EQ(pieces, whole);
    }
}

TEST(a_mask, is_taken_off_by_being_applied_again) {
    std::vector<std::byte> bytes = numbered(1000);
    apply_mask(bytes, key, 3);
    EXPECT_NE(bytes, numbered(1000));
    apply_mask(bytes, key, 3);
    EXPECT_EQ(bytes, numbered(1000));
}

TEST(a_mask, is_applied_while_copying) {
    const std::vector<std::byte> plain = numbered(100);
    for (std::size_t size = 0; size <= 100; ++size) {
        std::vector<std::byte> wanted = numbered(size);
        apply_mask(wanted, key, 1);
        std::vector<std::byte> copied(size);
        copy_masked(std::span(plain).first(size), copied.data(), key, 1);
        ASSERT_EQ(copied, wanted);
    }
}

}  // namespace
}  // namespace eddy::http::mask_test
