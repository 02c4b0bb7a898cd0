#pragma once

#include <eddy/io/detail/directory_reader.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace eddy::backends {

/// Reads a directory and what is below it (io::file_system::read_directory).
[[nodiscard]] std::unique_ptr<io::directory_reader> make_tree_reader(std::string path, bool follows_link,
                                                                     std::uint32_t depth_max);

}  // namespace eddy::backends
