#pragma once

#include "server_process.hpp"

#include <eddy/core/task.hpp>
#include <eddy/fs/temporary.hpp>

#include <memory>
#include <optional>
#include <string>

namespace todo {

/// A private PostgreSQL and a private Redis: they listen on Unix sockets in a directory that only this user may
/// enter. Dropped: they are killed. stop() ends them cleanly.
class own_servers {
public:
    /// `directory`: where they keep their data; empty for a temporary one, which goes with them.
    /// `postgres_programs`: where initdb and postgres are; empty to look for them. PostgreSQL refuses to run
    /// as root, so as root it is run as the user postgres. Throws std::runtime_error and std::system_error.
    [[nodiscard]] static eddy::task<std::unique_ptr<own_servers>> start(std::string directory,
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

    std::optional<eddy::temporary_directory> temporary_;
    std::string directory_;
    std::unique_ptr<server_process> postgres_;
    std::unique_ptr<server_process> redis_;
};

}  // namespace todo
