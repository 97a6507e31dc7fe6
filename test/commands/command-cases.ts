import type { Dialect } from '../../src/main/runtimes/simulated/shell/syntax/syntax.ts'

/**
 * A script, the time of SIGTERM, and its exit code and time, in seconds after the start. SIGKILL follows `killAfter` later. This
 * is what dash 0.5.12, busybox 1.35 and bash 5.2 do as PID 1 of a PID namespace (real-shells.test.ts); `only` names the dialect
 * if they differ.
 */
export interface CommandCase {
  readonly script: string
  readonly term?: number
  readonly exitCode: number
  readonly at: number
  readonly only?: Dialect
}

/** Seconds from SIGTERM to SIGKILL in every case. */
export const killAfter = 4

function ends(exitCode: number, at: number, script: string): CommandCase {
  return { script, exitCode, at }
}

function terminated(term: number, exitCode: number, at: number, script: string): CommandCase {
  return { script, term, exitCode, at }
}

function only(dialect: Dialect, one: CommandCase): CommandCase {
  return { ...one, only: dialect }
}

const withoutHandler = [
  terminated(1, 137, 5, 'sleep 3600'),
  terminated(1, 137, 5, 'echo hello && sleep 3600'),
  terminated(1, 137, 5, 'sleep infinity'),
  terminated(1, 137, 5, 'sleep 1d'),
  terminated(1, 137, 5, 'tail -f /dev/null'),
  terminated(1, 137, 5, 'exec sleep 3600'),
  terminated(1, 137, 5, 'sleep 3600 & wait'),
  terminated(0.5, 137, 4.5, 'while true; do sleep 1; done'),
  terminated(0.5, 137, 4.5, 'while :; do date; sleep 1; done'),
  terminated(0.5, 137, 4.5, 'until false; do sleep 1; done'),
  terminated(0.5, 137, 4.5, 'while true; do :; done'),
  terminated(1, 137, 5, 'trap "" TERM; sleep 3600'),
  terminated(1, 137, 5, "trap 'exit 1' INT; sleep 3600"),
  terminated(1, 137, 5, "trap 'exit 3' TERM; trap - TERM; sleep 3600"),
  terminated(1, 137, 5, "trap 'exit 3' TERM; exec sleep 3600"),
  terminated(1, 137, 5, "trap 'exit 3' TERM; sleep 3600"),
  terminated(0.5, 137, 4.5, "trap 'echo no' TERM; while true; do sleep 1; done"),
  terminated(0.3, 137, 4.3, "trap 'trap - TERM; kill $$' TERM; while true; do sleep .5; done"),
  terminated(1, 0, 2, 'sleep 2'),
  terminated(1, 0, 2, "trap '' TERM; sleep 2 & wait"),
  terminated(1, 0, 2, 'sleep 2 & wait'),
  terminated(1, 0, 2, "trap '' TERM; exec sleep 2"),
  terminated(1, 0, 2, "trap 'exit 3' TERM; exec sleep 2"),
]

