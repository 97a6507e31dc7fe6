import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { invariants } from './invariants.ts'

const root = resolve(import.meta.dirname, '..', '..')

/** Number, sentence and file of each row of the table in docs/invariants.md. */
function documented(): readonly (readonly [string, string, string])[] {
  const text = readFileSync(join(root, 'docs', 'invariants.md'), 'utf8')
  return text.split('\n').flatMap((line) => {
    const [, number = '', sentence = '', , file = ''] = line.split('|').map((cell) => cell.trim())
    return /^\d+$/.test(number) ? [[number, sentence, file] as const] : []
  })
}

describe('the invariants', () => {
  it('are the same in docs/invariants.md and in the code, each with the file that checks it', () => {
    expect(documented().map(([number, sentence]) => [number, sentence])).toEqual(
      Object.entries(invariants),
    )
    for (const [number, , file] of documented()) {
      const path = join(root, file.replaceAll('`', ''))
      expect(readFileSync(path, 'utf8'), `${number} in ${path}`).toMatch(
        new RegExp(`eport\\(\\s*${number},`),
      )
    }
  })
})
