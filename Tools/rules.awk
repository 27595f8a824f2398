# Matches the rules of Tools/rules.txt with the tests whose names begin with their numbers. See Tools/rules.sh.
#
# A name cites by what stands before its first ": ": numbers after "M" or "CF", separated by commas or spaces, where
# a number alone goes on with the letter before it: "M26: …", "M32, M38: …", "M26 CF 46: …", "CF 18, 20, 25: …".

function complain(text) { complaints[++complaintCount] = text }

# What the page explains: "### M26. …" and "| CF 26 | …".
FILENAME == page {
  if (match($0, /^### M[0-9]+\. /)) explained[substr($0, 5, RLENGTH - 6)] = 1
  if (match($0, /^\| CF [0-9]+ \|/)) explained[substr($0, 3, RLENGTH - 4)] = 1
  next
}

FILENAME == table {
  sub(/\r$/, "")
  if ($0 == "" || $0 ~ /^#/) next
  if (split($0, part, /; */) < 3 || part[1] !~ /^(M|CF )[0-9]+$/) { complain(table ": not understood: " $0); next }
  if (part[1] in status) { complain(table ": " part[1] " stands there twice"); next }
  order[++ruleCount] = part[1]
  title[part[1]] = substr($0, index($0, part[3]))
  heirs[part[1]] = ""
  status[part[1]] = part[2]
  if (part[2] ~ /^changed/) {
    status[part[1]] = "changed"
    heirs[part[1]] = part[2]
    sub(/^changed:? */, "", heirs[part[1]])
  } else if (part[2] !~ /^(tested|later|not applicable)$/) {
    complain(table ": " part[1] " has a status that there is not: " part[2])
  }
  next
}

# The name of a test stands after "func", or, where it is long, alone on the next line.
match($0, /(func |^ +)`[^`]*`/) {
  name = substr($0, RSTART, RLENGTH - 1)
  name = substr(name, index(name, "`") + 1)
  colon = index(name, ": ")
  head = colon ? substr(name, 1, colon - 1) : ""
  if (head ~ /^(M|CF)[ 0-9]/ && head !~ /[a-z]/) cite(head, substr(name, colon + 2), FILENAME ":" FNR)
  else if (name ~ /^(M|CF) ?[0-9]/) complain(FILENAME ":" FNR ": a number without a colon: " name)
}

function cite(head, text, place,    word, count, i, letter, rule, seen) {
  gsub(/,/, " ", head)
  count = split(head, word, " ")
  for (i = 1; i <= count; i++) {
    if (word[i] == "CF") { letter = "CF "; continue }
    if (word[i] ~ /^M[0-9]+$/) { letter = "M"; word[i] = substr(word[i], 2) }
    if (letter == "" || word[i] !~ /^[0-9]+$/) { complain(place ": not understood: " word[i]); continue }
    rule = letter word[i]
    if (rule in seen) continue
    seen[rule] = 1
    if (!(rule in status)) complain(place ": cites " rule ", which there is not")
    else if (status[rule] ~ /^(later|not applicable)$/) complain(place ": cites " rule ", which is " status[rule])
    tests[rule]++
    place_of[rule, tests[rule]] = place
    text_of[rule, tests[rule]] = text
  }
}

function check(    i, rule, heir, count, j, list) {
  for (i = 1; i <= 60; i++) if (!("M" i in status)) complain(table ": M" i " is missing")
  for (i = 1; i <= 89; i++) if (!("CF " i in status)) complain(table ": CF " i " is missing")
  for (i = 1; i <= ruleCount; i++) {
    rule = order[i]
    if ((status[rule] == "tested" || status[rule] == "changed" && heirs[rule] == "") && !tests[rule])
      complain(rule " has no test: " title[rule])
    if (tests[rule] && !(rule in explained)) complain(rule " has tests and is not explained in " page)
    count = split(heirs[rule], list, /, */)
    for (j = 1; j <= count; j++) {
      heir = list[j]
      if (!(heir in status)) complain(rule " is said to be changed by " heir ", which there is not")
      else if (!tests[heir]) complain(rule " is changed by " heir ", which has no test")
    }
  }
}

function shown(rule) {
  return status[rule] == "changed" && heirs[rule] != "" ? "changed by " heirs[rule] : status[rule]
}

function show(    i, j, rule, file) {
  for (i = 1; i <= ruleCount; i++) {
    rule = order[i]
    printf "%-6s %-19s %s\n", rule, shown(rule), title[rule]
    for (j = 1; j <= tests[rule]; j++) {
      file = place_of[rule, j]
      sub(/.*\//, "", file)
      printf "       %-34s %s\n", file, text_of[rule, j]
    }
  }
}

function quoted(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/"/, "\\\"", text)
  return "\"" text "\""
}

function show_json(    i, j, rule, count, list, at) {
  print "["
  for (i = 1; i <= ruleCount; i++) {
    rule = order[i]
    printf "  {\"rule\": %s, \"title\": %s, \"status\": %s, \"changedBy\": [", quoted(rule), quoted(title[rule]), quoted(status[rule])
    count = split(heirs[rule], list, /, */)
    for (j = 1; j <= count; j++) printf "%s%s", quoted(list[j]), (j < count ? ", " : "")
    printf "], \"tests\": ["
    for (j = 1; j <= tests[rule]; j++) {
      split(place_of[rule, j], at, ":")
      printf "%s{\"name\": %s, \"file\": %s, \"line\": %d}", (j > 1 ? ", " : ""), quoted(text_of[rule, j]), quoted(at[1]), at[2]
    }
    print "]}" (i < ruleCount ? "," : "")
  }
  print "]"
}

END {
  check()
  if (form == "json") show_json(); else if (form == "text") show()
  for (i = 1; i <= ruleCount; i++) { counted[status[order[i]]]++; if (tests[order[i]]) held++ }
  for (i = 1; i <= complaintCount; i++) print "rules: " complaints[i] > "/dev/stderr"
  if (form != "json")
    printf "rules: %d numbers, %d with tests of their own, %d changed, %d later, %d not applicable, %d complaints\n",
      ruleCount, held, counted["changed"], counted["later"], counted["not applicable"], complaintCount
  exit complaintCount > 0
}