const withHandler = [
  terminated(1, 3, 2, "trap 'exit 3' TERM; sleep 2"),
  terminated(1, 3, 2, "trap 'exit 3' TERM; sleep 2; exit 5"),
  terminated(1, 3, 2, "trap -- 'exit 3' TERM; sleep 2"),
  terminated(0.5, 3, 1, "trap 'exit 3' TERM; while true; do sleep 1; done"),
  terminated(1.5, 3, 2, "trap 'exit 3' TERM; while true; do echo x; sleep 1; done"),
  terminated(2.2, 3, 2.5, "trap 'exit 3' TERM; while true; do sleep 1; sleep .5; done"),
  terminated(0.5, 3, 1, "trap 'exit 3' TERM; until false; do sleep 1; done"),
  terminated(0.3, 3, 0.5, "trap 'exit 3' 15; while true; do sleep .5; done"),
  terminated(0.3, 3, 0.5, "trap 'exit 3' term; while true; do sleep .5; done"),
  terminated(
    1.5,
    3,
    2,
    "trap 'exit 3' TERM; i=0; while true; do i=$((i+1)); echo $i; sleep 1; done",
  ),
  terminated(1.5, 3, 2, "trap 'exit 3' TERM; for i in 1 2 3; do sleep 1; done; exit 5"),
  terminated(0.5, 3, 1, "trap 'exit 3' TERM; f() { while true; do sleep 1; done; }; f"),
  terminated(0.3, 3, 0.5, "f() { trap 'exit 3' TERM; }; f; while true; do sleep .5; done"),
  terminated(
    0.5,
    3,
    1,
    'stop() { echo bye; exit 3; }; trap stop TERM; while true; do sleep 1; done',
  ),
  terminated(0.5, 0, 1, 'trap exit TERM; while true; do sleep 1; done'),
  terminated(0.5, 5, 1, "trap 'echo; exit 5' TERM INT; while true; do date; sleep 1; done"),
  terminated(1, 0, 2, 'trap exit TERM; false; sleep 2'),
  terminated(1, 0, 2, "trap 'echo x' TERM; sleep 2"),
  terminated(1, 7, 2, "trap 'exit 7' TERM; (sleep 2); echo"),
  terminated(1, 7, 2, "trap 'exit 7' TERM; (sleep 2; exit 3)"),
  terminated(1, 7, 2, "trap 'exit 7' TERM; sleep 2 && sleep 2"),
  terminated(1, 3, 2, "trap 'exit 3' TERM; sleep 2 || true; exit 4"),
  terminated(0.5, 3, 1, "trap 'exit 3' TERM; ! sleep 1; exit 4"),
  terminated(1, 3, 2, "trap 'exit 3' TERM; (trap 'exit 4' TERM; sleep 2); exit 5"),
  terminated(1, 0, 1, "trap 'exit 0' TERM; while true; do :; done"),
  terminated(1, 0, 1, "trap 'exit 0' TERM; while true; do echo busy; done"),
  terminated(0.5, 8, 1, "trap 'x=1' TERM; x=0; while [ $x = 0 ]; do sleep 1; done; exit 8"),
  terminated(0.3, 5, 0.5, "trap 'break' TERM; while true; do sleep .5; done; exit 5"),
  terminated(0.5, 0, 1, "trap 'false' TERM; sleep 1; exit $?"),
  terminated(0.5, 3, 1, "trap 'return 3' TERM; f() { sleep 1; exit 9; }; f; exit $?"),
  terminated(0.5, 3, 1, "trap 'exit 3' TERM NOSUCH; sleep 1; exit 5"),
  terminated(0.5, 4, 1, 'trap TERM; sleep 1; exit 4'),
  terminated(0.5, 3, 2, "trap 'sleep 1; exit 3' TERM; while true; do sleep 1; done"),
]

const waiting = [
  terminated(1, 3, 1, "trap 'exit 3' TERM; sleep 20 & wait"),
  terminated(1, 143, 1, 'trap : TERM; sleep infinity & wait'),
  terminated(1, 143, 1, 'trap : TERM INT; sleep infinity & wait'),
  terminated(1, 143, 1, 'trap exit TERM; sleep infinity & wait'),
  terminated(1, 4, 1, "trap 'kill $!; exit 4' TERM; sleep 100 & wait"),
  terminated(1, 9, 2, 'trap : TERM; sleep 5 & wait; sleep 1; exit 9'),
  terminated(1, 0, 3, 'trap : TERM; sleep 3 & wait; wait'),
  terminated(1, 5, 3, "trap 'wait; exit 5' TERM; sleep 3 & wait"),
  terminated(0.5, 6, 1.5, "trap 'sleep 1; exit 6' TERM; sleep 100 & wait"),
  terminated(0.5, 3, 0.5, "trap 'exit 3' TERM; while true; do sleep 1; done & wait"),
  terminated(1, 3, 1, "trap 'exit 3' TERM; while true; do sleep 5 & wait $!; done"),
  terminated(1, 143, 1, "trap 'kill -TERM $P' TERM; sleep 100 & P=$!; wait $P"),
  terminated(1, 143, 1, "trap 'kill -TERM $P' TERM; sleep 100 & P=$!; wait $P; wait $P; exit $?"),
  terminated(1, 3, 2, "trap 'exit 3' TERM; sleep 3 & sleep 2; wait"),
  terminated(0.5, 3, 0.5, "trap 'exit 3' TERM; sleep 1 & sleep 2 & wait"),
  terminated(1, 0, 0, "trap 'exit 3' TERM; wait"),
  ends(5, 1, '(sleep 1; exit 5) & wait $!'),
  ends(0, 0, '(exit 5) & wait'),
  ends(0, 0, 'false & wait'),
  ends(1, 0, 'false & wait $!; exit $?'),
  ends(3, 1, '{ sleep 1; exit 3; } & wait $!; exit $?'),
  ends(3, 0, 'sleep 1 & exit 3'),
  ends(6, 2, 'sleep 1 & sleep 2 & wait; exit 6'),
  ends(0, 2, '(sleep 1; exit 3) & (sleep 2; exit 4) & wait; exit $?'),
  ends(4, 2, '(sleep 1; exit 3) & A=$!; (sleep 2; exit 4) & B=$!; wait $A $B; exit $?'),
  ends(3, 2, '(sleep 1; exit 3) & A=$!; (sleep 2; exit 4) & B=$!; wait $B $A; exit $?'),
  ends(127, 0, 'wait 999'),
  ends(127, 0, 'wait 1'),
  ends(127, 0, 'sleep 2 & P=$!; (wait $P); exit $?'),
  ends(0, 0, 'sleep 2 & (wait); exit $?'),
  ends(0, 0, 'true &\nwait $!; wait $!'),
  ends(0, 0, 'true; wait; exit $?'),
  ends(2, 1, 'sleep 1 && echo a &\nwait; exit 2'),
  ends(1, 0, 'exit 1 &\nwait $!; exit $?'),
  ends(0, 1, 'sleep 1 2>/dev/null & wait'),
]

