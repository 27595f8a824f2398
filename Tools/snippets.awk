# Takes the code blocks of an article and writes each as a function of its own, with the article's line numbers, so that
# the compiler's complaints name the article. What the paragraph "It prints" announces goes to a file beside it.
#
#   awk -v name=Modes -v article=Modes.md -v sources=FOLDER -v outputs=FOLDER -f Tools/snippets.awk <Modes.md
#
# A block may begin with imports; Mainspring need not be among them. Prints the names of the functions.

function finish() {
  file = sources "/" name "_" count ".swift"
  printf "import Mainspring\n%s\nfunc %s_%d() throws {\n", imports, name, count >file
  printf "#sourceLocation(file: \"%s\", line: %d)\n%s#sourceLocation()\n}\n", article, line, body >file
  close(file)
  print name "_" count
  if (lines > 30) {
    printf "%s:%d: a code block of %d lines; 30 are the most\n", article, line, lines >"/dev/stderr"
    failed = 1
  }
}

/^```swift$/ { inside = 1; count++; lines = 0; imports = ""; body = ""; line = FNR + 1; announced = 0; next }
/^```$/ && inside { inside = 0; finish(); next }
inside && body == "" && /^import / { imports = imports $0 "\n"; lines++; line = FNR + 1; next }
inside { body = body $0 "\n"; lines++; next }

/^It prints:?$/ { announced = 1; next }
/^```text$/ && announced { printing = 1; announced = 0; output = outputs "/" name "_" count; printf "" >output; next }
/^```$/ && printing { printing = 0; close(output); next }
printing { print >output; next }
/[^ ]/ { announced = 0 }

END { exit failed }
