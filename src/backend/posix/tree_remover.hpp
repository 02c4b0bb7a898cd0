#pragma once

#include <eddy/io/detail/directory_reader.hpp>

#include <memory>
#include <string>

namespace eddy::backends {

/// Removes a tree (io::file_system::remove_tree).
[[nodiscard]] std::unique_ptr<io::tree_removal> make_tree_remover(std::string path);

}  // namespace eddy::backends
