# What the scripts in this folder share; sourced, not run.

set -euo pipefail
script=$(realpath "$0")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The products, bottom to top, as CMakeLists.txt has them.
products=(common autotrace runtime proxy script array python)
# What a product's tests, programs and benchmarks need; docs/dependencies.md gives the reasons.
packages_common=(g++ cmake ninja-build libgtest-dev nlohmann-json3-dev libcli11-dev python3)
packages_autotrace=("${packages_common[@]}")
packages_runtime=("${packages_common[@]}" pkg-config zlib1g-dev libhwloc-dev)
packages_proxy=("${packages_common[@]}" gcc make libeigen3-dev libopenmpi-dev openmpi-bin libmpich-dev mpich
                valgrind gfortran libdw-dev libotf2-trace-dev otf2-tools libsimgrid-dev
                netpipe-openmpi scalapack-mpi-test)
packages_script=("${packages_common[@]}" libxxhash-dev libffi-dev node-dagre-layout libpython3-dev tcl-dev libopenmpi-dev
                 openmpi-bin libmpich-dev mpich)
packages_array=("${packages_common[@]}" libopenblas-serial-dev liblapacke-dev libkissfft-dev)
packages_python=("${packages_array[@]}" python3-dev python3-numpy python3-build python3-wheel python3-setuptools
                 python3-venv python3-ipykernel python3-nbclient)
build_packages=("${packages_runtime[@]}" "${packages_proxy[@]}" "${packages_script[@]}" "${packages_python[@]}")

# packages_of PRODUCT|all: one per line.
packages_of() {
    if [ "$1" = all ]; then
        printf '%s\n' "${build_packages[@]}"
    else
        check_product "$1"
        local -n list="packages_$1"
        printf '%s\n' "${list[@]}"
    fi
}
check_product() {
    printf '%s\n' "${products[@]}" | grep -qx -e "$1" || die "there is no product '$1'; there are: ${products[*]}"
}

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

# need_sanitizers: clang, with what its sanitizers need at run time; Debian packs that by version.
need_sanitizers() {
    need_packages clang
    local version
    version=$(clang -dumpversion)
    if apt-cache show "libclang-rt-${version%%.*}-dev" >/dev/null 2>&1; then
        need_packages "libclang-rt-${version%%.*}-dev"
    fi
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

# count_cpu: sets cpu_milliseconds and cpu_seconds to what this shell's children that have ended took, user and system
# together.
# (`times` in a subshell would tell of the subshell.)
cpu_file=$(mktemp)
trap 'rm -f "$cpu_file"' EXIT
count_cpu() {
    times >"$cpu_file"
    cpu_milliseconds=$(awk 'NR == 2 { split($0, part, /[ms ]+/)
        printf "%d", 1000 * (60 * part[1] + part[2] + 60 * part[3] + part[4]) }' "$cpu_file")
    cpu_seconds=$((cpu_milliseconds / 1000))
}

# timed FILE PRODUCT COMMAND...: runs the command, and adds a line to FILE: what it took of the product's CPU seconds.
timed() {
    local file=$1 product=$2 before status=0
    shift 2
    count_cpu
    before=$cpu_seconds
    "$@" || status=$?
    count_cpu
    printf '%s %s\n' "$product" "$((cpu_seconds - before))" >>"$file"
    return $status
}

# build_products PRESET FILE: everything at once, so that no core waits for the last file of a product. FILE is told what
# each product took: of the CPU seconds of all, the share of its files in ninja's log.
build_products() {
    local preset=$1 file=$2 log=build/$1/.ninja_log before logged=0 status=0
    count_cpu
    before=$cpu_seconds
    if [ -e "$log" ]; then logged=$(wc -l <"$log"); fi
    build_preset "$preset" || status=$?
    count_cpu
    tail -n "+$((logged + 1))" "$log" | awk -F'\t' -v products="${products[*]}" -v took="$((cpu_seconds - before))" '
        BEGIN { split(products, names, " "); for (i in names) known[names[i]] = 1 }
        NF >= 4 { folder = $4; sub("/.*", "", folder); time[folder in known ? folder : "shared"] += $2 - $1; all += $2 - $1 }
        END { for (name in time) if (all > 0) printf "%s %d\n", name, took * time[name] / all }' >>"$file"
    return $status
}

# run_tests PRESET FILE [arguments of ctest]: all tests. FILE is told what those of each product took: of the CPU seconds
# of all, the share that ctest gives to its label. The end of ctest's output stays in build/PRESET/summary.txt.
run_tests() {
    local preset=$1 file=$2 before status=0
    shift 2
    count_cpu
    before=$cpu_seconds
    ctest --test-dir "build/$preset" --output-on-failure --parallel "$(nproc)" --no-tests=error "$@" |
        tee "build/$preset/tests.log" || status=$?
    count_cpu
    sed -n '/tests passed/,$p' "build/$preset/tests.log" >"build/$preset/summary.txt"
    awk -v products="${products[*]}" -v took="$((cpu_seconds - before))" '
        BEGIN { split(products, names, " "); for (i in names) known[names[i]] = 1 }
        $1 in known && /sec\*proc/ { seconds[$1] = $3; all += $3 }
        END { for (name in seconds) if (all > 0) printf "%s %d\n", name, took * seconds[name] / all }' \
        "build/$preset/summary.txt" >>"$file"
    return $status
}
