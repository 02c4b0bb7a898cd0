#include "integrations/redis/transaction.hpp"

#include <iterator>
#include <system_error>
#include <utility>

namespace eddy::redis::detail {

std::vector<request> in_transaction(pipeline batch) {
    std::vector<request> commands = std::move(batch).take();
    commands.insert(commands.begin(), request("MULTI"));
    commands.emplace_back("EXEC");
    return commands;
}

std::vector<reply> results_of_transaction(std::vector<reply> replies) {
    reply& executed = replies.back();
    if (executed.is_error()) {
        // A command that was refused when it was queued says more than EXEC.
        for (const reply& each : replies) {
            if (each.is_error() && &each != &executed)
                throw error(executed.text() + " (" + each.text() + ")");
        }
        throw error(executed.text());
    }
    if (executed.is_nil())
        throw std::system_error(client_error::aborted);
    if (!executed.is_array())
        throw std::system_error(client_error::protocol, "EXEC gives an array");
    return std::move(executed.elements());
}

}  // namespace eddy::redis::detail
