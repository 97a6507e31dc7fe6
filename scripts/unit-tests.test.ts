import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { whatToRepeat } from './unit-tests.mjs'

describe('what CI runs once more', () => {
  const minutes = 60_000
  const report = {
    testResults: ['a', 'b'].map((name) => ({
      name: join(process.cwd(), 'src', `${name}.test.ts`),
      status: name === 'a' ? 'passed' : 'failed',
    })),
  }

  it('is the files with a failed test', () => {
    expect(whatToRepeat(report, 30 * minutes)).toEqual(['src/b.test.ts'])
  })

  it('is all files if the run failed without one, unless that takes long', () => {
    expect(whatToRepeat({ testResults: [] }, 3 * minutes)).toEqual([])
    expect(whatToRepeat(undefined, 3 * minutes)).toEqual([])
    expect(whatToRepeat(undefined, 30 * minutes)).toBeUndefined()
  })
})
