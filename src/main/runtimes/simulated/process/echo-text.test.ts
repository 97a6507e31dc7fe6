import { expect, it } from 'vitest'
import { echoText } from './echo-text.ts'

it.each([
  ['a\\tb', 'a\tb'],
  ['\\\\n', '\\n'],
  ['\\0101\\x41\\q', 'AA\\q'],
  ['one\\ntwo', 'one\ntwo'],
])('%j prints %j', (text, printed) => {
  expect(echoText(text)).toEqual({ text: printed, isCut: false })
})

it('ends at \\c, but not after a backslash', () => {
  expect(echoText('a\\cb')).toEqual({ text: 'a', isCut: true })
  expect(echoText('a\\\\cb')).toEqual({ text: 'a\\cb', isCut: false })
})
