#pragma once

#include <filesystem>

namespace bench {

// A new folder that goes with all that is in it when this does.
class temporary_folder {
public:
    // Throws failure.
    temporary_folder();
    temporary_folder(const temporary_folder&) = delete;
    ~temporary_folder();

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

// Writes the resources of the http scenarios into `folder`, one file a path.
void write_resources(const std::filesystem::path& folder);

}  // namespace bench
