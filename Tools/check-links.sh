#!/bin/sh
# Follows every link of the repository's pages that leads to a file or a heading of it, and fails where there is none.
set -eu
cd "$(dirname "$0")/.."
# shellcheck disable=SC2046 # no file of the tree has a space in its name
set -- $(git ls-files --cached --others --exclude-standard '*.md' | grep -v '\.docc/' | LC_ALL=C sort)
awk '
  function folder(path) { return sub(/[^\/]*$/, "", path) ? path : "" }
  function plain(path) {
    while (sub(/(^|\/)\.\//, "/", path) || sub(/[^\/.]+\/\.\.\//, "", path)) { }
    return path
  }
  # As GitHub makes them.
  function anchor(heading) {
    heading = tolower(heading)
    gsub(/[^a-z0-9 _-]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
  }
  function link(target) {
    if (target !~ /^(https?|mailto):/) { links++; target_of[links] = target; place[links] = FILENAME ":" FNR; from[links] = FILENAME }
  }

  FNR == 1 { code = 0; pages[FILENAME] = 1 }
  /^```/ { code = !code }
  code || /^    / { next }
  /^#+ / { heading = $0; sub(/^#+ /, "", heading); anchors[FILENAME "#" anchor(heading)] = 1 }
  match($0, /^\[[^]]+\]: /) { defined[FILENAME "[" substr($0, 2, RLENGTH - 4)] = 1; link(substr($0, RLENGTH + 1)); next }
  {
    rest = $0
    gsub(/`[^`]*`/, "", rest)
    while (match(rest, /\[[^]]+\](\([^)]*\))?/)) {
      text = substr(rest, RSTART, RLENGTH)
      rest = substr(rest, RSTART + RLENGTH)
      if (text ~ /\)$/) { sub(/.*\]\(/, "", text); link(substr(text, 1, length(text) - 1)) }
      else { uses++; use[uses] = FILENAME "[" substr(text, 2, length(text) - 2); use_place[uses] = FILENAME ":" FNR }
    }
  }
  END {
    for (i = 1; i <= uses; i++)
      if (!(use[i] in defined)) { print "links: " use_place[i] ": [" substr(use[i], index(use[i], "[") + 1) "] leads nowhere"; bad++ }
    for (i = 1; i <= links; i++) {
      path = target_of[i]
      hash = sub(/#.*/, "", path) ? substr(target_of[i], index(target_of[i], "#")) : ""
      path = path == "" ? from[i] : plain(folder(from[i]) path)
      found = (path in pages) || system("test -e \"" path "\"") == 0
      if (found && hash != "" && (path in pages)) found = (path hash) in anchors
      if (!found) { print "links: " place[i] ": there is no " target_of[i]; bad++ }
    }
    if (!bad) printf "links: %d, and each leads somewhere\n", links
    exit bad > 0
  }' "$@"
