#pragma once

#include <filesystem>

namespace bench {

// A new directory that goes with all that is in it when this does.
class temporary_directory {
public:
    // Throws failure.
    temporary_directory();
    temporary_directory(const temporary_directory&) = delete;
    ~temporary_directory();

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

// Writes the resources of the http scenarios into `directory`, one file a path.
void write_resources(const std::filesystem::path& directory);

}  // namespace bench
