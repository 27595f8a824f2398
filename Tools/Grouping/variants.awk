# Makes a variant of Stalls.swift: -v kind=lines, order or names. What lies behind `// PIECE` up to the next is a piece.
/^\/\/ PIECE/ { count++; next }
count == 0 { print; next }
{ piece[count] = piece[count] $0 "\n" }
END {
  for (i = 1; i <= count; i++) {
    text = piece[kind == "order" ? count + 1 - i : i]
    if (kind == "lines") for (line = 1; line <= 40; line++) print "// A line that moves the others."
    if (kind == "names") gsub(/unrelated/, "entirelyDifferent", text)
    printf "%s", text
  }
  if (kind == "names") for (i = 1; i <= 9; i++) print "@inline(never) func added" i "() -> Int { " i " }"
}
