import { describe, expect, it } from 'vitest'
import type { Container, Node, Pod, PodSpec, Taint } from '../../../shared/kubernetes/objects.ts'
import { fakePod, fakeStaticPod } from '../pod/fake-pod.ts'
import { NodePredicates } from './node-predicates.ts'
import { firstRefusal } from './pod-admitter.ts'

const node: Node = {
  metadata: { name: 'n', uid: 'n', labels: { disk: 'ssd', cores: '8' } },
  status: { allocatable: { cpu: '2', memory: '1Gi', pods: '3' } },
}

function asking(requests: Record<string, string>, spec: Partial<PodSpec> = {}): Pod {
  return fakePod({
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests } }], ...spec },
  })
}

function predicates(over: Partial<Node> = {}): NodePredicates {
  return new NodePredicates({ nodeName: 'n', node: () => ({ ...node, ...over }) })
}

describe('NodePredicates', () => {
  it('admits what fits', () => {
    expect(predicates().admit(asking({ cpu: '1500m' }), [asking({ cpu: '500m' })])).toBeUndefined()
  })

  it('refuses for cpu with the sentence of a kubelet', () => {
    expect(predicates().admit(asking({ cpu: '500' }), [])).toEqual({
      reason: 'OutOfcpu',
      message: "Node didn't have enough resource: cpu, requested: 500000, used: 0, capacity: 2000",
    })
  })

  it('counts what active pods use', () => {
    expect(predicates().admit(asking({ memory: '600Mi' }), [asking({ memory: '512Mi' })])).toEqual({
      reason: 'OutOfmemory',
      message:
        "Node didn't have enough resource: memory, requested: 629145600, used: 536870912, capacity: 1073741824",
    })
  })

  it('refuses one pod too many', () => {
    expect(predicates().admit(fakePod(), [fakePod(), fakePod(), fakePod()])).toEqual({
      reason: 'OutOfpods',
      message: "Node didn't have enough resource: pods, requested: 1, used: 3, capacity: 3",
    })
  })

  it('leaves extended resources that the node does not know to others', () => {
    expect(predicates().admit(asking({ 'example.com/gpu': '4' }), [])).toBeUndefined()
  })

  it('has none of a resource of Kubernetes that the node does not know', () => {
    expect(predicates().admit(asking({ 'hugepages-2Mi': '2Mi' }), [])).toEqual({
      reason: 'OutOfhugepages-2Mi',
      message:
        "Node didn't have enough resource: hugepages-2Mi, requested: 2097152, used: 0, capacity: 0",
    })
  })

  it('refuses a pod of another node', () => {
    expect(predicates().admit(fakePod({ spec: { nodeName: 'other' } }), [])?.reason).toBe(
      'NodeName',
    )
  })

  it('takes an empty node name for none', () => {
    expect(predicates().admit(fakePod({ spec: { nodeName: '' } }), [])).toBeUndefined()
  })

  it('refuses a taken host port, not the same port of another protocol', () => {
    const on = (protocol: string): Pod =>
      fakePod({
        spec: {
          containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort: 80, protocol }] }],
        },
      })
    expect(predicates().admit(on('TCP'), [on('TCP')])).toEqual({
      reason: 'NodePorts',
      message:
        "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
    })
    expect(predicates().admit(on('TCP'), [on('UDP')])).toBeUndefined()
  })

  it('counts the host ports of sidecars, not of other init containers', () => {
    const on = (restartPolicy: Partial<Container>): Pod =>
      fakePod({
        spec: {
          initContainers: [
            { name: 'i', ports: [{ containerPort: 80, hostPort: 80 }], ...restartPolicy },
          ],
        },
      })
    const sidecar = on({ restartPolicy: 'Always' })
    expect(predicates().admit(sidecar, [sidecar])?.reason).toBe('NodePorts')
    expect(predicates().admit(on({}), [sidecar])).toBeUndefined()
  })

  it('refuses for a NoExecute taint, but not a static pod, and not for NoSchedule', () => {
    const tainted = (effect: Taint['effect']) =>
      predicates({ spec: { taints: [{ key: 'k', effect }] } })
    expect(tainted('NoExecute').admit(fakePod(), [])).toEqual({
      reason: 'TaintToleration',
      message: "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate",
    })
    expect(tainted('NoExecute').admit(fakeStaticPod(), [])).toBeUndefined()
    expect(tainted('NoSchedule').admit(fakePod(), [])).toBeUndefined()
  })

  it('passes everything while there is no Node object', () => {
    const none = new NodePredicates({ nodeName: 'n', node: () => undefined })
    expect(none.admit(asking({ cpu: '500' }), [])).toBeUndefined()
  })

  it('asks handlers in order and takes the first refusal', async () => {
    const refusing = (reason: string) => ({ admit: () => ({ reason, message: '' }) })
    const passing = { admit: () => undefined }
    const handlers = [passing, refusing('A'), refusing('B')]
    expect(await firstRefusal(handlers, fakePod(), [], [])).toEqual({ reason: 'A', message: '' })
    expect(await firstRefusal([passing], fakePod(), [], [])).toBeUndefined()
  })
})
