#include <eddy/io/plain_descriptor.hpp>

#include <unistd.h>

namespace eddy::io {

plain_descriptor::~plain_descriptor() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

}  // namespace eddy::io
