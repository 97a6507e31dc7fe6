import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { fakeShell } from '../process/fake-container.ts'

/** What each prints, in `sh`; those that bash alone reads, in bash. */
const inEveryShell: readonly (readonly [script: string, printed: string])[] = [
  ['x=web-12; echo ${x##*-} ${x#*-} ${x%-*} ${x%%-*}', '12 12 web web'],
  ['x=a.b.c; echo ${x%.*} ${x%%.*} ${x#*.} ${x##*.}', 'a.b a b.c c'],
  ['x=/srv/app/run.sh; echo ${x##*/} "${x%/*}"', 'run.sh /srv/app'],
  ['x=abc; echo ${x%z} ${x#z} ${x%} ${x#}', 'abc abc abc abc'],
  ['x=abcabc; p="b*"; echo ${x%$p} ${x%%$p} "${x%"$p"}"', 'abca a abcabc'],
  ['x="a  b c"; echo "${x#a }" "${x% c}"', ' b c a  b'],
  ['x=v1.28.3; y=${x#v}; echo ${y%%[!0-9.]*} ${x#v[0-9].}', '1.28.3 28.3'],
  ['x=abc; echo ${x:+set} ${x+set} [${y:+set}] [${y+set}]', 'set set [] []'],
  ['x=; echo [${x:+set}] [${x+set}] [${x:-none}] [${x-none}]', '[] [set] [none] []'],
  ['x=abc; echo ${x:?missing} ${x?} ${#x} ${#y}', 'abc abc 3 0'],
  ['x=abc; echo ${y:-${x%c}} [${x:+$y}]', 'ab []'],
  ['set -- one two three; echo ${#} ${2#t} ${1:+first}', '3 wo first'],
  ['x=$(echo a-b); echo ${x%$(echo -b)}', 'a'],
  ['x="a;b(c) <d>"; echo "${x%;*}" "${x#*(}" "${x% <*}"', 'a c) <d> a;b(c)'],
  ['x=a*b; echo "${x#a\'*\'}" "${x%\\*b}"', 'b a'],
]

const inBash: readonly (readonly [script: string, printed: string])[] = [
  [
    'items=(foo bar baz); echo ${items[1]} ${items[$((1 + 1))]} ${#items[@]} $items',
    'bar baz 3 foo',
  ],
  [
    'i=2; items=(foo bar baz); echo ${items[i]} ${items[$i]} ${items[-1]} [${items[7]}]',
    'baz baz baz []',
  ],
  [
    'items=("a b" c); for i in "${items[@]}"; do echo -n "<$i>"; done; echo ${#items[0]}',
    '<a b><c>3',
  ],
  [
    'items=("a b" c); for i in ${items[@]}; do echo -n "<$i>"; done; echo "${items[*]}"',
    '<a><b><c>a b c',
  ],
  ['w="x y"; items=($w\n z); echo ${#items[@]} ${items[2]}', '3 z'],
  ['items=(); echo ${#items[@]} [${items[@]}] ${items[0]:-none}', '0 [] none'],
  ['items=(a b); items=(c); echo ${items[@]}; unset items; echo ${#items[@]}', 'c\n0'],
  ['items=(a b); (items=(c d); echo ${items[1]}); echo ${items[1]}', 'd\nb'],
  ['x=one; echo ${x[0]} ${#x[@]}', 'one 1'],
  ['items=(web-0 web-1); echo ${items[1]#web-} ${items[3]-none}', '1 none'],
]

async function printedBy(script: string, shell: 'sh' | 'bash'): Promise<string> {
  const container = fakeShell(script, shell, { hasOutput: true })
  await container.seconds(1)
  expect(container.unreadable).toEqual([])
  return container.output.stdout
}

describe('parameter expansion', () => {
  it.each(inEveryShell)('%s', async (script, printed) => {
    expect(await printedBy(script, 'sh')).toBe(`${printed}\n`)
    expect(await printedBy(script, 'bash')).toBe(`${printed}\n`)
  })

  it.each(inBash)('in bash: %s', async (script, printed) => {
    expect(await printedBy(script, 'bash')).toBe(`${printed}\n`)
    expect(fakeShell(script).unreadable).toHaveLength(1)
  })

  it.each([
    'echo ${x:=1}',
    'echo ${x/a/b}',
    'echo ${x:1:2}',
    'echo ${x:?}',
    'echo ${@%x}',
    'echo ${0##*/}',
    'x=ä; echo ${#x}',
  ])('is not read: %s', async (script) => {
    const container = fakeShell(script)
    await container.seconds(1)
    expect(container.unreadable).toHaveLength(1)
  })

  it.skipIf(spawnSync('bash', ['-c', ':']).status !== 0)(
    'is as in the bash of this machine',
    () => {
      for (const [script, printed] of [...inEveryShell, ...inBash]) {
        const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
        expect(stdout, script).toBe(`${printed}\n`)
      }
    },
  )
})
