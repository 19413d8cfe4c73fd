#!/usr/bin/env bash
# Every script in tools/, and .ci/run, prints with --help how it is called, from any folder, and refuses what it does not
# know. (fuzz and bench hand arguments on to what they build, and tidy takes paths.)
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd /
failures=0

fail() {
    echo "FAIL $*"
    failures=$((failures + 1))
}

for script in test try fresh bench record_streams format tidy check_headers check_clang check_arrows check_links check_snippets lint_web; do
    "$root/tools/$script" --help | grep -q "tools/$script" || fail "tools/$script --help does not show how it is called"
done
"$root/.ci/run" --help | grep -q "\.ci/run" || fail ".ci/run --help does not show how it is called"

for script in test try fresh format check_arrows check_links check_snippets; do
    if "$root/tools/$script" --no-such-option >/dev/null 2>&1; then
        fail "tools/$script takes --no-such-option"
    fi
done
if "$root/.ci/run" no_such_stage >/dev/null 2>&1; then fail ".ci/run takes no_such_stage"; fi

[ $failures = 0 ] && echo "every script explains itself"
