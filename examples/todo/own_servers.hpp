#pragma once

#include "server_process.hpp"

#include <eddy/core/task.hpp>
#include <eddy/fs/temporary.hpp>

#include <memory>
#include <optional>
#include <string>

namespace todo {

/// A PostgreSQL and a Redis of the program's own, which nobody else can reach: they listen on Unix sockets in
/// a folder that is this user's. Dropped: they are ended. stop() is the polite way.
class own_servers {
public:
    /// `folder`: where they keep their data; empty for a temporary one, which goes with them.
    /// `postgres_programs`: where initdb and postgres are; empty to look for them. PostgreSQL refuses to run
    /// as root, so as root it is run as the user postgres. Throws std::runtime_error and std::system_error.
    [[nodiscard]] static eddy::task<std::unique_ptr<own_servers>> start(std::string folder,
                                                                        std::string postgres_programs);

    /// For --db and --redis.
    [[nodiscard]] std::string database() const;
    [[nodiscard]] std::string redis() const;

    [[nodiscard]] eddy::task<> stop();

private:
    own_servers() = default;
    [[nodiscard]] eddy::task<> start_postgres(std::string programs);
    [[nodiscard]] eddy::task<> start_redis();
    [[nodiscard]] bool forgets() const noexcept { return temporary_.has_value(); }

    std::optional<eddy::temporary_folder> temporary_;
    std::string folder_;
    std::unique_ptr<server_process> postgres_;
    std::unique_ptr<server_process> redis_;
};

}  // namespace todo
