import { expect, it } from 'vitest'
import { goJson } from './json.ts'

it('writes what HTML and JavaScript could misread as escapes', () => {
  expect(goJson({ command: ['sh', '-c', 'a > b && c < d'], line: '\u2028' })).toBe(
    String.raw`{"command":["sh","-c","a \u003e b \u0026\u0026 c \u003c d"],"line":"\u2028"}`,
  )
})
