import { expect, it } from 'vitest'
import { printfText } from './printf-text.ts'

it.each([
  ['hello\\n', [], 'hello\n'],
  ['%s=%d\\n', ['a', '5', 'b', '6'], 'a=5\nb=6\n'],
  ['%s %s|', ['a', 'b', 'c'], 'a b|c |'],
  ['%5s|%-5s|%.2s', ['a', 'b', 'cde'], '    a|b    |cd'],
  ['%03d %+d %x %X %o', ['7', '7', '255', '255', '8'], '007 +7 ff FF 10'],
  ['%05d', ['-7'], '-0007'],
  ['100%% \\101\\t.', [], '100% A\t.'],
  ['%d', [], '0'],
  ['%d', ['x'], undefined],
  ['%f', ['1'], undefined],
  ['%', [], undefined],
  ['\\q', [], undefined],
])('printf %j %j prints %j', (format, operands, text) => {
  expect(printfText(format, operands)).toBe(text)
})
