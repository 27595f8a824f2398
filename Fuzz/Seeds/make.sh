#!/bin/sh
# Makes the inputs that the fuzzers begin with: Fuzz/Seeds/make.sh writes Fuzz/Corpus/*/seed-*. Needs gcc, binutils and
# swiftc; the files are in the tree, as other versions of these would write others.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
corpus=../Corpus

# number VALUE BYTES: little-endian.
number() {
  value=$1
  for _ in $(seq "$2"); do
    printf "\\$(printf %o $((value & 255)))"
    value=$((value >> 8))
  done
}
size() { wc -c <"$1"; }
# What names folders of the machine is written over, at the same length.
toolchain=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)\/lib\/swift".*/\1/p')
nameless() { perl -pe 'BEGIN { @folders = splice @ARGV } for my $f (@folders) { s/\Q$f\E/"\/" . "x" x (length($f) - 1)/ge }' "$@"; }
seed() { mkdir -p "$corpus/$1" && nameless "$toolchain" "$HOME/" "$PWD" >"$corpus/$1/seed-$2"; }
# section FILE NAME: its contents, nothing where there is none.
section() {
  objcopy -O binary --only-section="$2" --set-section-flags "$2"=alloc "$1" "$work/section" 2>/dev/null || : >"$work/section"
  cat "$work/section"
}

# ---- programs
compile() { gcc "-ffile-prefix-map=$PWD=/seeds" -g "-gdwarf-$1" -O1 -fno-stack-protector -ffreestanding -fno-pic -c small.c -o "$work/small$1.o"; }
compact="-static -z norelro -z noseparate-code -Ttext-segment=0x10000 --build-id=sha1 --eh-frame-hdr"
for version in 3 4 5; do
  compile $version
  ld $compact "$work/small$version.o" -o "$work/small$version"
done
swiftc -file-prefix-map "$PWD=/seeds" -g -O -parse-as-library -module-name small -c small.swift -o "$work/swift.o"
objcopy --remove-section='.swift*' --remove-section='swift5*' --remove-section=.debug_gnu_pubnames \
  --remove-section=.debug_gnu_pubtypes "$work/swift.o" "$work/bare.o"
ld $compact --unresolved-symbols=ignore-all --entry=0 "$work/bare.o" -o "$work/swift"
for name in small3 small4 small5 swift; do seed elf $name <"$work/$name"; done
seed image small5 <"$work/small5"
objcopy --strip-debug "$work/small4" "$work/stripped" && seed image small4 <"$work/stripped"
objcopy --compress-debug-sections=zlib "$work/small5" "$work/packed" && seed elf packed <"$work/packed"

# ---- the sections of debug information
for name in small3 small4 small5 swift; do
  : >"$work/contents"
  for part in abbrev info line str line_str ranges rnglists addr str_offsets; do
    section "$work/$name" .debug_$part >"$work/part"
    number "$(size "$work/part")" 2
    cat "$work/part" >>"$work/contents"
  done >"$work/lengths"
  cat "$work/lengths" "$work/contents" | seed dwarf $name
done

# ---- packed data: the promised length and what stands behind the section's own header
readelf -SW "$work/packed" | sed -n 's/^ *\[ *[0-9]*\] //p' | while read -r name _ _ offset length _ flags _; do
  case $name$flags in .debug_*C*) ;; *) continue ;; esac
  dd if="$work/packed" of="$work/part" bs=1 skip=$((0x$offset)) count=$((0x$length)) status=none
  promised=$(od -An -tu4 -j8 -N4 "$work/part")
  { number "$promised" 2; tail -c +25 "$work/part"; } | seed inflate "${name#.debug_}"
done

