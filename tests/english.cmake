# Read by ctest before it starts a test.
set(ENV{LANGUAGE} en)
