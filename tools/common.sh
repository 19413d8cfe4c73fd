# What the scripts in this folder share; sourced, not run.

set -euo pipefail
script=$(realpath "$0")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The build needs these; docs/dependencies.md gives the reasons.
build_packages=(g++ cmake ninja-build libgtest-dev libcli11-dev nlohmann-json3-dev libtbb-dev python3)

say() { printf '%s\n' "$*"; }
heading() { printf '\n== %s\n' "$*"; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# Prints the comment at the top of the script that is running.
usage() { sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$script"; }

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# need_packages NAME...: installs those that are missing, and says which.
need_packages() {
    local missing=() package
    if ! command -v dpkg-query >/dev/null; then
        say "This is no Debian or Ubuntu; it is up to you that these are there: $*"
        return 0
    fi
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    if [ ${#missing[@]} = 0 ]; then
        say "All packages are installed."
        return 0
    fi
    say "Installing ${missing[*]} ..."
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        die "installing needs root; run: apt-get install ${missing[*]}"
    fi
    local log
    log=$(mktemp)
    if ! { as_root apt-get update && as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        die "could not install ${missing[*]}; the whole story is in $log"
    fi
    rm -f "$log"
    say "Installed."
}

# One job per core, but no more than one per GiB of free memory.
build_jobs() {
    local cores free_gib
    cores=$(nproc)
    free_gib=$(awk '/MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo)
    if [ "$free_gib" -lt "$cores" ]; then cores=$free_gib; fi
    if [ "$cores" -lt 1 ]; then cores=1; fi
    echo "$cores"
}

# configure_preset PRESET [cmake arguments]: quiet unless it fails.
configure_preset() {
    local preset=$1 log
    shift
    mkdir -p "build/$preset"
    log="build/$preset/configure.log"
    say "Configuring build/$preset ..."
    if ! cmake --preset "$preset" "$@" >"$log" 2>&1; then
        cat "$log" >&2
        die "configuring the preset '$preset' failed"
    fi
}

# build_preset PRESET [targets]: says how far it is.
build_preset() {
    local preset=$1 arguments=()
    shift
    if [ $# -gt 0 ]; then arguments=(--target "$@"); fi
    say "Building ${*:-everything} in build/$preset ..."
    NINJA_STATUS='[%f/%t, %es] ' cmake --build --preset "$preset" --parallel "$(build_jobs)" "${arguments[@]}"
}
