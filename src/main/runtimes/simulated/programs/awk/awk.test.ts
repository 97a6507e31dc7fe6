import { describe, expect, it } from 'vitest'
import { RandomPicker } from '../../../../../../test/random-picker.ts'
import { seededRandom } from '../../../../clock/seeded-random.ts'
import type { Outcome } from '../../../../../../test/busybox/as-busybox.ts'
import { hasApplets, inBusybox, inContainer } from '../../../../../../test/busybox/as-busybox.ts'

const files = {
  f: 'alpha 10 x\nbeta 9.5  y\n# gamma\n\n  delta -3 alpha\n',
  passwd: 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n',
  mem: 'MemTotal:       16384 kB\nMemFree:         1024 kB\n',
  end: 'a b\nc d',
}

/** As they stand in manifests and tutorials. */
const usual: readonly (readonly string[])[] = [
  ['{print $1}', 'f'],
  ['{print $2, $1}', 'f'],
  ['{ print $NF }', 'f'],
  ['{print NR": "$0}', 'f', 'end'],
  ['{print FNR, NR, FILENAME}', 'f', 'end'],
  ['NR==2', 'f'],
  ['NR>1 && NF {print $1}', 'f'],
  ['/alpha/', 'f'],
  ['!/alpha/{print "no", NF}', 'f'],
  ['/beta/,/delta/', 'f'],
  ['$1 ~ /^a/ {print $2}', 'f'],
  ['$2 > 9', 'f'],
  ['$2 == 9.50 {print "same"}', 'f'],
  ['-F:', '{print $1, $3}', 'passwd'],
  ['-F', ':', '$3 >= 1000 {print $1}', 'passwd'],
  ['-F', '[:/]+', '{print $2 "-" $NF}', 'passwd'],
  ['BEGIN{FS=":"; OFS="|"} {$2=""; print}', 'passwd'],
  ['BEGIN {print "start"} {n++} END {print n, "lines"}', 'f'],
  ['{sum += $2} END {print sum, sum/NR}', 'f'],
  ['{s+=$2} END {printf "%.2f %d %s\\n", s, s, s}', 'f'],
  ['/MemFree/ {print $2/1024 "Mi"}', 'mem'],
  ['{printf "%-10s|%5d|\\n", $1, $2}', 'f'],
  ['BEGIN {for (i = 1; i <= 3; i++) print i, i*i}'],
  ['BEGIN {i = 5; while (i-- > 0) { if (i == 3) continue; if (i == 1) break; print i }}'],
  ['BEGIN {do { n++ } while (n < 5); print n}'],
  ['{count[$1]++} END {for (k in count) print k, count[k]}', 'f', 'f', 'end'],
  ['{a[NR]=$0} END {for (i=NR; i>0; i--) print a[i]}', 'f'],
  ['{if ($2 > 5) print "big"; else print "small"}', 'f'],
  ['{print ($2 > 5 ? "yes" : "no")}', 'f'],
  ['{gsub(/a/, "<&>"); print}', 'f'],
  ['{print gsub(/[aeiou]/, ""), $0}', 'f'],
  ['{sub("alpha", "omega", $1); print; print NF}', 'f'],
  ['{print length, length($1), substr($1, 2, 3), index($0, "l")}', 'f'],
  ['{print toupper($1) tolower("ABC")}', 'f'],
  ['{n = split($0, parts, "a"); print n, parts[1]}', 'f'],
  ['{if (match($0, /[a-z]+ [0-9]/)) print RSTART, RLENGTH}', 'f'],
  ['-v', 'min=9', '$2 > min {print $1}', 'f'],
  ['-v', 'name=x', 'BEGIN {print "hello " name; exit 3} END {print "end"}'],
  ['NR==3 {exit 2} {print} END {print "end"}', 'f'],
  ['{$1=$1; print}', 'f'],
  ['{NF=2; print; $5="e"; print}', 'f'],
  ['BEGIN {x["a"]; if ("a" in x) print "in"; delete x["a"]; print ("a" in x)}'],
  ['BEGIN {x[1,2]=3; for (k in x) { split(k, p, SUBSEP); print p[1], p[2] }}'],
  ['BEGIN {print 1e6, 1e20, 0.1, 100000 * 100000, 1/3, -0}'],
  ['BEGIN {print 1 " " 2, 1+1 "" 3, -1 " " -2, "a" > "/dev/stderr"}'],
  ['BEGIN {print substr("hello", 0, 2), substr("hello", -1), int(-3.7), 7 % 3}'],
  [
    'BEGIN {printf "%5.1f|%-5s|%05d|%x|%c|%%|%e|%g\\n", 3.14159, "ab", 42, 255, "z", 1234.5, 0.0001}',
  ],
  ['BEGIN{ORS=";"; OFS="-"} {print $1,$2}', 'f'],
  ['{print $1}', 'absent'],
  ['{print}', 'end', 'x=1', 'end'],
  ['{ next; print "never" } END { print NR }', 'f'],
  ['# a comment\nBEGIN {\n  # another\n  print "a",\n    "b"\n}\n'],
  ['BEGIN { if (!x) print "unset"; x = "0"; if (x) print "text" }'],
  ['$1 == "alpha" || $3 == "y" { print NR }', 'f'],
  ['{ $2 += 1 } 1', 'f'],
]

