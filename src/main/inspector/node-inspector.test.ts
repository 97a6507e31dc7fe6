import { describe, expect, it } from 'vitest'
import type { KubeEvent, Node, Pod } from '../../shared/kubernetes/objects.ts'
import type { KubeletProblem } from '../../shared/model/inspect/kubelet-facts.ts'
import { fakePodOf, readAt } from '../../shared/model/inspect/fake-evidence.ts'
import { err, ok } from '../../shared/result.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import type { KubeletWay } from './kubelet-client/direct-way.ts'
import type { KubeletAnswer } from './kubelet-client/kubelet-problem.ts'
import { NodeInspector } from './node-inspector.ts'
import type { NodeObjects } from './node-objects.ts'

/** A kubelet whose answers the test changes. */
class FakeKubelet {
  readonly answers = new Map<string, KubeletAnswer | KubeletProblem>()
  readonly asked: string[] = []

  has(path: string, ...pods: readonly Pod[]): this {
    return this.says(path, { status: 200, body: JSON.stringify({ kind: 'PodList', items: pods }) })
  }

  says(path: string, answer: KubeletAnswer | KubeletProblem): this {
    this.answers.set(path, answer)
    return this
  }

  way(name: KubeletWay['name'] = 'direct'): KubeletWay {
    return {
      name,
      get: (path) => {
        this.asked.push(`${name} ${path}`)
        const answer = this.answers.get(path) ?? { status: 404, body: '' }
        return Promise.resolve('kind' in answer ? err(answer) : ok(answer))
      },
      certificate: () => undefined,
      close: () => Promise.resolve(),
    }
  }
}

const node: Node = {
  metadata: { name: 'worker-3', uid: '' },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
}

function inspectorOf(ways: () => readonly KubeletWay[] | KubeletProblem) {
  const clock = new VirtualClock(nodeClockHost, { startAt: readAt })
  const api: { pods: readonly Pod[]; events: readonly KubeEvent[] } = { pods: [], events: [] }
  const objects: NodeObjects = {
    pods: () => ({ value: api.pods, at: clock.now() }),
    node: () => node,
    lease: () => ({
      value: {
        metadata: { name: 'worker-3', uid: '' },
        spec: { renewTime: '2026-11-24T14:02:28.000000Z' },
      },
      at: clock.now(),
    }),
    events: () => api.events,
    apiAwaySince: () => null,
  }
  const inspector = new NodeInspector({
    nodeName: 'worker-3',
    objects,
    ways,
    address: () => '10.0.0.7:10250',
    clock,
  })
  const row = (uid: string) => {
    const found = inspector.view().rows.find((one) => one.uid === uid)
    return (
      found &&
      `${found.worker} ${found.certainty}${found.disagreement ? `: ${found.disagreement.text}` : ''}`
    )
  }
  return { inspector, clock, api, row }
}

const [pods, running] = ['/pods', '/runningpods/'] as const
const missing: KubeletAnswer = {
  status: 403,
  body: 'Forbidden (user=x, verb=get, resource=nodes, subresource(s)=[pods proxy])',
}
const untrusted: KubeletProblem = { kind: 'untrusted', message: 'Not asked: its certificate.' }

