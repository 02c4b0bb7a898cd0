// What must have reached the device before the next step, so that a power failure leaves the old or the new.

#include "support/recording_files.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/fs/whole_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::replace_file_test {
namespace {

using test::recording_files;
using test::scratch_directory;
using calls = std::vector<std::string>;

/// A directory, in a runtime whose files are recorded.
class recorded_place {
public:
    /// `failing`: how the calls begin that fail.
    explicit recorded_place(std::string failing = "") : failing_(std::move(failing)) {}

    void run(task<> main) {
        test::run_bounded(std::move(main),
                          runtime_options().workers(1).change_system([this](io::system& changed) {
                              files_.emplace(*changed.files).fail(failing_);
                              changed.files = &*files_;
                          }));
    }
    [[nodiscard]] const scratch_directory& directory() const noexcept { return directory_; }
    [[nodiscard]] std::string name() const {
        return std::filesystem::path(directory_.root()).filename().string();
    }
    [[nodiscard]] calls recorded() const { return files_->calls(); }

private:
    scratch_directory directory_;
    std::string failing_;
    std::optional<recording_files> files_;
};

TEST(a_replaced_file, is_on_the_device_before_it_takes_the_name_and_its_directory_afterwards) {
    recorded_place place;
    place.run(fs::replace_file(place.directory().at("file"), "new"));
    EXPECT_EQ(place.recorded(), (calls{"write temporary", "sync temporary", "rename temporary to file",
                                       "sync directory " + place.name()}));
}

TEST(a_replaced_file, has_its_permissions_before_it_is_synced) {
    recorded_place place;
    place.directory().write("file", "old");
    place.run(fs::replace_file(place.directory().at("file"), "new"));
    EXPECT_EQ(place.recorded(), (calls{"set permissions of temporary", "write temporary", "sync temporary",
                                       "rename temporary to file", "sync directory " + place.name()}));
}

void expect_failure(recorded_place& place, const std::string& content, const calls& expected) {
    place.directory().write("file", "old");
    place.run([](std::string path) -> task<> {
        const auto replaced = co_await as_result(fs::replace_file(std::move(path), "new"));
        EXPECT_EQ(replaced ? std::error_code() : replaced.error(), std::errc::io_error);
    }(place.directory().at("file")));
    EXPECT_EQ(place.directory().read("file"), content);
    EXPECT_EQ(place.directory().count(), 1U);
    calls recorded = place.recorded();
    std::erase(recorded, "set permissions of temporary");
    EXPECT_EQ(recorded, expected);
}

TEST(a_replaced_file, stays_the_old_one_where_the_new_one_does_not_reach_the_device) {
    recorded_place place("sync temporary");
    expect_failure(place, "old", {"write temporary", "sync temporary", "remove temporary"});
}

TEST(a_replaced_file, is_an_error_where_its_directory_does_not_reach_the_device) {
    recorded_place place("sync directory ");
    expect_failure(
        place, "new",
        {"write temporary", "sync temporary", "rename temporary to file", "sync directory " + place.name()});
}

task<> write_and_sync(std::string path) {
    const file written = co_await fs::open(std::move(path), open_options().write().create());
    co_await written.write_all_at(as_bytes("content"), 0);
    co_await written.sync();
    co_await written.sync_data();
}

TEST(a_file, is_carried_to_the_device_when_it_is_synced) {
    recorded_place place;
    place.run(write_and_sync(place.directory().at("file")));
    const calls recorded = place.recorded();
    EXPECT_EQ(std::ranges::count(recorded, "sync a file"), 1);
    EXPECT_EQ(std::ranges::count(recorded, "sync data of a file"), 1);
}

TEST(a_file, that_does_not_reach_the_device_is_an_error) {
    for (const char* const call : {"sync a file", "sync data of a file"}) {
        recorded_place place(call);
        place.run([](std::string path) -> task<> {
            const auto synced = co_await as_result(write_and_sync(std::move(path)));
            EXPECT_EQ(synced ? std::error_code() : synced.error(), std::errc::io_error);
        }(place.directory().at("file")));
    }
}

}  // namespace
}  // namespace eddy::replace_file_test
