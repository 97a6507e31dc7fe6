import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mistakes } from '../test/kube/mistakes.mjs'

const root = resolve(import.meta.dirname, '..')

describe('the mistakes of npm run kube:mistakes', () => {
  it.each(mistakes)(
    '$name changes a text that its file contains exactly once',
    ({ file, from, to, suites }) => {
      expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2)
      expect(to).not.toBe(from)
      expect(suites.filter((suite) => !existsSync(join(root, suite)))).toEqual([])
    },
  )
})
