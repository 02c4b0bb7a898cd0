#include "http/files/directory_page.hpp"
#include "http/temporary_site.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/directory.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

// Listings of directories that change while they are read.
namespace eddy::http::test::listing_test {
namespace {

constexpr std::size_t outside_bytes = 4321;
constexpr int files = 40;

std::string name_of(int number) {
    return "in/file" + std::to_string(number);
}

/// Puts a link out of the site in the place of each file, as a rename does, at once.
void swap_links_in(const temporary_site& site, const std::filesystem::path& outside) {
    for (int number = 0; number < files; ++number) {
        const std::filesystem::path link = site.root() / "link";
        std::filesystem::create_symlink(outside, link);
        std::filesystem::rename(link, site.root() / name_of(number));
    }
}

task<> list_while_links_come(const temporary_site& site, const std::filesystem::path& outside, int turns) {
    const directory root = directory::open(site.root());
    file opened = co_await root.open_file("in");
    auto reading = spawn(read_directory_content(root, "in", std::move(opened), 1000, false));
    for (int turn = 0; turn < turns; ++turn)
        co_await yield();
    swap_links_in(site, outside);
    const directory_content content = co_await reading;
    for (const listed_entry& one : content.entries)
        EXPECT_NE(one.size, outside_bytes) << one.name << " after " << turns << " turns";
}

TEST(a_listing, tells_nothing_of_what_a_link_that_is_swapped_in_leads_to) {
    const temporary_site elsewhere;
    elsewhere.write("secret", std::string(outside_bytes, 's'));
    for (int turns = 0; turns < 200; turns += 1 + turns / 8) {
        const temporary_site site;
        for (int number = 0; number < files; ++number)
            site.write(name_of(number), "x");
        eddy::test::run_bounded(list_while_links_come(site, elsewhere.root() / "secret", turns));
    }
}

task<> list_after_the_directory_was_swapped(const temporary_site& site,
                                            const std::filesystem::path& outside) {
    const directory root = directory::open(site.root());
    file opened = co_await root.open_file("in");
    std::filesystem::rename(site.root() / "in", site.root() / "was_in");
    std::filesystem::create_symlink(outside, site.root() / "in");
    const directory_content content =
        co_await read_directory_content(root, "in", std::move(opened), 1000, false);
    EXPECT_EQ(content.entries.size(), 1U);
    for (const listed_entry& one : content.entries)
        EXPECT_EQ(one.name, "file0");
}

TEST(a_listing, is_of_the_directory_that_was_opened) {
    const temporary_site elsewhere;
    elsewhere.write("secret", "s");
    const temporary_site site;
    site.write(name_of(0), "x");
    eddy::test::run_bounded(list_after_the_directory_was_swapped(site, elsewhere.root()));
}

}  // namespace
}  // namespace eddy::http::test::listing_test