describe('a node that is looked at', () => {
  it('is joined from the API and its kubelet', async () => {
    const kubelet = new FakeKubelet().has(pods, fakePodOf()).has(running, fakePodOf())
    const { inspector, api, row } = inspectorOf(() => [kubelet.way()])
    api.pods = [fakePodOf()]
    await inspector.read([pods, running])
    expect(row('uid-1')).toBe('SyncPod certain')
    expect(inspector.view()).toMatchObject({
      node: 'worker-3',
      rows: [
        {
          status: 'Running',
          ready: '1/1',
          told: 'Running',
          running: [{ name: 'c', state: 'running' }],
          apiUid: 'uid-1',
        },
      ],
      lease: { renewedAt: readAt - 3000, durationMs: 40_000 },
      conditions: [{ type: 'Ready', status: 'True', since: null }],
      kubelet: {
        contact: 'answers',
        way: 'direct',
        address: '10.0.0.7:10250',
        missingRights: [],
        notKnown: [],
      },
    })
  })

  it('shows a pod that is gone from the API and runs, first in the table, with its age', async () => {
    const kubelet = new FakeKubelet().has(pods, fakePodOf()).has(running, fakePodOf())
    const { inspector, api, clock, row } = inspectorOf(() => [kubelet.way()])
    const other = {
      ...fakePodOf({ uid: 'uid-2' }),
      metadata: { name: 'a', namespace: 'a', uid: 'uid-2' },
    }
    api.pods = [fakePodOf(), other]
    await inspector.read([pods, running])
    api.pods = [other]
    kubelet.has(pods, other)
    await inspector.read([pods, running])
    await clock.advance(14_000)
    await inspector.read([pods, running])
    expect(row('uid-1')).toBe('TerminatingPod likely: not in the API, runs, 14s')
    expect(inspector.view().rows.map(({ uid }) => uid)).toEqual(['uid-1', 'uid-2'])
    kubelet.has(running, other)
    await inspector.read([pods, running])
    expect(row('uid-1')).toBeUndefined()
  })

  it('dates a copy of the kubelet that stays old, and a container that the status does not have', async () => {
    const old = fakePodOf({ resourceVersion: '790', phase: 'Pending', state: { waiting: {} } })
    const kubelet = new FakeKubelet().has(pods, old).has(running, fakePodOf())
    const { inspector, api, clock, row } = inspectorOf(() => [kubelet.way()])
    api.pods = [fakePodOf({ resourceVersion: '812' })]
    const read = async (inMs: number) => {
      await clock.advance(inMs)
      await inspector.read([pods, running])
      return row('uid-1')
    }
    await read(0)
    expect(await read(4000)).toBe('SyncPod certain')
    expect(await read(4000)).toContain(
      'the kubelet’s copy is older: the kubelet has Pending 0/1, 8s',
    )
    const lines = inspector.view().rows[0]?.evidence
    expect(lines?.filter(({ fact }) => fact === 'resourceVersion')).toMatchObject([
      { origin: 'API', value: '812' },
      { origin: '/pods', value: '790' },
    ])
    api.pods = [old]
    expect(await read(0)).not.toContain('stale')
    expect(await read(8000)).toContain('status likely stale: the runtime runs c, 8s')
    kubelet.has(running)
    expect(await read(2000)).not.toContain('stale')
  })

  it('shows the API alone where a right is missing, and says which', async () => {
    const kubelet = new FakeKubelet().says(pods, missing).says(running, missing)
    const { inspector, api, row } = inspectorOf(() => [kubelet.way()])
    api.pods = [fakePodOf()]
    await inspector.read([pods, running])
    expect(row('uid-1')).toBe('SyncPod possible')
    const [shown] = inspector.view().rows
    expect([shown?.told, shown?.running]).toEqual([undefined, undefined])
    expect(inspector.view().kubelet).toMatchObject({
      contact: 'not asked',
      missingRights: [{ resource: 'nodes/pods', isBroad: false }],
      missingRule: expect.stringContaining('      - nodes/pods'),
      notKnown: [
        'Which pods the kubelet has received, and where a stop is held up.',
        'Pods that run although the API has none.',
      ],
    })
  })

  it('takes the proxy where the certificate is not trusted, and shows why it did not go straight', async () => {
    const direct = new FakeKubelet().says(pods, untrusted)
    const proxy = new FakeKubelet().has(pods, fakePodOf()).has(running, fakePodOf())
    const { inspector, row, api } = inspectorOf(() => [direct.way(), proxy.way('proxy')])
    api.pods = [fakePodOf()]
    await inspector.read([pods, running])
    expect(inspector.view().kubelet).toMatchObject({
      way: 'proxy',
      contact: 'answers',
      problem: null,
      address: null,
    })
    expect(row('uid-1')).toBe('SyncPod certain')
  })

  it('says why it is not asked where neither way works, and tries again', async () => {
    const direct = new FakeKubelet().says(pods, untrusted)
    const proxy = new FakeKubelet().says(pods, missing)
    const { inspector } = inspectorOf(() => [direct.way(), proxy.way('proxy')])
    await inspector.read([pods])
    expect(inspector.view().kubelet).toMatchObject({
      contact: 'not asked',
      way: 'direct',
      problem: untrusted,
    })
    direct.has(pods, fakePodOf())
    await inspector.read([pods])
    expect(inspector.view().kubelet).toMatchObject({ contact: 'answers', way: 'direct' })
  })

  it('is shown without an address as not asked', async () => {
    const problem = { kind: 'no-address', message: 'Node worker-3 has no address.' } as const
    const { inspector, api, row } = inspectorOf(() => problem)
    api.pods = [fakePodOf()]
    await inspector.read([pods])
    expect(inspector.view().kubelet).toMatchObject({ contact: 'not asked', way: null, problem })
    expect(inspector.view().kubelet.notKnown).toHaveLength(5)
    expect(row('uid-1')).toBe('SyncPod possible')
  })

  it('keeps what a kubelet said before it stopped listening, and concludes that no worker is left', async () => {
    const kubelet = new FakeKubelet().has(pods, fakePodOf()).has(running, fakePodOf())
    const { inspector, api, row } = inspectorOf(() => [kubelet.way()])
    api.pods = [fakePodOf()]
    await inspector.read([pods, running])
    kubelet.says(pods, { kind: 'refused', message: 'refused' })
    await inspector.read([pods])
    expect(row('uid-1')).toBe('none likely')
    expect(inspector.view().rows[0]?.told).toBe('Running')
  })

  it('names what a kubelet does not serve', async () => {
    const kubelet = new FakeKubelet().has(pods)
    const { inspector } = inspectorOf(() => [kubelet.way()])
    await inspector.read([pods, '/configz'])
    expect(inspector.view().kubelet).toMatchObject({
      contact: 'answers',
      problem: { kind: 'not-served', message: '/configz: this kubelet does not serve it (404).' },
      notKnown: ['The configuration and the static pod path.'],
    })
  })
})
