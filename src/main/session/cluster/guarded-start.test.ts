import { describe, expect, it } from 'vitest'
import { startWhenFree } from './guarded-start.ts'

describe('startWhenFree', () => {
  it.each([
    ['the guard fails', () => Promise.reject(new Error('no lease of that shape')), () => undefined],
    [
      'the start fails',
      () => Promise.resolve({ kind: 'free' } as const),
      () => {
        throw new Error('no lease of that shape')
      },
    ],
  ])('says why there is no node when %s', async (_, run, start) => {
    expect(await startWhenFree({ run }, start)).toEqual({
      exitCode: 1,
      message: 'The node could not be started: no lease of that shape',
    })
  })
})
