import { describe, expect, it } from 'vitest'
import type { NodeStatus } from '../../../shared/kubernetes/objects.ts'
import {
  hasNodeStatusChanged,
  nodePatch,
  nodeRuntimeStatus,
  nodeStatus,
  noPressure,
} from './node-status.ts'
import type { NodeDescription } from './node-status.ts'

const description: NodeDescription = {
  capacity: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '10Gi', pods: '110' },
  allocatable: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '9Gi', pods: '110' },
  addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
  nodeInfo: { kubeletVersion: 'v1.34.4' },
  labels: {},
  taints: [],
}

describe('nodeRuntimeStatus', () => {
  const image = (name: string, sizeBytes: number) => ({
    sizeBytes,
    repoDigests: [`${name}@sha256:1`],
    repoTags: ['1', '2', '3', '4', '5'].map((tag) => `${name}:${tag}`),
  })
  const runtime = {
    images: [image('a', 9), image('b', 1)],
    runtimeHandlers: [{ name: '' }, { name: 'kata', features: { userNamespaces: true } }],
    features: { supplementalGroupsPolicy: true },
  }

  it('shows so many images with five names each, handlers and features', () => {
    const none = { recursiveReadOnlyMounts: false, userNamespaces: false }
    expect(nodeRuntimeStatus(runtime, 1)).toEqual({
      images: [{ names: ['a@sha256:1', 'a:1', 'a:2', 'a:3', 'a:4'], sizeBytes: 9 }],
      runtimeHandlers: [
        { name: '', features: none },
        { name: 'kata', features: { ...none, userNamespaces: true } },
      ],
      features: { supplementalGroupsPolicy: true },
    })
    expect(nodeRuntimeStatus(runtime, -1).images).toHaveLength(2)
    expect(nodeRuntimeStatus(runtime, 0).images).toBeUndefined()
  })

  it('removes images that are gone from the status', () => {
    const shown = nodeStatus(description, {}, [], 0, noPressure, nodeRuntimeStatus(runtime, -1))
    const gone = nodeRuntimeStatus({ ...runtime, images: [] }, -1)
    const next = nodeStatus(description, shown, [], 0, noPressure, gone)
    expect(hasNodeStatusChanged(shown, next)).toBe(true)
    expect(next.images).toBeUndefined()
    expect(nodePatch({ metadata, status: shown }, { metadata, status: next })).toMatchObject({
      status: { images: null },
    })
  })
})

const metadata = { name: 'n', uid: 'u' }
const status = nodeStatus(description, {}, [], 0)

function node(its: NodeStatus, labels: Readonly<Record<string, string>> = {}) {
  return { metadata: { name: 'n', uid: 'u', labels }, status: its }
}

describe('what others wrote on a node', () => {
  it('stays: conditions in their places, resources in both lists', () => {
    const { conditions = [] } = status
    const foreign = { type: 'NetworkUnavailable', status: 'False' } as const
    const shown = {
      ...status,
      conditions: [...conditions.slice(0, 2), foreign, ...conditions.slice(2)],
      capacity: { ...status.capacity, 'example.com/dongle': '4' },
    }
    const next = nodeStatus(description, shown, [], 0)
    expect(next.conditions?.map(({ type }) => type)).toEqual([
      'MemoryPressure',
      'DiskPressure',
      'NetworkUnavailable',
      'PIDPressure',
      'Ready',
    ])
    expect(next.capacity?.['example.com/dongle']).toBe('4')
    expect(next.allocatable).toEqual({ ...description.allocatable, 'example.com/dongle': '4' })
  })

  it('finds no change where only the order of conditions or the spelling of quantities differs', () => {
    expect(
      hasNodeStatusChanged(status, {
        ...status,
        conditions: (status.conditions ?? []).toReversed(),
        capacity: { ...status.capacity, memory: '1024Mi', cpu: '2000m' },
      }),
    ).toBe(false)
    expect(
      hasNodeStatusChanged(status, { ...status, capacity: { ...status.capacity, cpu: '3' } }),
    ).toBe(true)
  })
})

describe('what is allocatable', () => {
  it.each<[string, Partial<NodeStatus>, Readonly<Record<string, string>>]>([
    [
      'drops an extended resource that the node no longer has',
      { allocatable: { 'example.com/dongle': '4' } },
      {},
    ],
    [
      'keeps a native one that was added by hand',
      { allocatable: { 'hugepages-1Gi': '0' } },
      { 'hugepages-1Gi': '0' },
    ],
    [
      'is less memory by the huge pages',
      { capacity: { 'hugepages-2Mi': '256Mi' } },
      { 'hugepages-2Mi': '256Mi', memory: '768Mi' },
    ],
    [
      'does not go below zero memory',
      { capacity: { 'hugepages-2Mi': '2Gi' } },
      { 'hugepages-2Mi': '2Gi', memory: '0' },
    ],
  ])('%s', (_, before, expected) => {
    expect(nodeStatus(description, before, [], 0).allocatable).toEqual({
      ...description.allocatable,
      ...expected,
    })
  })
})

describe('the patch of a node', () => {
  it('is empty when nothing differs', () => {
    expect(nodePatch(node(status), node(status))).toEqual({})
  })

  it('has labels as well as the status, and removes one with null', () => {
    expect(nodePatch(node(status, { a: '1', b: '2' }), node(status, { a: '3' }))).toEqual({
      metadata: { labels: { a: '3', b: null } },
    })
  })

  it('replaces addresses, which the API would merge by their type', () => {
    const addresses = [
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'InternalIP', address: 'fd00::1' },
    ]
    expect(nodePatch(node(status), node({ ...status, addresses }))).toEqual({
      status: { addresses: [...addresses, { $patch: 'replace' }] },
    })
    expect(nodePatch(node({}), node({ addresses }))).toEqual({ status: { addresses } })
  })
})
