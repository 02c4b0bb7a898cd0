#include <eddy/testing/replace_new.hpp>