# ---- unwind tables: flags, places of the registers, lengths; index and rules, code, stack
# unwind NAME OBJECT PLACE WORD...
unwind() {
  name=$1 object=$2 place=$3
  shift 3
  ld -static -z norelro -z noseparate-code -Ttext=0x12000 --section-start=.eh_frame_hdr=0x10200 \
    --section-start=.eh_frame=0x10230 --eh-frame-hdr "$object" -o "$work/unwound"
  objcopy -O binary -j .eh_frame_hdr -j .eh_frame "$work/unwound" "$work/table"
  objcopy -O binary -j .text "$work/unwound" "$work/code"
  # All known; without rbp; the copy cut, and the rest to be read from memory.
  for flags in 0 1 6; do
    {
      number $flags 1
      number "$place" 2
      number 0 2
      number 16 2
      number "$(size "$work/table")" 2
      number "$(size "$work/code")" 2
      cat "$work/table" "$work/code"
      for word in "$@"; do number "$word" 8; done
    } | seed unwind "$name$flags"
  done
}
unwind small "$work/small5.o" 16 0x1203e 0x12048 0x12063 0
as rules.s -o "$work/rules.o"
unwind rules "$work/rules.o" 23 0x12016 0 0x7fff0020 0x12005
unwind remembering "$work/rules.o" 14 0 0 0x7fff0020 0x12005

# ---- async contexts: the places of stack and frame, then the memory: contexts, and the word that leads to them
{
  number 0 2; number 72 2
  number 0x70000010 8; number 0x12008 8
  number 0x70000020 8; number 0x12010 8
  number 0 8; number 0x12020 8
  number 0 8; number 0 8
  number 0x70000000 8; number 0x70000080 8; number 0x12028 8
  for _ in 1 2 3 4 5 6; do number 0x70000010 8; done
} | seed async chain

# Two frames, each the other's caller.
{
  number 0 2
  number 16 2
  for word in 0 0 0x70000040 0x12010 0 0 0 0 0x70000010 0x12020; do number $word 8; done
} | seed async round

# ---- expressions: known registers, values, stack; code
expression() {
  number 0x1ffff 3
  for value in 0x7000 0x7008 5 0x10; do number $value 8; done
  for word in 0x7010 1 0x7020 3 4 5 6 7; do number $word 8; done
  printf "$2"
}
expression x '\167\010\006\043\007' | seed expression load
expression x '\010\005\011\377\012\001\000\022\026\034\036\041\042\044\045\046\047' | seed expression arithmetic
expression x '\060\123\052\053\054\055\056\051\037\040\226' | seed expression comparison
expression x '\020\200\001\021\177\017\001\002\003\004\005\006\007\010\032\023' | seed expression numbers

# ---- what the kernel writes
seed maps program <<'END'
00400000-00452000 r-xp 00000000 08:02 173521                             /usr/bin/program
00651000-00652000 rw-p 00051000 08:02 173521                             /usr/bin/program
7f0000000000-7f0000021000 rw-p 00000000 00:00 0 
7f1000000000-7f1000028000 r--p 00000000 08:02 135522                     /usr/lib/libc.so.6
7f1000028000-7f10001bd000 r-xp 00028000 08:02 135522                     /usr/lib/libc.so.6
7f1000300000-7f1000400000 r-xp 00010000 08:02 99 /tmp/a b (deleted)
7ffd10000000-7ffd10021000 rw-p 00000000 00:00 0                          [stack]
7ffd10100000-7ffd10102000 r-xp 00000000 00:00 0                          [vdso]
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
END
printf '7 0x55d0 0x1 0xffffffff 0x0 0x8 0x0 0x7ffc0010 0x7f00aa\n' | seed proc poll
printf '202 0x5008 0x80 0x2 0x0 0x0 0x0 0x7ffc0010 0x7f00aa\n' | seed proc futex
printf -- '-1 0x7ffc0010 0x7f00aa\n' | seed proc outside
printf 'running\n' | seed proc running
printf '123456 789 10\n' | seed proc schedstat
printf 'Name:\tx\nState:\tS (sleeping)\nPid:\t7\nSigBlk:\tfffffffe3bfbea27\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n' |
  seed proc status

# ---- waits: per thread the kind of call, place, operation, expected word, two more; then memory
wait_for() { number 0 1; number "$1" 1; number "$2" 1; number "$3" 2; number "$4" 1; number 0 1; }
{
  wait_for 0 128 2 0; wait_for 40 128 2 0; wait_for 80 128 3 0; wait_for 120 6 0 1; wait_for 160 0 2 0; wait_for 0 128 2 0
  mutex() { for value in 2 0 "$1" 1 0 0 0 0 0 0; do number "$value" 4; done; }
  mutex 2; mutex 1
  for value in 3 0 3 0 0 0 4 0 0 0; do number $value 4; done
  for value in 0x80000005 0 0 0 0 0 0 0 0 0; do number $value 4; done
  mutex 6
} | seed waits circle

