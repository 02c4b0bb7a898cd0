// Stands for the header that all tests share; see tests/CMakeLists.txt.
