import { expect, it } from 'vitest'
import type { PodLogs } from '../../../../shared/model/pod-logs.ts'
import { FakeBridge } from '../../../bridge/fake-bridge.ts'
import type { LogKey } from './log-follower.ts'
import { LogFollower, maxLineLength, maxLines } from './log-follower.ts'

const key: LogKey = { pod: 'sandbox/n/u', container: 'c', previous: false, sinceSeconds: 60 }
const start = Date.UTC(2026, 0, 1)

function line(text: string, ms = 0, id = '0'): string {
  return `${new Date(start + ms).toISOString().replace('Z', `00${id}000Z`)} ${text}\n`
}

function setUp(...answers: readonly Partial<PodLogs>[]) {
  const bridge = new FakeBridge()
  const left = [...answers]
  bridge.logs = () => ({ parts: [], error: '', ...left.shift() })
  const follower = new LogFollower()
  const read = async (of = key) => {
    const view = await follower.ask(bridge, of)
    return view?.lines.map(({ kind, text }) => (kind === 'restart' ? '---' : text))
  }
  return { bridge, follower, read }
}

it('reads on where it ended, and leaves out lines that it has', async () => {
  const { bridge, read } = setUp(
    { parts: [{ containerId: 'x://1', text: line('a') + line('b', 5) + line('c', 5, '1') }] },
    {
      parts: [
        {
          containerId: 'x://1',
          text: line('b', 5) + line('c', 5, '1') + line('d', 5) + line('e', 9),
        },
      ],
    },
    { parts: [{ containerId: 'x://1', text: line('e', 9) }] },
  )
  expect(await read()).toEqual(['a', 'b', 'c'])
  expect(await read()).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(await read()).toEqual(['a', 'b', 'c', 'd', 'e'])
  const asked = { key: key.pod, container: 'c', previous: false, sinceSeconds: 60 }
  expect(bridge.sentArgs('pod.logs')).toEqual([
    { ...asked, after: null },
    { ...asked, after: { containerId: 'x://1', at: start + 5 } },
    { ...asked, after: { containerId: 'x://1', at: start + 9 } },
  ])
})

it('continues with the next container below a mark, after the rest of the last one', async () => {
  const { read } = setUp(
    { parts: [{ containerId: 'x://1', text: line('a') }] },
    {
      parts: [
        { containerId: 'x://1', text: line('a') + line('last words', 3) },
        { containerId: 'x://2', text: line('again', 4) },
      ],
    },
    { parts: [{ containerId: 'x://2', text: line('again', 4) + line('more', 6) }] },
  )
  await read()
  expect(await read()).toEqual(['a', 'last words', '---', 'again'])
  expect(await read()).toEqual(['a', 'last words', '---', 'again', 'more'])
})

it('starts over with another key, and keeps its lines when there is an error', async () => {
  const { follower, bridge, read } = setUp(
    { parts: [{ containerId: 'x://1', text: line('a') }] },
    { error: 'container "c" in pod "p" is not available' },
    { parts: [{ containerId: 'x://0', text: line('before') }] },
  )
  await read()
  expect(await follower.ask(bridge, key)).toMatchObject({
    count: 1,
    error: 'container "c" in pod "p" is not available',
  })
  expect(await read({ ...key, previous: true })).toEqual(['before'])
})

it('keeps a bounded number of lines and characters, and counts what it drops', async () => {
  const many = Array.from({ length: maxLines + 5 }, (_, index) => line(String(index), index))
  const { follower, bridge } = setUp(
    { parts: [{ containerId: 'x://1', text: many.join('') }] },
    { parts: [{ containerId: 'x://1', text: line('x'.repeat(2 * maxLineLength), maxLines + 9) }] },
  )
  expect(await follower.ask(bridge, key)).toMatchObject({ count: maxLines, dropped: 5 })
  const view = await follower.ask(bridge, key)
  expect(view).toMatchObject({ count: maxLines, dropped: 6 })
  expect(view?.lines.at(-1)?.text).toHaveLength(maxLineLength)
})