const killing = [
  ends(3, 0, "trap 'exit 3' TERM; kill $$; exit 4"),
  ends(4, 0, 'kill $$; exit 4'),
  ends(4, 0, 'kill -9 1; exit 4'),
  ends(3, 0, 'kill -s TERM $$; exit 3'),
  ends(3, 0, 'kill -15 $$; exit 3'),
  ends(1, 0, 'kill -0 999; exit $?'),
  ends(0, 0, 'sleep 2 & kill -0 $!; exit $?'),
  ends(1, 0.2, 'sleep .2 & P=$!; wait; kill -0 $P; exit $?'),
  ends(
    4,
    1,
    "(trap 'exit 4' TERM; while true; do sleep .5; done) & P=$!; sleep .7; kill $P; wait $P",
  ),
  ends(143, 1, '(while true; do sleep .5; done) & P=$!; sleep 1; kill $P; wait $P'),
  ends(137, 1, 'sleep 9 & P=$!; sleep 1; kill -9 $P; wait $P'),
  ends(0, 2, "trap '' TERM; (sleep 2) & P=$!; sleep 1; kill $P; wait $P"),
]

const exitTraps = [
  ends(3, 1, "trap 'exit 3' EXIT; sleep 1"),
  ends(4, 0, "trap 'echo bye' EXIT; exit 4"),
  ends(4, 0, "trap 'false' EXIT; exit 4"),
  ends(4, 0, "trap 'exit' EXIT; exit 4"),
  ends(1, 0, "trap 'exit 5' EXIT; exec false"),
  ends(1, 0, "trap 'exit 3' NOSUCH; exit $?"),
  ends(0, 0, "trap 'exit 3' KILL; exit $?"),
  ends(5, 2, "trap 'sleep 1; exit 5' EXIT; sleep 1"),
  terminated(0.5, 3, 1, "trap 'exit 3' EXIT TERM; while true; do sleep 1; done"),
  terminated(
    0.5,
    9,
    1,
    "trap 'echo; exit 3' TERM; trap 'exit 9' EXIT; while true; do sleep 1; done",
  ),
  terminated(1, 0, 3, "trap 'echo' EXIT; trap '' TERM; sleep 3"),
  terminated(1, 0, 3, "trap 'echo' EXIT; trap - EXIT; sleep 3"),
  terminated(1, 0, 3, "trap 'echo' EXIT; exec sleep 3"),
  only('sh', terminated(0.5, 137, 4.5, "trap 'exit 3' EXIT; while true; do sleep 1; done")),
  only('bash', terminated(0.5, 143, 0.5, "trap 'exit 3' EXIT; while true; do sleep 1; done")),
  only('sh', terminated(1, 3, 4, "trap 'sleep 1; exit 3' EXIT; sleep 3")),
  only('bash', terminated(1, 143, 2, "trap 'sleep 1; exit 3' EXIT; sleep 3")),
  only('sh', terminated(1, 2, 3, "trap 'echo' EXIT; (sleep 3); exit 2")),
  only('bash', terminated(1, 143, 1, "trap 'echo' EXIT; (sleep 3); exit 2")),
  only('bash', terminated(1, 143, 1, "trap 'echo' EXIT; sleep 3 & wait")),
  only('bash', terminated(0.5, 143, 0.5, "trap 'sleep 3; exit 4' EXIT; exit 0")),
  terminated(0.5, 0, 1, "trap '' EXIT; sleep 1"),
  terminated(0.5, 0, 1, "trap 'echo' TERM; trap 'echo' EXIT; trap - TERM; sleep 1"),
  only(
    'bash',
    terminated(0.5, 143, 0.5, "trap 'echo' EXIT; trap 'x=1' TERM; trap - TERM; sleep 1"),
  ),
]

