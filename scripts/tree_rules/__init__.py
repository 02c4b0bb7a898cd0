"""The rules of the tree. Each module holds one kind of rule as a function check(tree) that yields findings."""
