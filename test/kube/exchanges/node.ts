import { expect } from 'vitest'
import {
  boundPod,
  get,
  patch,
  pods,
  post,
  put,
  remove,
  web,
  type Ask,
  type Scenario,
} from '../exchange.ts'

const node = '<ns>-n1'
const other = '<ns>-n2'
const nodes = '/api/v1/nodes'
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
const forbidden = { status: 403, holds: { kind: 'Status', reason: 'Forbidden', code: 403 } }

function nodeObject(name: string, labels: Readonly<Record<string, string>> = {}): unknown {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    status: { capacity: { cpu: '2', memory: '4Gi', pods: '110' } },
  }
}

const register = post(nodes, {
  body: nodeObject(node),
  asNode: node,
  save: 'node',
  holds: {
    spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
    status: {
      allocatable: { cpu: '2', memory: '4Gi', pods: '110' },
      daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
      nodeInfo: { kubeletVersion: '' },
    },
  },
})

function mirror(
  more: {
    readonly metadata?: Readonly<Record<string, unknown>>
    readonly spec?: Readonly<Record<string, unknown>>
    readonly owner?: Readonly<Record<string, unknown>>
  } = {},
): unknown {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      annotations: { 'kubernetes.io/config.mirror': 'hash', 'kubernetes.io/config.hash': 'hash' },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'Node',
          name: node,
          uid: '<node.metadata.uid>',
          controller: true,
          ...more.owner,
        },
      ],
      ...more.metadata,
    },
    spec: {
      nodeName: node,
      containers: [{ name: 'c', image: 'x' }],
      tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
      ...more.spec,
    },
  }
}

function refusedMirror(what: string, body: unknown): Scenario {
  return {
    title: `a node may not create a pod with ${what}`,
    steps: [register, post(pods, { body, asNode: node, ...forbidden })],
  }
}

/** A pod of the other node, which this one may neither change nor delete. */
const foreign: readonly Ask[] = [
  register,
  post(pods, {
    body: {
      metadata: { name: 'web' },
      spec: {
        automountServiceAccountToken: false,
        nodeName: other,
        containers: [{ name: 'c', image: 'x' }],
      },
    },
  }),
]

