import { describe, expect, it } from 'vitest'
import { nodeColumns, nodeRoles, nodeWideColumns } from './node-columns.ts'
import type { ConditionStatus, Node } from '../objects.ts'

const now = Date.UTC(2026, 0, 1, 12, 0, 0)

function node(
  ready: ConditionStatus | undefined,
  rest: Pick<Node, 'spec'> & { readonly labels?: Record<string, string> } = {},
): Node {
  return {
    metadata: {
      name: 'n1',
      uid: 'u1',
      creationTimestamp: '2026-01-01T11:00:00Z',
      ...(rest.labels === undefined ? {} : { labels: rest.labels }),
    },
    ...(rest.spec === undefined ? {} : { spec: rest.spec }),
    status: {
      conditions: [
        { type: 'MemoryPressure', status: 'False' },
        ...(ready === undefined ? [] : [{ type: 'Ready', status: ready }]),
      ],
      nodeInfo: { kubeletVersion: 'v1.34.0' },
    },
  }
}

describe('STATUS of a node', () => {
  it.each([
    ['True', false, 'Ready'],
    ['False', false, 'NotReady'],
    ['Unknown', false, 'NotReady'],
    [undefined, false, 'Unknown'],
    ['True', true, 'Ready,SchedulingDisabled'],
    [undefined, true, 'Unknown,SchedulingDisabled'],
  ] as const)('Ready %s and cordoned %s is %s', (ready, unschedulable, status) => {
    expect(nodeColumns(node(ready, { spec: { unschedulable } }), now).status).toBe(status)
  })
})

describe('ROLES of a node', () => {
  it('come from both kinds of label, sorted, each once', () => {
    const labels = {
      'node-role.kubernetes.io/worker': '',
      'node-role.kubernetes.io/control-plane': '',
      'node-role.kubernetes.io/': '',
      'kubernetes.io/role': 'worker',
      'kubernetes.io/hostname': 'n1',
    }
    expect(nodeRoles(node('True', { labels }))).toEqual(['control-plane', 'worker'])
  })

  it('are <none> without any', () => {
    expect(nodeColumns(node('True'), now)).toEqual({
      status: 'Ready',
      roles: '<none>',
      age: '60m',
      version: 'v1.34.0',
    })
  })
})

describe('the wide columns of a node', () => {
  it('take the first address of each type and say what is not known', () => {
    const bare = node('True')
    const full: Node = {
      ...bare,
      status: {
        addresses: [
          { type: 'Hostname', address: 'n1' },
          { type: 'InternalIP', address: '10.0.0.1' },
          { type: 'InternalIP', address: 'fd00::1' },
          { type: 'ExternalIP', address: '1.2.3.4' },
        ],
        nodeInfo: { osImage: 'Sandbox', kernelVersion: '6.1', containerRuntimeVersion: 'sim://1' },
      },
    }
    expect(nodeWideColumns(full)).toEqual({
      internalIp: '10.0.0.1',
      externalIp: '1.2.3.4',
      osImage: 'Sandbox',
      kernelVersion: '6.1',
      containerRuntime: 'sim://1',
    })
    expect(nodeWideColumns(bare)).toEqual({
      internalIp: '<none>',
      externalIp: '<none>',
      osImage: '<unknown>',
      kernelVersion: '<unknown>',
      containerRuntime: '<unknown>',
    })
  })
})
