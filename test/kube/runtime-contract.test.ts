import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usableCgroupDriver } from '../../src/main/cri/client/cgroup-driver.ts'
import { connectRuntime } from '../../src/main/cri/client/connect-runtime.ts'
import type { CriClient } from '../../src/main/cri/client/cri-client.ts'
import { Answers, comparable, valueOf } from '../runtime-contract/answers.ts'
import { contractCases } from '../runtime-contract/cases.ts'
import { plainConfigs } from '../runtime-contract/configs.ts'
import { newSimulatedRuntime } from '../runtime-contract/simulated-runtime.ts'
import { reportComparison, reportImpossible } from './comparison.ts'
import { Containerd, whyNoContainers } from './containerd/containerd.ts'

// The contract of a runtime on containerd, through the CRI client: it answers like the simulated runtime.

const impossible = whyNoContainers()
// Hooks do not run where all tests are skipped.
if (impossible !== undefined) reportImpossible('runtime contract', impossible)
let containerd: Containerd
let client: CriClient
let compared = 0

beforeAll(async () => {
  if (impossible !== undefined) return
  containerd = await Containerd.start([
    { name: 'docker.io/library/busybox:1.36' },
    { name: 'docker.io/bitnami/redis:7', user: '1001' },
  ])
  await mkdir(join(containerd.folder, 'logs'))
  const connected = await connectRuntime(containerd.socketPath)
  if (!connected.ok) throw new Error(connected.error)
  client = connected.value
})

afterAll(async () => {
  if (impossible !== undefined) return
  reportComparison('runtime contract', `${compared} answers of containerd ${client.version}`)
  client.close()
  await containerd.stop()
})

/** What differs between machines, by the field's name, as what it is. */
const measured: ReadonlySet<string> = new Set([
  'sizeBytes',
  'usedBytes',
  'inodesUsed',
  'workingSetBytes',
  'availableBytes',
  'usageBytes',
  'rssBytes',
  'pageFaults',
  'majorPageFaults',
  'usageNanoCores',
  'rxBytes',
  'txBytes',
  'processCount',
  'timestamp',
  'mountpoint',
  'ips',
  'repoDigests',
])

/** What containerd 1.6 does not have, or answers with less. */
const leftOut: ReadonlySet<string> = new Set([
  'runtimeHandlers',
  'pinned',
  'containerFilesystems',
  'user',
])

/** It has them of each container, also where none were asked for. */
function isEmpty(field: unknown): boolean {
  return JSON.stringify(field) === '{}'
}

function withoutMachine(value: unknown, key = ''): unknown {
  if (measured.has(key)) return `measured ${Array.isArray(value) ? 'list' : ''}`
  if (Array.isArray(value)) return value.map((item: unknown) => withoutMachine(item))
  if (typeof value === 'string') return value.replace(/^http:\/\/.+$/, 'a URL')
  if (typeof value !== 'object' || value === null) return value
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value)
  return Object.fromEntries(
    entries
      .filter(([name, field]) => !leftOut.has(name) && !(name === 'resources' && isEmpty(field)))
      .map(([name, field]) => [name, withoutMachine(field, name)]),
  )
}

/** Ids as the order in which they are seen first. */
function withoutIds(value: unknown): unknown {
  const seen = new Map<string, string>()
  const text = JSON.stringify(value).replaceAll(/[0-9a-f]{64}/g, (id) => {
    seen.set(id, seen.get(id) ?? `id ${seen.size}`)
    return seen.get(id) ?? ''
  })
  return JSON.parse(text) as unknown
}

/** The answers of containerd that are not the simulated runtime's, by the step; its own are what is expected. */
const ownAnswers: Readonly<Record<string, unknown>> = {
  version: {
    value: expect.objectContaining({ runtimeName: 'containerd', runtimeApiVersion: 'v1' }),
  },
  name: ['containerd', expect.stringMatching(/^\d+\.\d+\.\d+/)],
  // From 2.0 on it tells its cgroup driver.
  config: expect.objectContaining({}),
  // It ignores the filter of ListImages.
  pulled: {
    value: expect.arrayContaining([
      expect.objectContaining({ repoTags: ['docker.io/library/nginx:1'] }),
    ]),
  },
}

function answersOf(answers: Answers): readonly (readonly [string, unknown])[] {
  return withoutIds(withoutMachine(comparable(answers.steps))) as (readonly [string, unknown])[]
}

async function removeAll(): Promise<void> {
  for (const { id } of valueOf(await client.listPodSandboxes())) {
    await client.stopPodSandbox(id)
    await client.removePodSandbox(id)
  }
}

describe.skipIf(impossible !== undefined)('containerd through the CRI client', () => {
  it.each(Object.entries(contractCases))(
    'answers like the simulated runtime: %s',
    async (_, run) => {
      const configs = plainConfigs(containerd.folder)
      const simulated = new Answers()
      const real = new Answers()
      await run(newSimulatedRuntime(), simulated, configs)
      await run(client, real, configs)
      await removeAll()
      const expected = answersOf(simulated).map(([step, answer]) => [
        step,
        ownAnswers[step] ?? answer,
      ])
      expect(answersOf(real)).toEqual(expected)
      compared += expected.length
    },
  )

  it('tells that systemd makes its cgroups, where it is configured so', async () => {
    const other = await Containerd.start([], { systemdCgroup: true })
    const connected = await connectRuntime(other.socketPath)
    if (!connected.ok) throw new Error(connected.error)
    const drivers = [
      await usableCgroupDriver(client, containerd.socketPath, false),
      await usableCgroupDriver(connected.value, other.socketPath, true),
      await usableCgroupDriver(connected.value, other.socketPath, false),
    ]
    connected.value.close()
    await other.stop()
    expect(drivers).toEqual([
      { ok: true, value: 'CGROUPFS' },
      { ok: true, value: 'SYSTEMD' },
      { ok: false, error: expect.stringContaining('makes cgroups with systemd') },
    ])
  })
})
