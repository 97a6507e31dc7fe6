import { describe, expect, it } from 'vitest'
import type { TraceInput } from '../../../shared/model/trace-event.ts'
import { fakePod } from '../../kubelet/pod/fake-pod.ts'
import { podSubject } from '../../kubelet/pod/identity.ts'
import { ClusterTrace } from '../../kubelet/trace.ts'
import { eventCause } from '../../../shared/model/explanation/explanation.ts'
import { FlowRoots } from './flow-roots.ts'

const subject = podSubject(fakePod())

function setUp() {
  const trace = new ClusterTrace({
    cluster: 'sandbox',
    clock: { now: () => 0, after: () => () => undefined },
    onError: (error) => {
      throw error
    },
  })
  const roots = new FlowRoots()
  trace.listen((event) => {
    roots.take(event)
  })
  const tell = (node: string, input: TraceInput): number => trace.emit(node, input)
  const request = (method: string, path: string, client = 'kubectl'): number =>
    tell('', {
      kind: 'request.received',
      subject: { kind: 'cluster' },
      causes: [],
      data: { method, path, user: 'admin', client },
    })
  const written = (cause: number): number =>
    tell('', {
      kind: 'object.written',
      subject: { kind: 'object', resource: 'pods', namespace: 'default', name: 'web', uid: 'u' },
      causes: [cause],
      data: { change: 'MODIFIED', resourceVersion: '1', user: 'admin', subresource: '' },
    })
  const merged = (node: string, ...causes: readonly number[]): number =>
    tell(node, {
      kind: 'config.merged',
      subject,
      causes,
      data: { source: 'api', op: 'DELETE', mirror: false },
    })
  const shown = (node = 'n'): readonly string[] => roots.of(node).map(eventCause)
  return { tell, request, written, merged, shown, roots }
}

describe('FlowRoots', () => {
  it('shows a request of kubectl when it has an effect in this node’s kubelet', () => {
    const { request, written, merged, shown } = setUp()
    const write = written(request('DELETE', '/api/v1/namespaces/default/pods/web?gracePeriod=3'))
    expect(shown()).toEqual([])
    merged('n', write)
    expect(shown()).toEqual(['kubectl deleted pod default/web'])
    expect(shown('other')).toEqual([])
  })

  it.each([
    ['POST', '/api/v1/namespaces/default/pods', 'kubectl created a pod in default'],
    ['PATCH', '/api/v1/namespaces/default/pods/web', 'kubectl patched pod default/web'],
    ['PUT', '/api/v1/nodes/n', 'kubectl replaced node n'],
    ['POST', '/api/v1/namespaces/default/pods/web/binding', 'kubectl bound pod default/web'],
    ['DELETE', '/api/v1/namespaces/default/pods', 'kubectl deleted pods in default'],
    ['POST', '/apis/scheduling.k8s.io/v1/priorityclasses', 'kubectl created a priorityclass'],
    ['PATCH', '/api/v1/namespaces/default/pods/web/status', 'kubectl PATCH pods/web/status'],
  ])('says of %s %s: %s', (method, path, text) => {
    const { request, written, merged, shown } = setUp()
    merged('n', written(request(method, path)))
    expect(shown()).toEqual([text])
  })

  it('ignores reads, the kubelet’s own requests, and movements without a root', () => {
    const { request, written, merged, shown } = setUp()
    merged('n', written(request('GET', '/api/v1/pods')))
    merged('n', written(request('PATCH', '/api/v1/namespaces/default/pods/web/status', 'kubelet')))
    merged('n')
    expect(shown()).toEqual([])
  })

  it('shows a file and a click, newest first, each once', () => {
    const { tell, merged, shown } = setUp()
    const file = tell('n', {
      kind: 'manifest.changed',
      subject: { kind: 'source', source: 'file' },
      causes: [],
      data: { path: '/etc/manifests/web.yaml', change: 'modified' },
    })
    const click = tell('n', {
      kind: 'command.received',
      subject,
      causes: [],
      data: { act: 'kill', gracePeriodSeconds: null },
    })
    merged('n', click)
    merged('n', merged('n', file))
    merged('n', file)
    expect(shown()).toEqual(['you: kill web', 'web.yaml modified'])
  })

  it('shows what a probe found in a container, although the container has a cause itself', () => {
    const { tell, merged, shown, roots } = setUp()
    const file = tell('n', {
      kind: 'manifest.changed',
      subject: { kind: 'source', source: 'file' },
      causes: [],
      data: { path: '/etc/manifests/web.yaml', change: 'modified' },
    })
    const probe = (result: 'success' | 'failure', probed: boolean): number =>
      tell('n', {
        kind: 'probe.resultChanged',
        subject,
        causes: [merged('n', file)],
        data: { container: 'app', containerId: 'c', probe: 'liveness', result, probed },
      })
    probe('failure', false)
    probe('success', true)
    expect(shown()).toEqual(['web.yaml modified'])
    const first = probe('failure', true)
    // Once more: the newest is shown.
    const last = probe('failure', true)
    merged('n', last)
    merged('n', first)
    expect(shown()).toEqual(['liveness failure of web', 'web.yaml modified'])
    expect(roots.of('n')[0]?.seq).toBe(last)
  })

  it('takes the newest root if an event has several', () => {
    const { request, merged, shown } = setUp()
    const first = request('POST', '/api/v1/namespaces/default/pods')
    const second = request('POST', '/api/v1/namespaces/default/pods/web/eviction')
    merged('n', second, first)
    expect(shown()).toEqual(['kubectl asked to evict pod default/web'])
  })

  it('keeps the eight newest roots, and drops causes that are too far back', () => {
    const { request, merged, shown } = setUp()
    const old = request('POST', '/api/v1/namespaces/default/pods')
    for (let index = 0; index < 10; index++)
      merged('n', request('DELETE', `/api/v1/namespaces/default/pods/p${index}`))
    expect(shown()).toEqual(
      [9, 8, 7, 6, 5, 4, 3, 2].map((index) => `kubectl deleted pod default/p${index}`),
    )
    for (let index = 0; index < 20_000; index++) merged('other')
    merged('other', old)
    expect(shown('other')).toEqual([])
  })
})
