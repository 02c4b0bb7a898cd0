#pragma once

namespace bench {

// From here on SIGINT, SIGTERM and SIGHUP set a flag instead of ending the program, so that servers are
// stopped and temporary files removed on the way out.
void catch_interrupts();

// Throws `interrupted` once the flag is set. Everything that waits calls this.
void check_interrupt();

}  // namespace bench
