import { afterEach, describe, expect, it } from 'vitest'
import { MemorySandbox } from '../../../../test/memory-sandbox/memory-sandbox.ts'
import { TransportApiClient } from '../../cluster/client/api-client.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { NodeEdits } from './node-edits.ts'
import { readLabels, readTaints } from './node-texts.ts'

const opened: MemorySandbox[] = []

afterEach(() => {
  for (const memory of opened.splice(0)) memory.sandbox.stop()
})

/** A sandbox of one node with pods that tolerate the taint a=b:NoExecute not, for 30 s, and for ever. */
async function stage(readOnly = '') {
  const startAt = Date.UTC(2026, 10, 24, 12)
  const memory = new MemorySandbox({ seed: 7, startAt, nodeNames: ['n1'], log: new FakeLog() })
  opened.push(memory)
  const { sandbox, clock } = memory
  sandbox.start()
  await clock.advance(5000)
  const api = new TransportApiClient({ transport: sandbox.adminTransport })
  const toleration = { key: 'a', operator: 'Exists', effect: 'NoExecute' }
  const pods = {
    leaves: [],
    later: [{ ...toleration, tolerationSeconds: 30 }],
    stays: [toleration],
  }
  for (const [name, tolerations] of Object.entries(pods)) {
    const spec = { tolerations, containers: [{ name: 'c', image: 'nginx:1' }] }
    await api.create({ resource: 'pods', namespace: 'default' }, {
      metadata: { name, namespace: 'default' },
      spec: { ...spec, terminationGracePeriodSeconds: 1, nodeName: 'n1' },
    } as never)
  }
  await clock.advance(10_000)
  const edits = new NodeEdits({
    api,
    pods: sandbox.server.pods,
    readOnly: () => readOnly,
    context: '',
  })
  const before = await edits.read('n1')
  if (!before.ok) throw new Error(before.error.message)
  const names = (): readonly string[] =>
    [...sandbox.server.pods.list()]
      .map(({ metadata }) => metadata.name)
      .filter((name) => Object.hasOwn(pods, name))
      .toSorted()
  return { api, clock, edits, before: before.value, names }
}

describe('labels and taints of a node', () => {
  it('forecast which pods a NoExecute taint evicts and when, and do so', async () => {
    const { clock, edits, before, names } = await stage()
    expect(before.labels).toContain('kubernetes.io/hostname=n1')
    const args = { node: 'n1', before, after: { ...before, taints: 'a=b:NoExecute' } }
    expect(await edits.forecast(args)).toMatchObject({
      value: {
        changes: ['taint a=b:NoExecute'],
        evicted: [
          { namespace: 'default', name: 'leaves', afterSeconds: 0 },
          { namespace: 'default', name: 'later', afterSeconds: 30 },
        ],
        notes: ['The scheduler places no pod on n1 that does not tolerate a=b:NoExecute.'],
        kubectl: ['kubectl taint node n1 --overwrite a=b:NoExecute'],
        isAllowed: true,
      },
    })
    expect(await edits.act(args)).toMatchObject({ ok: true })
    await clock.advance(15_000)
    expect(names()).toEqual(['later', 'stays'])
    await clock.advance(30_000)
    expect(names()).toEqual(['stays'])
  })

  it('keep what was changed elsewhere since they were read', async () => {
    const { api, edits, before } = await stage()
    const node = { resource: 'nodes', name: 'n1' } as const
    const taints = [{ key: 'other', effect: 'NoSchedule' }]
    const labels = { rack: '7' }
    await api.patch(node, { type: 'merge', body: { metadata: { labels }, spec: { taints } } })
    const after = { labels: `${before.labels}\nzone=x`, taints: 'mine=1:NoSchedule' }
    const forecast = await edits.forecast({ node: 'n1', before, after })
    expect(forecast).toMatchObject({
      value: {
        kubectl: [
          'kubectl label node n1 --overwrite zone=x',
          'kubectl taint node n1 --overwrite mine=1:NoSchedule',
        ],
      },
    })
    expect(await edits.act({ node: 'n1', before, after })).toMatchObject({ ok: true })
    const now = await edits.read('n1')
    expect(now.ok ? now.value.labels.split('\n') : []).toEqual(
      expect.arrayContaining(['rack=7', 'zone=x']),
    )
    expect(now.ok ? now.value.taints : '').toBe('other:NoSchedule\nmine=1:NoSchedule')
    const back = { node: 'n1', before: after, after: before }
    expect(await edits.act(back)).toMatchObject({ ok: true })
    const last = await edits.read('n1')
    expect(last.ok ? last.value.taints : '').toBe('other:NoSchedule')
    expect(last.ok ? last.value.labels : '').not.toContain('zone=x')
  })

  it('say which running pods a label was needed for', async () => {
    const { api, clock, edits, before } = await stage()
    const spec = {
      nodeSelector: { 'kubernetes.io/hostname': 'n1' },
      containers: [{ name: 'c', image: 'nginx:1' }],
    }
    const metadata = { name: 'bound', namespace: 'default' }
    await api.create({ resource: 'pods', namespace: 'default' }, { metadata, spec } as never)
    await clock.advance(10_000)
    const labels = before.labels.replace(/^kubernetes\.io\/hostname=n1$/m, '')
    expect(
      await edits.forecast({ node: 'n1', before, after: { ...before, labels } }),
    ).toMatchObject({
      value: {
        changes: ['label kubernetes.io/hostname removed'],
        evicted: [],
        notes: [
          'The node selector or affinity of running pods no longer matches. They stay, unless their kubelet restarts: default/bound.',
        ],
      },
    })
  })

  it('are refused with their line, by the server, and while nothing may be changed', async () => {
    const { edits, before } = await stage()
    const of = (labels: string, taints: string) => ({
      node: 'n1',
      before,
      after: { labels, taints },
    })
    expect(await edits.forecast(of(before.labels, 'a=b'))).toMatchObject({
      value: {
        refusal:
          'Line 1 of the taints needs key=value:Effect with the effect NoSchedule, PreferNoSchedule, NoExecute, not a=b.',
      },
    })
    const bad = of(`${before.labels}\nzone=not valid`, '')
    expect(await edits.act(bad)).toMatchObject({ ok: false, error: { kind: 'failed' } })
    expect(await edits.forecast(of(before.labels, before.taints))).toMatchObject({
      value: { isAllowed: false, refusal: 'Nothing is changed yet.' },
    })
    const locked = await stage('It is read-only.')
    expect(
      await locked.edits.act({
        node: 'n1',
        before: locked.before,
        after: { labels: '', taints: '' },
      }),
    ).toEqual({ ok: false, error: { kind: 'read-only', message: 'It is read-only.' } })
  })

  it('are read from lines, each key once', () => {
    expect(readLabels('a=\n\n b=c ')).toMatchObject({
      value: new Map([
        ['a', ''],
        ['b', 'c'],
      ]),
    })
    expect(readLabels('a=1\na=2')).toMatchObject({ error: 'Line 2 of the labels repeats a.' })
    expect(readTaints('a:NoSchedule\na:NoExecute')).toMatchObject({ ok: true })
    expect(readTaints('a:NoSchedule\na=x:NoSchedule')).toMatchObject({
      error: 'Line 2 of the taints repeats a:NoSchedule.',
    })
  })
})
