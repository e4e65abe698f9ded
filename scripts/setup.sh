# Shared by scripts/run, scripts/test and scripts/shots: which Debian packages are needed, and how the
# build tree is made. Sourced, not run. Says what it does on standard error, so that standard output
# stays the program's own.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=$ROOT/build

# To build and to run.
BUILD_PACKAGES=(
    gcc libc6-dev cmake ninja-build pkg-config gettext
    libsdl2-dev libsdl2-ttf-dev libx11-dev libharfbuzz-dev libfontconfig-dev libpng-dev libcgif-dev libcairo2-dev libfreetype-dev
    libyaml-dev libjansson-dev libzip-dev libutf8proc-dev libpcre2-dev libdnnl-dev
    fonts-inter fonts-jetbrains-mono fonts-wqy-microhei
)
# To test: unit tests, a window on a screen of its own, and looking at what was written.
TEST_PACKAGES=(
    libcmocka-dev xvfb xserver-xorg-core xserver-xorg-video-dummy x11-xserver-utils xdotool openbox wmctrl xclip imagemagick python3
    librsvg2-bin libxml2-utils poppler-utils ibus ibus-libpinyin dbus-x11
)

say() { printf '%s\n' "$*" >&2; }

# The packages among the arguments that are not installed, one a line.
missing_packages() {
    local installed
    installed=$(dpkg-query -W -f='${db:Status-Status} ${binary:Package}\n' "$@" 2>/dev/null |
        sed -n 's/^installed \([^:]*\).*/\1/p' || true)
    comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$installed")
}

# Installs what is missing among the arguments. With everything in place: one look at dpkg's list, no network.
need_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "This is not a Debian system. Install what these packages hold, in its own way: $*"
        return
    fi
    local missing as_root=()
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -eq 0 ] && return
    if [ "$(id -u)" -ne 0 ]; then
        if ! sudo -n true 2>/dev/null; then
            say "Some Debian packages are missing. Please run this, then try again:"
            say "  sudo apt-get install --no-install-recommends ${missing[*]}"
            exit 2
        fi
        as_root=(sudo -n)
    fi
    say "Installing missing Debian packages: ${missing[*]}"
    "${as_root[@]}" apt-get update -q >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qy --no-install-recommends "${missing[@]}" >&2
}

# One value of a build tree's cache: cache_value FOLDER NAME
cache_value() { sed -n "s/^$2:[A-Z]*=//p" "$1/CMakeCache.txt" 2>/dev/null || true; }

# Configures a build tree unless it already is as asked: configure FOLDER TYPE NAME=VALUE…
configure() {
    local folder=$1 type=$2 options=() fresh=() wanted generator="Unix Makefiles"
    shift 2
    local good=yes
    for wanted in "CMAKE_BUILD_TYPE=$type" "CMAKE_HOME_DIRECTORY=$ROOT" "$@"; do
        [ "$(cache_value "$folder" "${wanted%%=*}")" = "${wanted#*=}" ] || good=no
    done
    [ -e "$folder/build.ninja" ] || [ -e "$folder/Makefile" ] || good=no
    [ $good = yes ] && return
    for wanted in "$@"; do options+=("-D$wanted"); done
    command -v ninja >/dev/null && generator=Ninja
    # A tree from another place, another generator or a broken-off first try cannot be mended.
    if [ -e "$folder/CMakeCache.txt" ] && { [ "$(cache_value "$folder" CMAKE_HOME_DIRECTORY)" != "$ROOT" ] ||
        [ "$(cache_value "$folder" CMAKE_GENERATOR)" != "$generator" ]; }; then
        fresh=(--fresh)
    fi
    say "Configuring ${folder#"$ROOT"/} ($type)"
    cmake "${fresh[@]}" -S "$ROOT" -B "$folder" -G "$generator" "-DCMAKE_BUILD_TYPE=$type" "${options[@]}" >&2
}

# build FOLDER [TARGET]
build() {
    cmake --build "$1" --parallel "$(nproc)" ${2:+--target "$2"} >&2
}