export const nodeExchanges: readonly Scenario[] = [
  {
    title: 'a node registers, finds itself there, and writes its status',
    steps: [
      get(`${nodes}/${node}`, { asNode: node, status: 404, holds: { reason: 'NotFound' } }),
      register,
      post(nodes, {
        body: nodeObject(node),
        asNode: node,
        status: 409,
        holds: { reason: 'AlreadyExists' },
      }),
      patch(
        'strategic',
        `${nodes}/${node}/status`,
        {
          status: {
            '$setElementOrder/conditions': [{ type: 'MemoryPressure' }, { type: 'Ready' }],
            conditions: [
              {
                type: 'MemoryPressure',
                status: 'False',
                lastHeartbeatTime: '2024-01-01T00:00:00Z',
                lastTransitionTime: '2024-01-01T00:00:00Z',
                reason: 'KubeletHasSufficientMemory',
                message: 'kubelet has sufficient memory available',
              },
              {
                type: 'Ready',
                status: 'True',
                lastHeartbeatTime: '2024-01-01T00:00:00Z',
                lastTransitionTime: '2024-01-01T00:00:00Z',
                reason: 'KubeletReady',
                message: 'kubelet is posting ready status',
              },
            ],
            addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
            nodeInfo: { kubeletVersion: 'v1.34.4' },
          },
        },
        { asNode: node },
      ),
      get(`${nodes}/${node}`, { asNode: node }),
    ],
  },
  {
    title: 'a node renews only its own lease',
    steps: [
      register,
      post(leases, {
        asNode: node,
        save: 'lease',
        body: {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: {
            name: node,
            namespace: 'kube-node-lease',
            ownerReferences: [
              { apiVersion: 'v1', kind: 'Node', name: node, uid: '<node.metadata.uid>' },
            ],
          },
          spec: {
            holderIdentity: node,
            leaseDurationSeconds: 40,
            renewTime: '2024-01-01T00:00:00.000001Z',
          },
        },
      }),
      put(`${leases}/${node}`, {
        asNode: node,
        body: {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: {
            name: node,
            namespace: 'kube-node-lease',
            resourceVersion: '<lease.metadata.resourceVersion>',
          },
          spec: {
            holderIdentity: node,
            leaseDurationSeconds: 40,
            renewTime: '2024-01-01T00:00:10.000001Z',
          },
        },
      }),
      put(`${leases}/${node}`, {
        asNode: node,
        body: {
          metadata: { name: node, resourceVersion: '<lease.metadata.resourceVersion>' },
          spec: { holderIdentity: node, leaseDurationSeconds: 40 },
        },
        status: 409,
        holds: { reason: 'Conflict' },
      }),
      post(leases, {
        asNode: node,
        body: { metadata: { name: other }, spec: { leaseDurationSeconds: 40 } },
        ...forbidden,
      }),
      post('/apis/coordination.k8s.io/v1/namespaces/<ns>/leases', {
        asNode: node,
        body: { metadata: { name: node }, spec: { leaseDurationSeconds: 40 } },
        status: 403,
        holds: {
          reason: 'Forbidden',
          message: expect.stringMatching(
            /cannot create resource "leases" .*: can only access leases in the "kube-node-lease" system namespace$/,
          ),
        },
      }),
      post(leases, {
        body: { metadata: { name: other }, spec: { leaseDurationSeconds: 0 } },
        status: 422,
        holds: { reason: 'Invalid' },
      }),
    ],
  },
  {
    title: 'a node cannot change other nodes, taints, or labels that a kubelet may not set',
    steps: [
      register,
      post(nodes, { body: nodeObject(other), asNode: node, ...forbidden }),
      patch(
        'merge',
        `${nodes}/${node}`,
        { metadata: { labels: { 'node-role.kubernetes.io/control-plane': '' } } },
        {
          asNode: node,
          ...forbidden,
        },
      ),
      patch(
        'merge',
        `${nodes}/${node}`,
        { metadata: { labels: { 'node.kubernetes.io/size': 'm' } } },
        {
          asNode: node,
        },
      ),
      patch(
        'merge',
        `${nodes}/${node}`,
        { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } },
        {
          asNode: node,
          ...forbidden,
        },
      ),
      remove(`${nodes}/${node}`, { asNode: node, ...forbidden }),
    ],
  },
  {
    title: 'a node registers with labels that it may not set',
    steps: [
      post(nodes, {
        body: nodeObject(node, {
          'node-role.kubernetes.io/worker': '',
          'node-restriction.kubernetes.io/a': 'b',
        }),
        asNode: node,
        ...forbidden,
      }),
    ],
  },
  {
    title: 'a node creates its mirror pod, writes its status and deletes it',
    steps: [
      register,
      post(pods, { body: mirror(), asNode: node, save: 'web' }),
      patch(
        'strategic',
        `${web}/status`,
        { metadata: { uid: '<web.metadata.uid>' }, status: { phase: 'Running' } },
        { asNode: node },
      ),
      patch(
        'merge',
        web,
        { metadata: { annotations: { 'kubernetes.io/config.mirror': 'other' } } },
        {
          status: 422,
          holds: { reason: 'Invalid' },
        },
      ),
      patch(
        'merge',
        web,
        { metadata: { annotations: { 'kubernetes.io/config.mirror': null } } },
        {
          status: 422,
          holds: { reason: 'Invalid' },
        },
      ),
      remove(web, {
        asNode: node,
        body: { gracePeriodSeconds: 0, preconditions: { uid: '<web.metadata.uid>' } },
      }),
      get(web, { status: 404 }),
    ],
  },
  {
    title: 'the mirror annotation cannot be added later',
    steps: [
      post(pods, {
        body: {
          metadata: { name: 'web' },
          spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'x' }] },
        },
      }),
      patch(
        'merge',
        web,
        { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } },
        {
          status: 422,
          holds: {
            reason: 'Invalid',
            details: {
              causes: [
                { reason: 'FieldValueInvalid' },
                { reason: 'FieldValueForbidden' },
                { reason: 'FieldValueInvalid' },
              ],
            },
          },
        },
      ),
    ],
  },
  refusedMirror('no mirror annotation', mirror({ metadata: { annotations: {} } })),
  refusedMirror('another node’s name', mirror({ spec: { nodeName: other } })),
  refusedMirror('no owner', mirror({ metadata: { ownerReferences: [] } })),
  refusedMirror('another node as its owner', mirror({ owner: { name: other } })),
  refusedMirror('an owner that is no controller', mirror({ owner: { controller: false } })),
  refusedMirror('an owner of another uid', mirror({ owner: { uid: 'another' } })),
  refusedMirror(
    'an owner whose deletion it blocks',
    mirror({ owner: { blockOwnerDeletion: true } }),
  ),
  refusedMirror('a service account', mirror({ spec: { serviceAccountName: 'default' } })),
  refusedMirror(
    'a secret',
    mirror({ spec: { volumes: [{ name: 'v', secret: { secretName: 's' } }] } }),
  ),
  refusedMirror(
    'a config map in its environment',
    mirror({
      spec: {
        containers: [{ name: 'c', image: 'x', envFrom: [{ configMapRef: { name: 'm' } }] }],
      },
    }),
  ),
  {
    title: 'a node cannot change the pods of other nodes',
    steps: [
      ...foreign,
      patch(
        'strategic',
        `${web}/status`,
        { status: { phase: 'Running' } },
        { asNode: node, ...forbidden },
      ),
      // NodeRestriction finds pods through a watch, a moment after their creation.
      remove(web, { asNode: node, ...forbidden, isEventual: true }),
      post(`${web}/eviction`, {
        asNode: node,
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web' } },
        ...forbidden,
      }),
      patch('merge', web, { metadata: { labels: { a: 'b' } } }, { asNode: node, ...forbidden }),
    ],
  },
  {
    title: 'a node creates events and no other objects',
    steps: [
      register,
      post('/api/v1/namespaces/<ns>/events', {
        asNode: node,
        body: {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: 'web.1', namespace: '<ns>' },
          involvedObject: { kind: 'Pod', namespace: '<ns>', name: 'web' },
          reason: 'Started',
          message: 'Started container c',
          source: { component: 'kubelet', host: node },
          firstTimestamp: '2024-01-01T00:00:00Z',
          lastTimestamp: '2024-01-01T00:00:00Z',
          count: 1,
          type: 'Normal',
        },
        holds: { eventTime: null, reportingComponent: '', reportingInstance: '' },
      }),
      patch(
        'strategic',
        '/api/v1/namespaces/<ns>/events/web.1',
        { count: 2, lastTimestamp: '2024-01-01T00:01:00Z' },
        { asNode: node },
      ),
      post('/api/v1/namespaces/<ns>/configmaps', {
        asNode: node,
        body: { metadata: { name: 'm' } },
        status: 403,
        holds: { message: expect.stringMatching(/: can only read resources of this type$/) },
      }),
    ],
  },
  {
    title: 'a node reads itself, its lease, its pods and services, but nothing of other nodes',
    steps: [
      register,
      get(`${nodes}/${node}`, { asNode: node }),
      get(`${nodes}/${other}`, { asNode: node, ...forbidden }),
      get(nodes, { asNode: node, ...forbidden }),
      get(nodes, { asNode: node, query: { fieldSelector: `metadata.name=${node}` } }),
      get(nodes, {
        asNode: node,
        query: { fieldSelector: `metadata.name=${other}` },
        ...forbidden,
      }),
      get(pods, { asNode: node, query: { fieldSelector: `spec.nodeName=${node}` } }),
      get(pods, { asNode: node, query: { fieldSelector: `spec.nodeName=${other}` }, ...forbidden }),
      get(pods, { asNode: node, ...forbidden }),
      post(pods, { body: boundPod('web', node) }),
      get(web, { asNode: node, isEventual: true }),
      get(web, { asNode: other, ...forbidden }),
      get(`${leases}/${node}`, { asNode: node, status: 404 }),
      get(leases, { asNode: node, ...forbidden }),
      get('/api/v1/namespaces/<ns>/services', { asNode: node }),
      get('/apis/apps/v1/daemonsets', { asNode: node, ...forbidden }),
      get('/api/v1/namespaces/<ns>/events', { asNode: node, ...forbidden }),
      get('/api/v1/namespaces/<ns>', { asNode: node, ...forbidden }),
      get('/api/v1/namespaces/<ns>/configmaps/m', { asNode: node, ...forbidden }),
    ],
  },
  {
    title: 'a node asks who it is',
    steps: [
      post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
        asNode: node,
        holds: {
          kind: 'SelfSubjectReview',
          status: { userInfo: { username: expect.stringMatching(/^system:node:.+-n1$/) } },
        },
      }),
    ],
  },
]