const exitCodes = [
  ends(0, 0, 'true'),
  ends(1, 0, 'false'),
  ends(3, 0, 'exit 3'),
  ends(3, 0, 'exit\t3'),
  ends(3, 0, '\n\nexit 3\n\n'),
  ends(3, 0, 'exit 3;'),
  ends(3, 0, 'echo a; # comment\nexit 3 # more'),
  ends(0, 0, 'exit 256'),
  ends(44, 0, 'exit 300'),
  ends(2, 0, 'exit abc'),
  ends(2, 0, "exit ''"),
  ends(1, 0, 'false; exit'),
  ends(1, 0, '! true'),
  ends(0, 0, '! false'),
  ends(0, 0, '! { false; }; exit $?'),
  ends(3, 0, 'exec; exec true > /dev/null & wait; exit 3'),
  ends(0, 0, 'exec true; exit 4'),
  ends(3, 0, '(exec false); exit 3'),
  ends(6, 0, 'true && false || exit 6'),
  ends(6, 0, 'false && true || exit 6; exit 7'),
  ends(8, 0, 'false || true && exit 8'),
  ends(1, 0, 'echo hi > /dev/null 2>&1; false >> /dev/null'),
  ends(3, 1, '{ sleep 1; exit 3; } > /dev/null'),
  ends(0, 0, ''),
  ends(0, 0, '# only a comment'),
]

const flow = [
  ends(4, 1, 'if sleep 1; then exit 4; fi'),
  ends(0, 0, 'false; if false; then :; fi'),
  ends(2, 0, 'if false; then exit 1; elif true; then exit 2; else exit 3; fi'),
  ends(3, 0, 'if false; then exit 1; elif false; then exit 2; else exit 3; fi'),
  ends(3, 1, 'while sleep 1; do break; done; exit 3'),
  ends(0, 0, 'false; while false; do :; done'),
  ends(0, 0, 'for i in; do false; done'),
  ends(2, 1.5, 'for i in $(seq 1 3); do sleep .5; done; exit 2'),
  only('bash', ends(3, 0, 'for i in {1..3}; do x=$i; done; exit $x')),
  ends(2, 0, 'for i in 1 2 3; do [ $i = 2 ] && break; done; exit $i'),
  ends(11, 0, 'for i in 1 2 3; do for j in 1 2; do break 2; done; done; exit $i$j'),
  ends(7, 0, 'for i in 1 2 3; do [ $i = 2 ] || continue; exit 7; done'),
  ends(4, 0.5, 'while true; do for i in 1 2; do continue 2; done; exit 3; done & sleep .5; exit 4'),
  ends(5, 0, 'break; exit 5'),
  only('bash', ends(5, 0, 'f() { break; }; for i in 4 5; do f; done; exit $i')),
  ends(3, 0.9, 'i=0; while [ $i -lt 3 ]; do i=$((i+1)); sleep .3; done; exit $i'),
  ends(3, 0, 'i=0; until [ "$i" -ge 3 ]; do i=`expr $i + 1`; done; exit $i'),
  ends(3, 1, 'f() { sleep 1; return 3; }; f; exit $?'),
  ends(3, 0, 'f() { return 3; }; f'),
  ends(7, 0, 'f() { exit $1; }; f 7'),
  ends(5, 0, 'f() { x=5; }; x=1; f; exit $x'),
  ends(1, 0, 'x=1; (x=2); exit $x'),
  ends(2, 0, 'x=1; { x=2; }; exit $x'),
  ends(1, 0, 'x=1; x=2 & wait; exit $x'),
]

