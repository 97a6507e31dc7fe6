import { expect, it } from 'vitest'
import { toTimestamp } from '../../src/shared/kubernetes/timestamps.ts'
import { ended, fakePodOf } from '../../src/shared/model/inspect/fake-evidence.ts'
import type { PodOptions } from '../../src/shared/model/inspect/fake-evidence.ts'
import type { FlowView } from '../../src/shared/model/flow.ts'
import { look, node, secret } from './looked-at.ts'

const spec = {
  nodeName: node,
  containers: [{ name: 'c', image: 'i', env: [{ name: 'TOKEN', value: secret }] }],
}
let version = 10

function pod(uid: string, part: PodOptions = {}) {
  const made = fakePodOf({ uid, spec, resourceVersion: String(++version), ...part })
  const name = uid === 'uid-1' ? made.metadata.name : uid
  return { ...made, metadata: { ...made.metadata, name } }
}

it('shows what moved in a node that is looked at, forward and back', async () => {
  const { server, clock, session, file, replay } = await look()
  const flow = (): FlowView => {
    const view = session.flow(node)
    if (view === undefined) throw new Error('The node has no flow.')
    return view
  }
  flow()
  const moments: FlowView[] = []
  const renew = (): void => {
    const spec = { holderIdentity: node, renewTime: toTimestamp(clock.now()) }
    const metadata = { name: node, namespace: 'kube-node-lease', uid: 'l' }
    const object = { metadata: { ...metadata, resourceVersion: String(++version) }, spec }
    server.tell('leases', { type: 'MODIFIED', object })
  }
  const mirror = { 'kubernetes.io/config.mirror': 'static-1' }
  const steps = [
    () => server.tell('pods', { type: 'MODIFIED', object: pod('uid-1', { deletedAgo: -30 }) }),
    () => server.tell('pods', { type: 'MODIFIED', object: pod('uid-1', { state: ended(0, 137) }) }),
    () => server.tell('pods', { type: 'ADDED', object: pod('uid-2', { annotations: mirror }) }),
    () => server.tell('pods', { type: 'DELETED', object: pod('uid-1') }),
    () => server.tell('pods', { type: 'DELETED', object: pod('uid-2', { annotations: mirror }) }),
  ]
  for (const step of steps) {
    step()
    for (let renewal = 0; renewal < 8; renewal++) {
      renew()
      await clock.advance(10_000)
    }
    moments.push(flow())
    await clock.advance(1)
  }
  const replayed = await replay()

  expect(file.text.includes(secret)).toBe(false)
  expect(new Set(moments.map(({ api }) => `${api?.pods} ${api?.mirrors}`))).toEqual(
    new Set(['1 0', '2 1', '1 1', '0 0']),
  )
  const last = moments.at(-1)?.arrows.find(({ arrow }) => arrow === 'nodeController-apiServer')
  expect(last).toMatchObject({ total: 40, lastMinute: 5 })
  for (const view of [...moments, ...moments.toReversed()]) {
    replayed.seek(view.now)
    expect(replayed.flow(node), `at ${view.now}`).toEqual({ ...view, cluster: 'r' })
  }
  expect(replayed.flow('worker-9')).toBeUndefined()
})

it('tells a page each move, and each renewal', async () => {
  const { server, clock, session, replay } = await look()
  session.flow(node)
  await clock.advance(5000)
  server.tell('pods', { type: 'MODIFIED', object: pod('uid-1', { state: ended(0) }) })
  await clock.advance(5000)
  const replayed = await replay()
  const told: string[] = []
  replayed.onChange((change) => {
    if (change.kind === 'flow') told.push(change.node)
  })
  replayed.seek(replayed.from)
  told.length = 0
  replayed.clock.run()
  await replayed.clock.advance(7000)
  expect(told).toContain(node)
})
