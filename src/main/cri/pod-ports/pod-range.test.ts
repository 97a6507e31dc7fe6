import { afterEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { claimPodRange } from './pod-range.ts'

const releases: (() => void)[] = []

afterEach(() => {
  for (const release of releases.splice(0)) release()
})

async function claimed(): Promise<string> {
  const range = await claimPodRange(new FakeLog())
  if (!range.ok || range.value === undefined) throw new Error('no range')
  releases.push(range.value.release)
  return range.value.podCidr
}

describe.runIf(process.platform === 'linux')('claimPodRange', () => {
  it('gives each server a range of its own', async () => {
    const [one, other] = [await claimed(), await claimed()]
    expect(one).toMatch(/^127\.\d+\.0\.0\/16$/)
    expect(other).not.toBe(one)
  })

  it('says in one sentence that all ranges are in use, until one is released', async () => {
    // Not those that servers use.
    const claimOfTwo = () => claimPodRange(new FakeLog(), { first: 252, last: 253 })
    const [one, other, none] = [await claimOfTwo(), await claimOfTwo(), await claimOfTwo()]
    if (!one.ok || !other.ok || other.value === undefined) throw new Error('no range')
    releases.push(() => one.value?.release())
    expect(none).toEqual({
      ok: false,
      error:
        'All 2 ranges of pod addresses on this machine are in use by other runtimes of Nodescope: stop one of them.',
    })
    other.value.release()
    const again = await claimOfTwo()
    expect(again).toMatchObject({ ok: true, value: { podCidr: '127.253.0.0/16' } })
    if (again.ok) releases.push(() => again.value?.release())
  })
})
