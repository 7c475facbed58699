#!/usr/bin/env bash
# Builds the fuzz targets as ClusterFuzzLite and OSS-Fuzz ask for: with their compilers, flags and engine, into $OUT. It runs
# without a container as well:
#   export CC=clang-14 CXX=clang++-14 CFLAGS='-g1 -O1 -fsanitize=address,fuzzer-no-link' LIB_FUZZING_ENGINE=-fsanitize=fuzzer
#   CXXFLAGS=$CFLAGS SRC=/tmp/f WORK=/tmp/f/work OUT=/tmp/f/out .clusterfuzzlite/build.sh
set -euo pipefail
source=$SRC/assay
if ! [ -d "$source" ]; then source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd); fi
mkdir -p "$OUT" "$WORK"

# The distribution's libraries in C++ (fmt, simdjson, Highway, tinyxml2) are built on libstdc++. What ASSAY_SANITIZE leaves out is
# left out here too (CMakeLists.txt says why), and numbers without a sign wrap on purpose.
ours=-fno-sanitize=null,object-size,pointer-overflow,alignment,unsigned-integer-overflow
export CFLAGS="$CFLAGS $ours"
export CXXFLAGS="${CXXFLAGS//-stdlib=libc++/} $ours"

# The machine that runs the targets has none of the shared libraries, and distributions have no static ones of most (Debian, of
# FLINT, Highway, SLEEF, fmt and simdjson). They go along in lib/, where the targets look first: RPATH, which counts for the
# libraries that those need in turn, not RUNPATH.
cmake -S "$source" -B "$WORK/build" -G Ninja -DBUILD_TESTING=OFF -DASSAY_FUZZERS=ON -DASSAY_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
  -DCMAKE_BUILD_RPATH='$ORIGIN/lib;$ORIGIN/../lib' -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags \
  -DCMAKE_MODULE_LINKER_FLAGS=-Wl,--disable-new-dtags
cmake --build "$WORK/build" --target fuzzers

# Targets would find those of an earlier build, which cannot be copied to themselves.
rm -rf "$OUT/lib"
mkdir -p "$OUT/lib" "$OUT/backends"
# The loader looks for backends/ beside the program.
cp "$WORK"/build/backends/*.so "$OUT/backends/"
rm -rf "$WORK/corpus"
ASAN_OPTIONS=detect_leaks=0 "$WORK/build/make_corpus" "$WORK/corpus" "$source"
for target in "$WORK"/build/*_fuzzer; do
  name=$(basename "$target")
  cp "$target" "$OUT/"
  for beside in "$source/fuzz/libfuzzer/$name".{dict,options}; do
    if [ -e "$beside" ]; then cp "$beside" "$OUT/"; fi
  done
  rm -f "$OUT/${name}_seed_corpus.zip"
  (cd "$WORK/corpus/$name" && python3 -m zipfile -c "$OUT/${name}_seed_corpus.zip" ./*)
done
# All but the C library, which must be the machine's.
ldd "$OUT"/*_fuzzer "$OUT"/backends/*.so | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u \
  | grep -vE '/(ld-linux.*|lib(c|m|dl|rt|pthread|resolv))[.]so' | xargs -I{} cp -L {} "$OUT/lib/"
