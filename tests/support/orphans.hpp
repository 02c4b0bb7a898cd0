#pragma once

namespace eddy::test {

/// Lets all that this process starts end with it, however it ends: a server that outlived a test would keep
/// who waits for the end of its output waiting. What belongs to no other process group is killed then, by a
/// process outside of it. Nothing happens at a terminal, whose Ctrl-C ends them all. Requires: no other
/// threads.
void end_children_with_this();

}  // namespace eddy::test
