#!/usr/bin/env bash
# Tests that an executable op without an oracle function is a link error that names it. Links the oracle's table twice: as it is,
# which must work, and with one row for an op that nobody wrote.
#   missing_function_test.sh COMPILER SOURCE_DIR BINARY_DIR FLAGS..
set -euo pipefail
compiler=$1 source=$2 binary=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$binary/generated/ops.inc" "$folder/ops.inc"
echo 'int main() { return 0; }' >"$folder/main.cc"
link() {
  "$compiler" -std=c++20 "$@" -I "$folder" -I "$source" "$folder/main.cc" "$source/oracle/oracle.cc" \
    "$binary/libassay_oracle.a" "$binary/libassay_spec.a" -lfmt -lcrypto -lflint-arb -lflint -lgmp -o "$folder/a.out" 2>"$folder/errors"
}
link "$@" || { cat "$folder/errors"; echo "the oracle as it is does not link"; exit 1; }
echo 'ASSAY_OP("no_such_op", NoSuchOp, ElementwiseSources)' >>"$folder/ops.inc"
if link "$@"; then
  echo "an op without a function linked"
  exit 1
fi
grep -q "undefined reference to .*NoSuchOp" "$folder/errors" || { cat "$folder/errors"; echo "the error does not name the op"; exit 1; }
