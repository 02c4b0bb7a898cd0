#pragma once

#include <eddy/io/folder_reader.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace eddy::backends {

/// Reads a folder and what is below it (io::file_system::read_folder).
[[nodiscard]] std::unique_ptr<io::folder_reader> make_tree_reader(std::string path, bool follows_link,
                                                                  std::uint32_t depth_max);

}  // namespace eddy::backends
