import { describe, expect, it } from 'vitest'
import { hasApplets, inBusybox, inContainer } from '../../../../../test/busybox/as-busybox.ts'

const files = {
  f: 'b 2\na 10\nc 1\nb 2\n\nB 3\n',
  n: '10\n9\n-1\n1.5\n9\n',
  csv: 'x,y,z\nnothing\n1,2,3\n,,\n',
  end: 'one\ntwo',
}

const commands: readonly string[] = [
  'head f',
  'head -n 2 f',
  'head -2 f',
  'head -c 5 f',
  'head -n 2 f end',
  'head -n -2 f',
  'head absent',
  'head -q -n1 f end',
  'tail f',
  'tail -n 2 f',
  'tail -2 f',
  'tail -n +3 f',
  'tail -c 4 f',
  'tail -n 1 f end',
  'tail absent',
  'wc f',
  'wc -l f',
  'wc -w f',
  'wc -c f end',
  'wc f end',
  'wc -lw f',
  'wc -L f',
  'wc absent',
  'sort f',
  'sort -r f',
  'sort -u f',
  'sort -n n',
  'sort -rn n',
  'sort -nu n',
  'sort -k2 f',
  'sort -k 2 -n f',
  'sort -k2,2n f',
  'sort -t , -k 2 csv',
  'sort -f f',
  'sort f end',
  'uniq f',
  'uniq -c n',
  'uniq -d f',
  'uniq -u f',
  'uniq -i f',
  'cut -d , -f 2 csv',
  'cut -d, -f1,3 csv',
  'cut -d, -f2- csv',
  'cut -d , -s -f 2 csv',
  'cut -c 1-2 f',
  'cut -b 1 f',
  "cut -d ' ' -f 2 f",
  'cut -f 1 f',
  'ls',
  'ls -r',
  'ls f absent',
  'ls -d .',
  'seq 3',
  'seq 2 4',
  'seq 1 2 7',
  'seq 3 -1 1',
  'seq -w 8 11',
  'seq -s , 3',
  'seq 5 1',
  'seq 0.5 1',
  'basename /a/b.txt',
  'basename /a/b.txt .txt',
  'dirname /a/b',
  'dirname b',
  'tac f',
  'rev f',
  'rev end',
  'rev absent',
  'nl f',
  'expr 3 + 4',
  'find f',
  'find f end -name e*',
  'find -name n',
  'find . -type f -name end',
  'find absent',
  'find . -maxdepth 0',
  'find f ! -name f',
  'find -name *.c -o -name f',
]
const trs: readonly (readonly string[])[] = [
  ['a-z', 'A-Z'],
  ['-d', '0-9'],
  ['-d', '\\n'],
  ['-s', ' '],
  ['-s', 'a-z', 'A-Z'],
  ['-c', 'a-z', '_'],
  ['-cd', 'a-z'],
  ['[:lower:]', '[:upper:]'],
  [' ', '\\n'],
  ['abc', 'x'],
  ['-d', '[:space:]'],
]

/** Options that are not read. */
const unread = new Set([
  'head -n -2 f',
  'wc -L f',
  'sort -k2 f',
  'sort -k 2 -n f',
  'sort -k2,2n f',
  'sort -t , -k 2 csv',
  'sort -f f',
  'uniq -i f',
  'seq -w 8 11',
  'seq -s , 3',
  'seq 0.5 1',
  'basename /a/b.txt .txt',
  'tac f',
  'nl f',
  'find -name *.c -o -name f',
])

describe.skipIf(!hasApplets(['head', 'ls', 'tail', 'sort', 'seq', 'tr', 'cut', 'find']))(
  'what busybox does',
  () => {
    it.each(commands)('%s', async (text) => {
      const command = (text.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''))
      const outcome = await inContainer(command, files)
      if (unread.has(text)) expect(outcome).toEqual(expect.any(String))
      else expect(outcome).toEqual(inBusybox(command, files))
    })

    it.each(trs.map((operands) => ({ operands })))('tr $operands', async ({ operands }) => {
      const command = ['tr', ...operands]
      const outcome = await inContainer(command, files, 'f')
      if (String(operands).includes('[:space:]')) expect(outcome).toEqual('tr [:space:]')
      else expect(outcome).toEqual(inBusybox(command, files, 'f'))
    })
  },
)
