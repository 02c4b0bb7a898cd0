#pragma once

// Files and directories as responses.

#include <eddy/http/files/file_cache.hpp>
#include <eddy/http/files/static_files.hpp>
