#include "contest/choice.hpp"

#include "driver/errors.hpp"

#include <algorithm>

namespace bench {
namespace {

bool is_requested(const std::string& name, const std::vector<std::string>& requested, name_match match) {
    return requested.empty() || std::ranges::any_of(requested, [&](const std::string& one) {
               return match == name_match::whole ? name == one : name.contains(one);
           });
}

}  // namespace

std::vector<contest> chosen_contests(const suite& all, const std::vector<std::string>& contests,
                                     const std::vector<std::string>& contenders, name_match match) {
    const auto is_unwanted = [&](const contender& one) {
        return !is_requested(one.name, contenders, match) &&
               std::ranges::find(all.bases, one.name) == all.bases.end();
    };
    std::vector<contest> chosen;
    for (contest one : all.contests) {
        if (!is_requested(one.name, contests, match) ||
            std::ranges::none_of(one.contenders,
                                 [&](const contender& c) { return is_requested(c.name, contenders, match); }))
            continue;
        std::erase_if(one.contenders, is_unwanted);
        chosen.push_back(std::move(one));
    }
    if (chosen.empty())
        throw usage_error("nothing has such a name; --list shows the names");
    return chosen;
}

}  // namespace bench
