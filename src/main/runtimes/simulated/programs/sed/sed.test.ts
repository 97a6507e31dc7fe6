import { describe, expect, it } from 'vitest'
import { RandomPicker } from '../../../../../../test/random-picker.ts'
import { seededRandom } from '../../../../clock/seeded-random.ts'
import { hasApplets, inBusybox, inContainer } from '../../../../../../test/busybox/as-busybox.ts'

const lines = `alpha one
beta=two  two
# gamma

delta/four aaa
listen 80; root /usr;
`
const files = { f: lines, g: 'no end\nlast line', empty: '' }

/** As they stand in manifests and tutorials. */
const usual: readonly (readonly string[])[] = [
  ['s/two/2/', 'f'],
  ['s/two/2/g', 'f'],
  ['s/two/2/2', 'f'],
  ['s|/usr|/srv|', 'f'],
  ['s,delta/four,d\\,f,', 'f'],
  ['-n', '2p', 'f'],
  ['-n', '2,4p', 'f'],
  ['-n', '$p', 'f', 'g'],
  ['-n', '/beta/,/delta/p', 'f'],
  ['-n', '/beta/,+1p', 'f'],
  ['-n', '/one/,3p', 'f'],
  ['-n', '3,/alpha/p', 'f'],
  ['-n', '2~2p', 'f'],
  ['-n', '/^#/!p', 'f'],
  ['-n', 's/^\\([a-z]*\\)=\\(.*\\)$/\\2=\\1/p', 'f'],
  ['/^#/d', 'f'],
  ['/^$/d;/^#/d', 'f'],
  ['1d;$d', 'f'],
  ['-e', 's/a/A/', '-e', 's/A/(&)/g', 'f'],
  ['-E', 's/([a-z]+)[ =]+([a-z]+)/\\2 \\1/', 'f'],
  ['-r', 's/(alpha|beta)/<\\1>/', 'f'],
  ['-E', 's/a|al|alp/X/g', 'f'],
  ['s/a*/x/g', 'f'],
  ['s/[^a-z]*$//', 'f'],
  ['s/[[:space:]]\\+/ /g', 'f'],
  ['s/ALPHA/x/I', 'f'],
  ['s/\\./,/g;s/ *//', 'f'],
  ['2q', 'f'],
  ['2q5', 'f'],
  ['=', 'g'],
  ['y/abc/xyz/', 'f'],
  ['$!N;s/\\n/+/', 'f'],
  [':a;N;$!ba;s/\\n/,/g', 'f'],
  ['-n', 'H;${x;s/\\n/ /g;p}', 'f'],
  ['1!G;h;$!d', 'f'],
  ['2{s/two/three/;p}', 'f'],
  ['/alpha/{n;d}', 'f'],
  ['/beta/a after', 'f'],
  ['/beta/i before', 'f'],
  ['/beta/c changed', 'f'],
  ['2,3c\\\nmany', 'f'],
  ['$a end', 'g'],
  ['1a\\\none\\\ntwo', 'g'],
  ['s/$/!/', 'g', 'empty'],
  ['s/x/y/', 'absent', 'g'],
  ['-i', 's/alpha/omega/', 'f', 'g'],
  ['-i', '-e', '1d', 'f'],
  ['-i', '-E', 's/(a)+/<&>/g', 'f'],
  ['s/one$/first\\nsecond/', 'f'],
  ['s/[/]four//', 'f'],
  ['s/\\(a\\)\\1/=/g', 'f'],
  ['/a/s//b/', 'f'],
  ['-n', '/alpha/{p;q}', 'f'],
  ['s/a\\{2,\\}/=/', 'f'],
]

const canAsk = hasApplets(['sed'])
/** What these are read as, or not at all. */
const unread: readonly (readonly string[])[] = [
  ['/a/s//b/', 'f'],
  ['s/a/\\U&/', 'f'],
  ['s/[/]four//', 'f'],
  ['e date', 'f'],
  ['-n', '1w out', 'f'],
  ['-f', 'script', 'f'],
  ['s/a/b', 'f'],
  ['k', 'f'],
  ['-n', '2~2p', 'f'],
  ['2q5', 'f'],
]

