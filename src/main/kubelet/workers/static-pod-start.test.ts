import { describe, expect, it } from 'vitest'
import { buildPodFullName } from '../pod/identity.ts'
import { StaticPodStart } from './static-pod-start.ts'

const name = buildPodFullName('web-node', 'default')
const noneGone = () => false

function setUp(...waiting: string[]) {
  const start = new StaticPodStart()
  for (const uid of waiting) start.waitToStart(name, uid)
  return start
}

describe('StaticPodStart', () => {
  it('allows only the first of the queue to start', () => {
    const start = setUp('a', 'b')
    expect(start.allowStaticPodStart(name, 'b', noneGone)).toEqual({
      isAllowed: false,
      blockedByUid: 'a',
    })
    expect(start.allowStaticPodStart(name, 'a', noneGone)).toEqual({ isAllowed: true })
    expect(start.allowStaticPodStart(name, 'b', noneGone)).toEqual({
      isAllowed: false,
      blockedByUid: 'a',
    })
    expect(start.allowStaticPodStart(name, 'a', noneGone)).toEqual({ isAllowed: true })
    expect([...start.started]).toEqual([[name, 'a']])
  })

  it('allows the next one after the holder has released the name, in the order of the queue', () => {
    const start = setUp('a', 'b', 'c')
    start.allowStaticPodStart(name, 'a', noneGone)
    start.release(name, 'a')
    expect(start.allowStaticPodStart(name, 'c', noneGone)).toEqual({
      isAllowed: false,
      blockedByUid: 'b',
    })
    expect(start.allowStaticPodStart(name, 'b', noneGone)).toEqual({ isAllowed: true })
  })

  it('releases only for the holder', () => {
    const start = setUp('a', 'b')
    start.allowStaticPodStart(name, 'a', noneGone)
    start.release(name, 'b')
    expect(start.startedUid(name)).toBe('a')
  })

  it('skips uids that are gone', () => {
    const start = setUp('a', 'b', 'c')
    const isGone = (uid: string) => uid === 'a'
    expect(start.allowStaticPodStart(name, 'c', isGone)).toEqual({
      isAllowed: false,
      blockedByUid: 'b',
    })
    expect(start.allowStaticPodStart(name, 'b', isGone)).toEqual({ isAllowed: true })
    start.release(name, 'b')
    expect(start.allowStaticPodStart(name, 'c', isGone)).toEqual({ isAllowed: true })
  })

  it('allows a uid that is not in the queue when all others are gone', () => {
    const start = setUp('a')
    expect(start.allowStaticPodStart(name, 'x', () => true)).toEqual({ isAllowed: true })
    expect(start.startedUid(name)).toBe('x')
  })

  it('keeps names apart', () => {
    const start = setUp('a')
    const other = buildPodFullName('other', 'default')
    start.waitToStart(other, 'o')
    expect(start.allowStaticPodStart(other, 'o', noneGone)).toEqual({ isAllowed: true })
    expect(start.allowStaticPodStart(name, 'a', noneGone)).toEqual({ isAllowed: true })
  })
})