# ---- names: a byte for the kind, and the name
name() { printf "\\$1$2" | seed demangle "$3"; }
name 0 '5small5outeryS2iF' function
name 0 '5small5outeryS2iF5localL_yS2iF' local
name 0 's10DictionaryV5small3KeyVABSHRzlE5valueq_Sgx_tcig' generic
name 0 '5small6WorkerC4work_2onySi_ScA_pYaKFTQ0_' async
name 1 'N5small6WorkerIiSt6vectorIdSaIdEEE4workERKNS_3KeyE' cpp
name 1 'Z4mainENKUlvE_clEv' lambda

# ---- reports: numbers and texts as they come
{
  number 250000000 8; number 4121 8; printf 'program\0'; number 1 8; number 0 2; number 1 8; printf 'main\0'; number 0 1
  printf 'worker\0default\0timer\0'; number 1790086400123000000 8; number 5 8; number 100000000 8; printf '0.1\0'
  printf '/usr/lib/libx.so\000001122\0'; number 0x400000 8; number 0x500000 8; number 4096 8; number 0 1
  for index in 1 2 3; do
    number 3 1
    number 1 1; printf '$s5small5outeryS2iF\0small.swift\0'; number 12 8; number 64 8; printf 'small.outer(Swift.Int) -> Swift.Int\0'
    number 2 1; printf 'read\0'
    number 3 1; printf 'outer\0small.c\0'; number $index 8
    number 50000000 8; number 50000000 8; printf 'R'; number 0 1
    number $index 8; printf 'pool\0'; number $index 1; number 1000 8; printf 'rax\0'; number 1 8; number 0x401000 8
    printf 'futex\0'; number 0x5000 8; number 2 8
  done
} | seed report stall

# ---- reports as JSON: everything known, with white space and without, and little more than what has to be
example=../../Tests/StallReportTests/Fixtures/stall-report-1.json
seed json example <"$example"
tr -d ' \n' <"$example" | seed json compact
seed json small <<'END'
{"schema":"stall-report/1","report_id":"00000000000000010000000000000002","kind":"deadlock","state":"ongoing",
"app":{"name":"a"},"process":{"pid":7},"loop":{"id":1,"name":"m","kind":"nio","thread":{"tid":7},"nesting":1},
"phase":{"name":"timer"},"time":{"start_unix_ns":"5","start_mono_ns":"5","threshold_ms":2.5e2,"duration_ms":300},
"images":[{"i":0,"name":"/a","base":"0x0","end":"0xff","in_app":true}],
"frames":[{"id":"f0","img":0,"off":"0x1","sym":"closure #1 in \u0066\ud83d\ude00","in_app":true,"inlined_into":"f1"},
{"id":"f1","kind":"gap:3"},{"id":"f2","sym":"read.cold.1","kind":"libc"}],"stacks":[["f2","f0","f1"],[]],
"samples":[{"t_ms":1,"stack":0,"weight_ms":5,"state":"S","cost_us":1.5,"how":"scan"}],
"threads":[{"tid":7,"stalled":true,"stack":0,"registers":{"pc":"0x1"},"waits_on":{"kind":"futex","addr":"0x8","owner_tid":8}},
{"tid":8,"name":"t","stalled":false,"stack":1}],"waits":{"cycle":[7,8],"edges":[[7,8,"futex"],[8,7,"futex"]]},
"monitor":{"version":"1"}}
END

# ---- archive: a sidecar with a stall that goes on and one that is over, and names
seed archive sidecar <<'END'
mainspring-stalls/1 running d6b80237eee07549
20261130T152820.757Z-43e88fd7 43e88fd70cfa4f9d2ee441e9163c35e5 00000000008800000000 00000000000000000000 349060ad3d5c61b6
20261130T152821.260Z-04dc931b 04dc931b65b9c79ebaf75d89389d8fc9 00000000008950000000 00000000008900000000 5a2fc40a61af404a
end 912638605d92904f
END
printf 20261130T014442.123Z-0f6d1c3e-5b0a7c11.sent.json.gz | seed archive name
printf .20261130T014442.123Z-0f6d1c3e-5b0a7c11.json.d3b0c6a2.part | seed archive part

du -sb "$corpus" >&2
