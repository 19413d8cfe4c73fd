#!/usr/bin/env bash
# Each product can be configured without the others, as tools/try and tools/test do when they are given its name.
#
#     configure.sh SOURCES PRODUCT...

set -u
sources=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
for product in "$@"; do
    if ! cmake -S "$sources" -B "$folder/$product" -G Ninja "-DREFRAIN_PRODUCTS=$product" >"$folder/log" 2>&1; then
        echo "$product alone cannot be configured:"
        tail -n 20 "$folder/log"
        failed=1
    fi
done
exit $failed
