import { expect, it } from 'vitest'
import { noFaults } from '../../../shared/model/node/node-faults.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { readRecording } from '../../recorder/read-recording.ts'
import { RecordedSession } from './recorded-session.ts'

const header = {
  schema: 2,
  program: 'nodescope',
  version: '0',
  startedAt: '2026-01-01T00:00:00.000Z',
  cluster: 'c',
  server: 's',
  nodes: ['n1'],
  clock: { virtual: true, startAt: 1 },
  seed: null,
}

it.each([
  ['has only their names', []],
  [
    'another version wrote, with other fields',
    [{ at: 1, view: { server: 's', nodes: [{ name: 'n1', faults: { runtime: 'stopped' } }] } }],
  ],
])('gives pages whole nodes of a recording that %s', (_, lines) => {
  const text = [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
  const recording = readRecording(text)
  if (!recording.ok) throw new Error(recording.error)
  const session = new RecordedSession({
    id: 'r',
    file: 'f',
    recording: recording.value,
    host: nodeClockHost,
  })
  const [node] = session.view().nodes
  expect(node).toMatchObject({ name: 'n1', sources: [], agent: 'running' })
  expect(Object.keys(node?.faults ?? {}).toSorted()).toEqual(Object.keys(noFaults).toSorted())
})
