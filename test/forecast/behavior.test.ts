import { expect, it } from 'vitest'
import { BehaviorCommands } from '../../src/main/session/cluster/behavior-commands.ts'
import { FakeApiClient } from '../../src/main/kubelet/fake-api-client.ts'
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import { err, ok } from '../../src/shared/result.ts'
import { ActScenario } from './act-scenario.ts'

const readinessProbe = { exec: { command: ['true'] }, periodSeconds: 1, failureThreshold: 1 }
const containers = [
  {
    name: 'c',
    image: 'busybox:1.36',
    command: ['sh', '-c', "trap 'exit 0' TERM; while true; do sleep 1; done"],
    readinessProbe,
  },
]

function isReady(pod: Pod | null): boolean {
  return (
    pod?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ===
    true
  )
}

async function running() {
  const scenario = await ActScenario.open()
  await scenario.create('web', { spec: { containers } })
  await scenario.seconds(10)
  return { scenario, key: scenario.keyOf('web') }
}

it('makes the probes of a running container fail at once, and takes that back', async () => {
  const { scenario, key } = await running()
  expect(isReady(await scenario.object('web'))).toBe(true)
  const change = { name: 'probes', container: 'c' } as const
  expect(await scenario.behaviors.set(key, { ...change, value: 'fail' })).toEqual(
    ok({ message: 'Set simulated.nodescope.dev/probes.c' }),
  )
  await scenario.seconds(5)
  expect(isReady(await scenario.object('web'))).toBe(false)
  expect(scenario.session.detail(key)?.behavior).toEqual({
    'simulated.nodescope.dev/probes.c': 'fail',
  })
  expect((await scenario.behaviors.set(key, { ...change, value: null })).ok).toBe(true)
  await scenario.seconds(5)
  expect(isReady(await scenario.object('web'))).toBe(true)
  expect(scenario.session.detail(key)?.containers[0]?.restarts).toBe(0)
  scenario.cluster.stop()
})

it('gives another exit code with the next start only', async () => {
  const { scenario, key } = await running()
  await scenario.behaviors.set(key, { name: 'exit-code', container: 'c', value: '3' })
  const exits: number[] = []
  scenario.cluster.trace.listen((event) => {
    if (event.kind === 'container.exited') exits.push(event.data.exitCode)
  })
  for (let round = 0; round < 2; round++) {
    await scenario.seconds(5)
    await scenario.do('restartContainer', key, 5, 'c')
    await scenario.seconds(30)
  }
  expect(exits).toEqual([0, 3])
  scenario.cluster.stop()
})

it('ends a running container without memory at the age that is asked for', async () => {
  const { scenario, key } = await running()
  await scenario.behaviors.set(key, { name: 'out-of-memory', container: 'c', value: '20s' })
  await scenario.seconds(25)
  expect(scenario.session.detail(key)?.containers[0]).toMatchObject({
    restarts: 1,
    lastTermination: { exitCode: 137, reason: 'OOMKilled' },
  })
  scenario.cluster.stop()
})

it('refuses a value that the runtime would not read, and what is not set', async () => {
  const { scenario, key } = await running()
  const set = (value: string | null) =>
    scenario.behaviors.set(key, { name: 'memory', container: 'c', value })
  expect(await set('much')).toEqual(
    err({
      kind: 'refused',
      message:
        '"much" is not an amount such as 64Mi, "64Mi to 1Gi over 60s" or "64Mi to 1Gi every 60s".',
    }),
  )
  expect(await set(null)).toEqual(err({ kind: 'refused', message: 'It is not set.' }))
  scenario.cluster.stop()
})

it('edits the manifest of a static pod', async () => {
  const scenario = await ActScenario.open()
  scenario.cluster.putManifests([
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'default', uid: '' },
      spec: { containers },
    },
  ])
  await scenario.seconds(10)
  const key = scenario.keyOf('web-n')
  const uid = scenario.uidOf(key)
  const written: string[] = []
  const file = {
    name: 'web.yaml',
    state: 'running',
    namespace: 'default',
    podName: 'web-n',
    uid,
    problem: null,
    note: '',
    modifiedAt: 0,
    hasGoodVersion: false,
  } as const
  const view = {
    cluster: 'sandbox',
    node: 'n',
    folder: '/m',
    isSingleFile: false,
    readOnlyBecause: '',
    files: [file],
    undo: null,
    url: null,
  }
  const text = '# mine\nkind: Pod\nmetadata:\n  name: web # here\n'
  const behaviors = new BehaviorCommands({
    session: scenario.session,
    trace: scenario.cluster.trace,
    api: new FakeApiClient({ clock: scenario.cluster.clock }),
    manifests: new Map([
      [
        'n',
        {
          list: () => Promise.resolve(view),
          read: () => Promise.resolve(ok({ name: 'web.yaml', text, goodText: null })),
          write: (_name, changed) => {
            written.push(changed)
            return Promise.resolve(ok({ message: 'Wrote web.yaml.' }))
          },
        },
      ],
    ]),
  })
  expect(await behaviors.set(key, { name: 'probes', container: 'c', value: 'fail' })).toEqual(
    ok({ message: 'Wrote web.yaml.' }),
  )
  expect(written).toEqual([
    '# mine\nkind: Pod\nmetadata:\n  name: web # here\n  annotations:\n    simulated.nodescope.dev/probes.c: fail\n',
  ])
  scenario.cluster.stop()
})