const values = [
  ends(5, 0, 'x=5; exit $x'),
  ends(5, 0, 'exit $((2+3))'),
  ends(3, 0, 'x=$(echo 3); exit $x'),
  ends(7, 0, 'export X=7 Y=8; exit $X'),
  ends(4, 0, 'exit ${Y:-4}'),
  ends(4, 0, 'Y=; exit ${Y:-4}'),
  ends(2, 0, 'Y=; exit "${Y-4}"'),
  ends(3, 0, 'exit $((7/2))'),
  ends(7, 0, 'exit $((-7 % 4 + 10))'),
  ends(9, 0, 'x=4; exit $((x*2+1))'),
  ends(9, 0, 'x=4; exit $(($x * 2 + 1))'),
  ends(1, 0, 'exit $((2>1))'),
  ends(9, 0, 'exit $(( (1+2)*3 ))'),
  ends(2, 0, 'exit $((!0 + (1 && 0) + (1 || 0)))'),
  ends(8, 0, 'exit $((010))'),
  ends(1, 0, 'x=; exit $((x+1))'),
  ends(0, 0, '[ 1 -lt 2 ]'),
  ends(2, 0, '[ x -lt 2 ]'),
  ends(1, 0, 'test'),
  ends(0, 0, '[ -n ]'),
  ends(5, 0, '[ ! 1 = 2 ] && exit 5'),
  ends(5, 0, "[ -z '' ] && exit 5"),
  ends(5, 0, '[ 1 -eq 01 ] && exit 5'),
  ends(5, 0, 'x="a  b"; [ "$x" = "a  b" ] && exit 5'),
  ends(2, 0, 'set -- a b c; exit $(($# - 1))'),
  ends(3, 0, 'f() { exit $#; }; set -- a "b c"; f "$@" x'),
  ends(2, 0, "x='a b'; f() { exit $#; }; f $x"),
  ends(1, 0, 'x=; f() { exit $#; }; f $x "$x"'),
  ends(1, 0, 'expr 1 - 1'),
  ends(0, 0, 'expr 3 + 4'),
  ends(1, 0, 'printenv NO_SUCH_VARIABLE'),
  only('bash', ends(4, 0, '[[ a == b ]] || exit 4')),
  only('bash', ends(5, 0, 'x="a b"; [[ $x == "a b" ]] && exit 5')),
]

const sleeping = [
  ends(1, 0, 'sleep'),
  ends(1, 0, 'sleep abc'),
  ends(1, 0, 'sleep -1'),
  ends(1, 0, 'sleep 1x; exit 1'),
  ends(0, 2, 'sleep 1 1'),
  ends(0, 1, 'sleep -- 1'),
  ends(0, 1, 'sleep 1s'),
  ends(0, 0.6, 'sleep 0.01m'),
  ends(0, 0.5, 'sleep .5'),
  ends(0, 1, '/bin/sleep 1'),
]

const errexit = [
  ends(1, 0, 'set -e; false; exit 3'),
  ends(1, 0, 'set -o errexit; false; exit 3'),
  ends(3, 0, 'set -ex; exit 3'),
  ends(3, 0, 'set -e; set +e; false; exit 3'),
  ends(3, 0, 'set -e; false || true; exit 3'),
  ends(3, 0, 'set -e; ! true; exit 3'),
  ends(3, 0, 'set -e; if false; then :; fi; exit 3'),
  ends(4, 0, 'set -e; (exit 4); exit 0'),
  ends(5, 0, 'set -e; (false; exit 5) || exit $?'),
  ends(3, 0, 'set -e; if (false; true); then exit 3; fi'),
  ends(1, 0, 'set -e; x=$(expr 1 - 1); exit 3'),
  ends(9, 0, 'set -e; f() { false; exit 9; }; f || true; exit 3'),
  ends(1, 0, 'set -e; true && false; exit 3'),
  ends(3, 0, 'set -e; false && true; exit 3'),
  ends(1, 0, 'set -e; { false; }; exit 3'),
  ends(3, 0, 'set -e; while false; do :; done; exit 3'),
  ends(2, 0, 'set -e; f() { return 2; }; f; exit 9'),
  ends(6, 1, 'set -e; sleep 1 & wait $!; (exit 6) & wait $!; exit 9'),
  terminated(0.5, 3, 0.5, "set -e; trap 'exit 3' TERM; sleep 5 & wait"),
  terminated(0.5, 143, 0.5, "set -e; trap 'echo x' TERM; sleep 5 & wait; exit 9"),
  terminated(0.5, 1, 1, "set -e; trap 'false' TERM; sleep 1; exit 9"),
]

export const commandCases: readonly CommandCase[] = [
  ...withoutHandler,
  ...withHandler,
  ...waiting,
  ...killing,
  ...exitTraps,
  ...exitCodes,
  ...flow,
  ...values,
  ...sleeping,
  ...errexit,
]