describe('sed', () => {
  it.each(unread)('does not read %s %s', async (...operands) => {
    const outcome = await inContainer(['sed', ...operands], files)
    expect(outcome).toEqual(expect.stringMatching(/^sed /))
  })

  it.skipIf(!canAsk).each(usual.map((operands) => ({ operands })))(
    'does what busybox does with $operands',
    async ({ operands }) => {
      const outcome = await inContainer(['sed', ...operands], files)
      if (unread.includes(operands) || typeof outcome === 'string') {
        expect(unread.map(String)).toContain(String(operands))
        return
      }
      expect(outcome).toEqual(inBusybox(['sed', ...operands], files))
    },
  )

  it.skipIf(!canAsk)('does what busybox does with random scripts and lines', async () => {
    const pick = new RandomPicker(seededRandom(7))
    let compared = 0
    for (let round = 0; round < 300; round++) {
      const operands = randomOperands(pick)
      const given = { f: randomLines(pick) }
      const outcome = await inContainer(['sed', ...operands], given)
      if (typeof outcome === 'string') continue
      compared++
      const real = inBusybox(['sed', ...operands], given)
      expect(outcome, JSON.stringify({ operands, given })).toEqual(real)
    }
    expect(compared).toBeGreaterThan(200)
  })
})

function randomLines(pick: RandomPicker): string {
  const line = () =>
    Array.from({ length: pick.whole(0, 8) }, () =>
      pick.oneOf('a', 'b', 'ab', ' ', '.', 'c', '1'),
    ).join('')
  const text = Array.from({ length: pick.whole(0, 6) }, line).join('\n')
  return pick.is(0.8) && text !== '' ? `${text}\n` : text
}

function randomPattern(pick: RandomPicker, isExtended: boolean): string {
  const atom = () => pick.oneOf('a', 'b', '.', '[ab]', '[^a]', '\\.', ' ', '[[:digit:]]', '1', 'ab')
  const group = () =>
    isExtended ? `(${atom()}${pick.oneOf('|', '')}${atom()})` : `\\(${atom()}\\)`
  const part = () =>
    `${pick.is(0.3) ? group() : atom()}${pick.oneOf('', '', '*', isExtended ? '+' : '\\+', isExtended ? '?' : '', isExtended ? '{1,2}' : '')}`
  const parts = Array.from({ length: pick.whole(1, 3) }, part).join('')
  return `${pick.is(0.2) ? '^' : ''}${parts}${pick.is(0.2) ? '$' : ''}`
}

function randomOperands(pick: RandomPicker): readonly string[] {
  const isExtended = pick.is(0.5)
  const pattern = () => randomPattern(pick, isExtended)
  const address = () => pick.oneOf(String(pick.whole(1, 6)), '$', `/${pattern()}/`)
  const addresses = () =>
    pick.oneOf(
      '',
      '',
      address(),
      `${address()},${address()}`,
      `${address()}!`,
      `1,+${pick.whole(0, 3)}`,
    )
  const replacement = () => pick.oneOf('X', '', '<&>', '\\n', '-&-', '\\&')
  const command = () =>
    addresses() +
    pick.oneOf(
      `s/${pattern()}/${replacement()}/${pick.oneOf('', 'g', 'p', '2', '2g')}`,
      `s/${pattern()}/${replacement()}/${pick.oneOf('', 'g')}`,
      ...([
        'd',
        'p',
        'q',
        '=',
        'n',
        'N',
        'h',
        'G',
        'x',
        'H',
        'D',
        'P',
        'y/ab/ba/',
        'a x',
        'i y',
        'c z',
      ] as const),
    )
  const script = Array.from({ length: pick.whole(1, 3) }, command).join('\n')
  return [...(pick.is(0.3) ? ['-n'] : []), ...(isExtended ? ['-E'] : []), script, 'f']
}
