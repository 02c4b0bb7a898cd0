#include "http/temporary_site.hpp"
#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"

#include <eddy/http/files/file_cache.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>

namespace eddy::http::test::file_cache_test {
namespace {

using namespace std::chrono_literals;

task<file_cache::file_pointer> load(file_cache& cache, std::string path) {
    auto loaded = co_await cache.load(std::move(path));
    EXPECT_TRUE(loaded.has_value());
    co_return loaded ? *loaded : nullptr;
}

TEST(file_cache, gives_what_was_loaded_until_its_validity_is_over) {
    eddy::test::run_bounded([]() -> task<> {
        const temporary_site site;
        site.write("a.txt", "content");
        file_cache cache(directory::open(site.root()), file_cache_options().validity(1h));
        EXPECT_EQ(cache.find("a.txt"), nullptr);
        const auto loaded = co_await load(cache, "a.txt");
        EXPECT_EQ(loaded->content(), "content");
        EXPECT_EQ(loaded->size(), 7U);
        EXPECT_TRUE(loaded->fields().text().starts_with("Content-Type: text/plain; charset=utf-8\r\n"));
        EXPECT_EQ(loaded->last_modified(), "Sun, 13 Sep 2020 12:26:40 GMT");
        EXPECT_EQ(cache.find("a.txt"), loaded);

        file_cache distrustful(directory::open(site.root()), file_cache_options().validity(0s));
        co_await load(distrustful, "a.txt");
        EXPECT_EQ(distrustful.find("a.txt"), nullptr);
    }());
}

TEST(file_cache, keeps_a_version_for_as_long_as_the_file_is_the_same) {
    eddy::test::run_bounded([]() -> task<> {
        const temporary_site site;
        site.write("a.txt", "one");
        file_cache cache(directory::open(site.root()), file_cache_options().validity(0s));
        const auto first = co_await load(cache, "a.txt");
        EXPECT_EQ(co_await load(cache, "a.txt"), first);
        site.write("a.txt", "two", temporary_site::long_ago + 1);
        const auto second = co_await load(cache, "a.txt");
        EXPECT_NE(second, first);
        EXPECT_EQ(second->content(), "two");
        EXPECT_EQ(first->content(), "one") << "a version that is in use stays as it is";
        EXPECT_NE(second->tag().text(), first->tag().text());
    }());
}

TEST(file_cache, gives_a_file_that_was_just_written_a_weak_tag_and_looks_at_it_again) {
    eddy::test::run_bounded([]() -> task<> {
        const temporary_site site;
        const auto now =
            eddy::detail::worker_core::current().backend().system().clocks->wall_clock_ns() / 1'000'000'000;
        site.write("a.txt", "one", now + 60);
        file_cache cache(directory::open(site.root()), file_cache_options().validity(0s));
        const auto first = co_await load(cache, "a.txt");
        EXPECT_TRUE(first->tag().text().starts_with("W/")) << first->tag().text();
        site.write("a.txt", "two", now + 60);  // same size, same time
        const auto second = co_await load(cache, "a.txt");
        EXPECT_EQ(second->content(), "two");
    }());
}

TEST(file_cache, notices_a_replacement_by_rename_and_a_removal) {
    eddy::test::run_bounded([]() -> task<> {
        const temporary_site site;
        site.write("a.txt", "old");
        site.write("new.txt", "new");  // same size, same time, another file
        file_cache cache(directory::open(site.root()), file_cache_options().validity(0s));
        EXPECT_EQ((co_await load(cache, "a.txt"))->content(), "old");
        std::filesystem::rename(site.at("new.txt"), site.at("a.txt"));
        EXPECT_EQ((co_await load(cache, "a.txt"))->content(), "new");
        std::filesystem::remove(site.at("a.txt"));
        const auto gone = co_await cache.load("a.txt");
        EXPECT_FALSE(gone.has_value());
        if (!gone) {
            EXPECT_EQ(gone.error(), std::errc::no_such_file_or_directory);
        }
        EXPECT_EQ(cache.entries(), 0U);
        EXPECT_EQ(cache.memory_bytes(), 0U);
    }());
}

TEST(file_cache, keeps_the_most_recently_used_files) {
    eddy::test::run_bounded([]() -> task<> {
        const temporary_site site;
        for (const char* const name : {"a", "b", "c"})
            site.write(name, name);
        file_cache cache(directory::open(site.root()), file_cache_options().validity(1h).entries_max(2));
        co_await load(cache, "a");
        co_await load(cache, "b");
        EXPECT_NE(cache.find("a"), nullptr);
        co_await load(cache, "c");
        EXPECT_EQ(cache.entries(), 2U);
        EXPECT_NE(cache.find("a"), nullptr);
        EXPECT_EQ(cache.find("b"), nullptr);
        EXPECT_NE(cache.find("c"), nullptr);
    }());
}

TEST(file_cache, counts_looking_at_a_file_again_as_a_use) {
    eddy::test::run_bounded([]() -> task<> {
        const temporary_site site;
        for (const char* const name : {"a", "b", "c"})
            site.write(name, name);
        file_cache cache(directory::open(site.root()), file_cache_options().validity(0s).entries_max(2));
        const auto a = co_await load(cache, "a");
        co_await load(cache, "b");
        EXPECT_EQ(co_await load(cache, "a"), a);
        co_await load(cache, "c");
        EXPECT_EQ(co_await load(cache, "a"), a) << "it was used later than b";
    }());
}

TEST(file_cache, keeps_within_its_memory) {
    eddy::test::run_bounded([]() -> task<> {
        const temporary_site site;
        for (int file = 0; file < 10; ++file)
            site.write("f" + std::to_string(file), std::string(1000, 'x'));
        site.write("large", std::string(5000, 'x'));
        file_cache cache(directory::open(site.root()),
                         file_cache_options().validity(1h).memory_bytes_max(3500));
        for (int file = 0; file < 10; ++file) {
            co_await load(cache, "f" + std::to_string(file));
            EXPECT_LE(cache.memory_bytes(), 3500U);
        }
        EXPECT_EQ(cache.entries(), 3U);
        EXPECT_EQ(cache.memory_bytes(), 3000U);
        EXPECT_EQ((co_await load(cache, "large"))->content()->size(), 5000U) << "given, though not kept";
        EXPECT_EQ(cache.find("large"), nullptr);
        EXPECT_EQ(cache.memory_bytes(), 3000U) << "and the others stay";
    }());
}

TEST(file_cache, keeps_nothing_when_it_may_keep_no_entries) {
    eddy::test::run_bounded([]() -> task<> {
        const temporary_site site;
        site.write("a", "a");
        file_cache cache(directory::open(site.root()), file_cache_options().validity(1h).entries_max(0));
        EXPECT_EQ((co_await load(cache, "a"))->content(), "a");
        EXPECT_EQ(cache.entries(), 0U);
    }());
}

TEST(file_cache, keeps_large_files_open_and_closes_those_it_forgets) {
    eddy::test::run_bounded([]() -> task<> {
        const temporary_site site;
        for (const char* const name : {"a", "b", "c", "d"})
            site.write(name, std::string(100, 'x'));
        const std::size_t before = eddy::test::open_descriptors();
        {
            file_cache cache(directory::open(site.root()),
                             file_cache_options().validity(1h).entries_max(2).small_file_bytes_max(99));
            for (const char* const name : {"a", "b", "c", "d"}) {
                const auto loaded = co_await load(cache, name);
                EXPECT_FALSE(loaded->content().has_value());
                EXPECT_EQ(loaded->size(), 100U);
            }
            co_await sleep_for(1ms);  // a turn of the worker, for the closes
            EXPECT_EQ(eddy::test::open_descriptors(), before + 3) << "the directory and two files";
        }
        co_await sleep_for(1ms);
        EXPECT_EQ(eddy::test::open_descriptors(), before);
    }());
}

TEST(file_cache, never_leaves_its_directory) {
    eddy::test::run_bounded([]() -> task<> {
        const temporary_site outside;
        outside.write("secret", "secret");
        const temporary_site site;
        site.write("directory/inside", "inside");
        std::filesystem::create_symlink(outside.at("secret"), site.at("link"));
        std::filesystem::create_symlink("directory/inside", site.at("good_link"));
        file_cache cache(directory::open(site.root()), {});
        const std::string up = "../" + outside.root().filename().string() + "/secret";
        for (const std::string& path :
             {up, "directory/../" + up, outside.at("secret"), std::string("link")}) {
            const auto loaded = co_await cache.load(path);
            EXPECT_FALSE(loaded.has_value()) << path;
        }
        EXPECT_EQ((co_await load(cache, "good_link"))->content(), "inside");
        EXPECT_TRUE((co_await load(cache, "directory"))->is_directory());
        EXPECT_TRUE((co_await load(cache, ""))->is_directory());
    }());
}

}  // namespace
}  // namespace eddy::http::test::file_cache_test
