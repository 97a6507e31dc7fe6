import { describe, expect, it } from 'vitest'
import { deferred } from '../container/deferred.ts'
import { parallelImagePuller, serialImagePuller } from './image-puller.ts'
import type { ImagePuller } from './image-puller.ts'

/** Starts pulls, and notes which have begun. */
class Pulls {
  readonly begun: string[] = []
  readonly #ends = new Map<string, () => void>()

  readonly #puller: ImagePuller

  constructor(puller: ImagePuller) {
    this.#puller = puller
  }

  start(name: string, fails = false): Promise<string> {
    return this.#puller(async () => {
      this.begun.push(name)
      const end = deferred<undefined>()
      this.#ends.set(name, () => {
        end.resolve(undefined)
      })
      await end.promise
      if (fails) throw new Error(name)
      return name
    })
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.()
    await settled()
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

describe('serialImagePuller', () => {
  it('pulls one image after the other, also after one that throws', async () => {
    const pulls = new Pulls(serialImagePuller())
    const [first, second] = [pulls.start('a', true), pulls.start('b')]
    await settled()
    expect(pulls.begun).toEqual(['a'])
    const refused = expect(first).rejects.toThrow('a')
    await pulls.end('a')
    await refused
    expect(pulls.begun).toEqual(['a', 'b'])
    await pulls.end('b')
    expect(await second).toBe('b')
  })
})

describe('parallelImagePuller', () => {
  it('pulls all at a time without a limit', async () => {
    const pulls = new Pulls(parallelImagePuller(undefined))
    for (const name of ['a', 'b', 'c']) void pulls.start(name)
    await settled()
    expect(pulls.begun).toEqual(['a', 'b', 'c'])
  })

  it('pulls no more than its limit at a time, in the order of the requests', async () => {
    const pulls = new Pulls(parallelImagePuller(2))
    for (const name of ['a', 'b', 'c', 'd']) void pulls.start(name)
    await settled()
    expect(pulls.begun).toEqual(['a', 'b'])
    await pulls.end('b')
    expect(pulls.begun).toEqual(['a', 'b', 'c'])
    await pulls.end('a')
    expect(pulls.begun).toEqual(['a', 'b', 'c', 'd'])
  })
})
