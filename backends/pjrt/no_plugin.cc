// A library that is no plugin of the PJRT C API, for tests.
extern "C" int Nothing() { return 0; }
