import { describe, expect, it } from 'vitest'
import type { KubeObject, ObjectMeta } from '../../../../shared/kubernetes/objects.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import { resourceTypes } from '../../registry/resource-types.ts'
import { tableFor } from './table.ts'

const now = Date.UTC(2026, 0, 1, 12, 0, 0)

function typeOf(plural: string): ResourceType {
  const type = resourceTypes.find((candidate) => candidate.plural === plural)
  if (type === undefined) throw new Error(`no resource ${plural}`)
  return type
}

function object(name: string, rest: Record<string, unknown> = {}): KubeObject {
  const metadata: ObjectMeta = {
    name,
    uid: `uid-${name}`,
    resourceVersion: '7',
    creationTimestamp: '2026-01-01T11:58:30Z',
  }
  return { metadata, ...rest }
}

interface Printed {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[]
  readonly rows: readonly { readonly cells: readonly unknown[] }[]
}

/** As kubectl prints it: names in capitals, wide columns behind a bar, one row. */
function printed(plural: string, one: KubeObject): readonly (readonly [string, unknown])[] {
  const table = tableFor(typeOf(plural), [one], { now, includeObject: 'None' }) as Printed
  return table.columnDefinitions.map(({ name, priority }, index) => [
    (priority === 1 ? '| ' : '') + name.toUpperCase(),
    table.rows[0]?.cells[index],
  ])
}

describe('the columns of', () => {
  it('a pod', () => {
    const pod = object('web', {
      spec: { containers: [{ name: 'c' }], nodeName: 'n1' },
      status: {
        phase: 'Running',
        podIP: '10.0.0.7',
        containerStatuses: [
          {
            name: 'c',
            ready: true,
            restartCount: 2,
            image: 'i',
            imageID: '',
            state: { running: {} },
            lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-01T11:59:00Z' } },
          },
        ],
      },
    })
    expect(printed('pods', pod)).toEqual([
      ['NAME', 'web'],
      ['READY', '1/1'],
      ['STATUS', 'Running'],
      ['RESTARTS', '2 (60s ago)'],
      ['AGE', '90s'],
      ['| IP', '10.0.0.7'],
      ['| NODE', 'n1'],
      ['| NOMINATED NODE', '<none>'],
      ['| READINESS GATES', '<none>'],
    ])
  })

  it('a node', () => {
    const node = object('n1', {
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
        nodeInfo: {
          kubeletVersion: 'v1.34.0',
          osImage: 'Simulated',
          kernelVersion: '6.1',
          containerRuntimeVersion: 'sim://1',
        },
      },
    })
    expect(printed('nodes', node)).toEqual([
      ['NAME', 'n1'],
      ['STATUS', 'Ready'],
      ['ROLES', '<none>'],
      ['AGE', '90s'],
      ['VERSION', 'v1.34.0'],
      ['| INTERNAL-IP', '10.0.0.1'],
      ['| EXTERNAL-IP', '<none>'],
      ['| OS-IMAGE', 'Simulated'],
      ['| KERNEL-VERSION', '6.1'],
      ['| CONTAINER-RUNTIME', 'sim://1'],
    ])
  })

  it('a namespace, a lease, a service account, a config map', () => {
    expect(printed('namespaces', object('a', { status: { phase: 'Active' } }))).toEqual([
      ['NAME', 'a'],
      ['STATUS', 'Active'],
      ['AGE', '90s'],
    ])
    expect(printed('leases', object('n1', { spec: { holderIdentity: 'n1' } }))).toEqual([
      ['NAME', 'n1'],
      ['HOLDER', 'n1'],
      ['AGE', '90s'],
    ])
    expect(printed('serviceaccounts', object('default'))).toEqual([
      ['NAME', 'default'],
      ['SECRETS', 0],
      ['AGE', '90s'],
    ])
    const map = object('m', { data: { a: '1', b: '2' }, binaryData: { c: 'AA==' } })
    expect(printed('configmaps', map)).toEqual([
      ['NAME', 'm'],
      ['DATA', 3],
      ['AGE', '90s'],
    ])
  })

  it('a daemon set', () => {
    const set = object('agent', {
      spec: {
        selector: {
          matchLabels: { app: 'agent' },
          matchExpressions: [
            { key: 'tier', operator: 'In', values: ['b', 'a'] },
            { key: 'old', operator: 'DoesNotExist' },
          ],
        },
        template: {
          spec: {
            nodeSelector: { disk: 'ssd' },
            containers: [
              { name: 'a', image: 'x:1' },
              { name: 'b', image: 'y:2' },
            ],
          },
        },
      },
      status: { desiredNumberScheduled: 3, currentNumberScheduled: 2, numberReady: 1 },
    })
    expect(printed('daemonsets', set)).toEqual([
      ['NAME', 'agent'],
      ['DESIRED', 3],
      ['CURRENT', 2],
      ['READY', 1],
      ['UP-TO-DATE', 0],
      ['AVAILABLE', 0],
      ['NODE SELECTOR', 'disk=ssd'],
      ['AGE', '90s'],
      ['| CONTAINERS', 'a,b'],
      ['| IMAGES', 'x:1,y:2'],
      ['| SELECTOR', 'app=agent,!old,tier in (a,b)'],
    ])
  })

  it('a resource without columns of its own', () => {
    const web = object('web')
    expect(printed('roles', web)).toEqual([
      ['NAME', 'web'],
      ['CREATED AT', web.metadata.creationTimestamp],
    ])
  })
})