const unread: readonly (readonly string[])[] = [
  ['{print | "sort"}', 'f'],
  ['{print > "out"}', 'f'],
  ['BEGIN {while ((getline line < "f") > 0) print line}'],
  ['function f(x) {return x} {print f($1)}', 'f'],
  ['BEGIN {system("date")}'],
  ['BEGIN {print rand()}'],
  ['-f', 'script', 'f'],
  ['{print', 'f'],
]

const canAsk = hasApplets(['awk'])

describe('awk', () => {
  it.each(unread)('does not read %s %s', async (...operands) => {
    expect(await inContainer(['awk', ...operands], files)).toEqual(expect.stringMatching(/^awk /))
  })

  it.skipIf(!canAsk).each(usual.map((operands) => ({ operands })))(
    'does what busybox does with $operands',
    async ({ operands }) => {
      const outcome = await inContainer(['awk', ...operands], files)
      expect(sorted(outcome, operands)).toEqual(
        sorted(inBusybox(['awk', ...operands], files), operands),
      )
    },
  )

  it.skipIf(!canAsk)('does what busybox does with random programs and lines', async () => {
    const pick = new RandomPicker(seededRandom(7))
    let compared = 0
    for (let round = 0; round < 300; round++) {
      const operands = [
        ...(pick.is(0.3) ? ['-F', pick.oneOf(':', ',', '[:,]', 'b', ' ')] : []),
        randomProgram(pick),
        'f',
      ]
      const given = { f: randomLines(pick) }
      const outcome = await inContainer(['awk', ...operands], given)
      if (typeof outcome === 'string') continue
      compared++
      const real = inBusybox(['awk', ...operands], given)
      expect(sorted(outcome, operands), JSON.stringify({ operands, given })).toEqual(
        sorted(real, operands),
      )
    }
    expect(compared).toBeGreaterThan(200)
  })
})

/** The order of `for (k in a)` is not defined. */
function sorted(outcome: Outcome | string, operands: readonly string[]): Outcome | string {
  if (typeof outcome === 'string' || !operands.some((one) => one.includes('in '))) return outcome
  return { ...outcome, stdout: outcome.stdout.split('\n').toSorted().join('\n') }
}

function randomLines(pick: RandomPicker): string {
  const part = () => pick.oneOf('a', 'b', 'ab', ' ', '  ', ':', ',', '1', '2.5', '-3', '10', 'x')
  const line = () => Array.from({ length: pick.whole(0, 7) }, part).join('')
  return Array.from({ length: pick.whole(0, 6) }, () => `${line()}\n`).join('')
}

function randomValue(pick: RandomPicker, depth: number): string {
  if (depth === 0)
    return pick.oneOf(
      '$1',
      '$2',
      '$0',
      '$NF',
      'NR',
      'NF',
      '"a"',
      '"10"',
      '1',
      '2.5',
      'n',
      'a["k"]',
      'a[$1]',
    )
  const inner = () => randomValue(pick, depth - 1)
  return pick.oneOf(
    inner(),
    `(${inner()} ${pick.oneOf('+', '-', '*', '', '<', '>=', '==', '!=', '&&', '||')} ${inner()})`,
    `length(${inner()})`,
    `substr(${inner()}, ${pick.whole(-1, 3)}, ${pick.whole(0, 3)})`,
    `index(${inner()}, ${pick.oneOf('"a"', '"1"')})`,
    `(${inner()} ~ /${pick.oneOf('a', '^1', '[0-9]+$', 'a|b', '\\.')}/)`,
    `(${inner()} ? ${inner()} : ${inner()})`,
    `int(${inner()})`,
    `toupper(${inner()})`,
    `c++`,
    `!${inner()}`,
  )
}

function randomStatement(pick: RandomPicker): string {
  const value = () => randomValue(pick, pick.whole(0, 2))
  return pick.oneOf(
    `print ${value()}, ${value()}`,
    `print ${value()}`,
    'print',
    `$1 = ${value()}`,
    `n = ${value()}`,
    `n += ${value()}`,
    `a[${value()}]++`,
    `if (${value()}) print "yes"; else print "no"`,
    `gsub(/${pick.oneOf('a', '[0-9]', 'b*', 'x|,')}/, "${pick.oneOf('<&>', '', 'z')}")`,
    `for (k in a) print k, a[k]`,
    `printf "%s|%d\\n", ${value()}, ${value()}`,
    `m = split($0, p, "${pick.oneOf(',', ':', 'a', '[0-9]')}"); print m, p[1], p[2]`,
    `next`,
  )
}

function randomProgram(pick: RandomPicker): string {
  const pattern = () =>
    pick.oneOf(
      '',
      '',
      'BEGIN',
      'END',
      '/a/',
      `NR == ${pick.whole(1, 3)}`,
      '/1/,/b/',
      `${randomValue(pick, 1)} > 1`,
    )
  const rule = () => {
    const of = pattern()
    const statements = Array.from({ length: pick.whole(1, 3) }, () => randomStatement(pick))
    const body = /BEGIN|END/.test(of) ? statements.filter((one) => one !== 'next') : statements
    return `${of} { ${body.join('; ')} }`
  }
  return Array.from({ length: pick.whole(1, 3) }, rule).join('\n')
}