describe('the columns of an event', () => {
  const event = {
    involvedObject: { kind: 'Pod', name: 'web', fieldPath: 'spec.containers{c}' },
    reason: 'Started',
    message: ' Started container c\n',
    source: { component: 'kubelet', host: 'n1' },
    type: 'Normal',
  }

  it('with a count', () => {
    const counted = object('web.1', {
      ...event,
      firstTimestamp: '2026-01-01T11:00:00Z',
      lastTimestamp: '2026-01-01T11:59:00Z',
      count: 4,
    })
    expect(printed('events', counted)).toEqual([
      ['LAST SEEN', '60s'],
      ['TYPE', 'Normal'],
      ['REASON', 'Started'],
      ['OBJECT', 'pod/web'],
      ['| SUBOBJECT', 'spec.containers{c}'],
      ['| SOURCE', 'kubelet, n1'],
      ['MESSAGE', 'Started container c'],
      ['| FIRST SEEN', '60m'],
      ['| COUNT', 4],
      ['| NAME', 'web.1'],
    ])
  })

  it.each([
    ['once', { eventTime: '2026-01-01T11:59:50.000000Z' }, '10s', '10s', 1],
    [
      'as a series',
      {
        eventTime: '2026-01-01T11:59:00.000000Z',
        series: { count: 5, lastObservedTime: '2026-01-01T11:59:55.000000Z' },
      },
      '5s',
      '60s',
      5,
    ],
    ['without any time', {}, '<unknown>', '<unknown>', 1],
  ])('of events.k8s.io, %s', (_, times, last, first, count) => {
    const { source: _source, ...rest } = event
    const made = object('web.2', { ...rest, reportingComponent: 'kubelet', ...times })
    const columns = new Map(printed('events', made))
    expect([
      columns.get('LAST SEEN'),
      columns.get('| FIRST SEEN'),
      columns.get('| COUNT'),
      columns.get('| SOURCE'),
    ]).toEqual([last, first, count, 'kubelet'])
  })
})

describe('a table', () => {
  const finished = object('done', {
    spec: { containers: [] },
    status: { phase: 'Succeeded', reason: 'x' },
  })

  it('has the metadata of its list, or of its single object', () => {
    const listMeta = { resourceVersion: '12', continue: 'abc', remainingItemCount: 3 }
    const options = { now, includeObject: 'None' } as const
    expect(tableFor(typeOf('pods'), [finished], { ...options, listMeta })).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: listMeta,
    })
    expect(tableFor(typeOf('pods'), [finished], options)).toMatchObject({
      metadata: { resourceVersion: '7' },
    })
    expect(tableFor(typeOf('pods'), [], options)).toMatchObject({ metadata: {}, rows: [] })
  })

  it.each([
    ['None', null],
    [
      'Metadata',
      {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: finished.metadata,
      },
    ],
    ['Object', { ...finished, kind: 'Pod', apiVersion: 'v1' }],
  ] as const)('sends of each object: %s', (includeObject, sent) => {
    expect(tableFor(typeOf('pods'), [finished], { now, includeObject })).toHaveProperty('rows', [
      {
        cells: ['done', '0/0', 'x', '0', '90s', '<none>', '<none>', '<none>', '<none>'],
        conditions: [
          {
            type: 'Completed',
            status: 'True',
            reason: 'Succeeded',
            message: 'The pod has completed successfully.',
          },
        ],
        object: sent,
      },
    ])
  })

  it('has as many cells in a row as columns, for every resource', () => {
    for (const type of resourceTypes) {
      const bare = object('x', { spec: { containers: [] }, involvedObject: {}, status: {} })
      const table = tableFor(type, [bare], { now, includeObject: 'None' }) as Printed
      expect([type.plural, table.rows[0]?.cells.length]).toEqual([
        type.plural,
        table.columnDefinitions.length,
      ])
    }
  })
})
