import { expect } from 'vitest'
import { get, patch, pod, pods, post, put, remove, type Scenario } from '../exchange.ts'

const priorities = '/apis/scheduling.k8s.io/v1/priorityclasses'
const runtimes = '/apis/node.k8s.io/v1/runtimeclasses'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

type Fields = Readonly<Record<string, unknown>>

const invalid = { status: 422, holds: { reason: 'Invalid' } }
const forbidden = { status: 403, holds: { reason: 'Forbidden' } }

function priority(more: Fields = {}, name = '<ns>-high'): unknown {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value: 1000,
    ...more,
  }
}

function runtime(more: Fields = {}, name = '<ns>-vm'): unknown {
  return {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name },
    handler: 'vm',
    ...more,
  }
}

function of(name: string, spec: Fields): { readonly body: unknown } {
  return { body: pod(name, { spec }) }
}

/** Priority classes and runtime classes, and the admission of pods that use them. */
export const classExchanges: readonly Scenario[] = [
  {
    title: 'the priority classes of the system are there and cannot be deleted',
    steps: [
      get(`${priorities}/system-node-critical`, { holds: { value: 2_000_001_000 } }),
      get(`${priorities}/system-cluster-critical`, { holds: { value: 2_000_000_000 } }),
      get(`${priorities}/system-node-critical`, { accept: table }),
      remove(`${priorities}/system-node-critical`, forbidden),
      patch('merge', `${priorities}/system-node-critical`, { value: 7 }, invalid),
      post(priorities, { body: priority({}, 'system-mine'), ...invalid }),
      post(priorities, {
        body: priority({ value: 2_000_000_000 }, 'system-cluster-critical'),
        status: 409,
      }),
    ],
  },
  {
    title: 'a priority class is created, read, changed in part and deleted',
    steps: [
      post(priorities, {
        body: priority({ description: 'high' }),
        holds: { value: 1000, preemptionPolicy: 'PreemptLowerPriority' },
      }),
      post(priorities, { body: priority(), status: 409 }),
      get(`${priorities}/<ns>-high`),
      get(`${priorities}/<ns>-high`, { accept: table }),
      patch('merge', `${priorities}/<ns>-high`, { description: 'higher' }),
      patch('merge', `${priorities}/<ns>-high`, { value: 7 }, invalid),
      patch('merge', `${priorities}/<ns>-high`, { preemptionPolicy: 'Never' }, invalid),
      put(`${priorities}/<ns>-high`, { body: priority() }),
      post(priorities, { body: priority({ value: 1_000_000_001 }, '<ns>-huge'), ...invalid }),
      post(priorities, {
        body: priority({ preemptionPolicy: 'Sometimes' }, '<ns>-odd'),
        ...invalid,
      }),
      post(priorities, { body: priority({}, 'No_Name'), ...invalid }),
      post(priorities, { body: priority({ value: undefined }, '<ns>-zero'), holds: { value: 0 } }),
      post(priorities, { body: priority({ value: 'x' }, '<ns>-text'), status: 400 }),
      remove(`${priorities}/<ns>-zero`),
      remove(`${priorities}/<ns>-high`, { holds: { kind: 'Status' } }),
    ],
  },
  {
    title: 'a pod has the priority of its class',
    steps: [
      post(priorities, { body: priority({ preemptionPolicy: 'Never' }) }),
      post(pods, {
        ...of('web', { priorityClassName: '<ns>-high' }),
        isEventual: true,
        holds: { spec: { priority: 1000, preemptionPolicy: 'Never' } },
      }),
      post(pods, { ...of('critical', { priorityClassName: 'system-node-critical' }) }),
      post(pods, { ...of('same', { priorityClassName: '<ns>-high', priority: 1000 }) }),
      post(pods, {
        ...of('other', { priorityClassName: '<ns>-high', priority: 7 }),
        ...forbidden,
      }),
      post(pods, {
        ...of('preempting', {
          priorityClassName: '<ns>-high',
          preemptionPolicy: 'PreemptLowerPriority',
        }),
        ...forbidden,
      }),
      post(pods, { ...of('number', { priority: 7 }), ...forbidden }),
      post(pods, { ...of('unknown', { priorityClassName: '<ns>-none' }), ...forbidden }),
      remove(`${priorities}/<ns>-high`),
    ],
  },
  {
    title: 'a pod without a class has the default one, of which there is one',
    steps: [
      post(priorities, { body: priority({ globalDefault: true, value: 77 }) }),
      post(pods, {
        ...of('web', {}),
        query: { dryRun: 'All' },
        isEventual: true,
        holds: { spec: { priority: 77, priorityClassName: expect.any(String) } },
      }),
      post(priorities, {
        body: priority({ globalDefault: true }, '<ns>-second'),
        status: 403,
        isEventual: true,
        holds: { reason: 'Forbidden' },
      }),
      post(priorities, { body: priority({}, '<ns>-second') }),
      patch('merge', `${priorities}/<ns>-second`, { globalDefault: true }, forbidden),
      get(`${priorities}/<ns>-high`, { accept: table }),
      remove(`${priorities}/<ns>-high`),
      remove(`${priorities}/<ns>-second`),
      post(pods, {
        ...of('web', {}),
        query: { dryRun: 'All' },
        isEventual: true,
        holds: { spec: { priority: 0 } },
      }),
    ],
  },
  {
    title: 'a runtime class is created, read, changed in part and deleted',
    steps: [
      post(runtimes, {
        body: runtime({
          overhead: { podFixed: { cpu: '250m', memory: '120Mi' } },
          scheduling: {
            nodeSelector: { vm: 'yes' },
            tolerations: [{ key: 'vm', operator: 'Exists' }],
          },
        }),
      }),
      post(runtimes, { body: runtime(), status: 409 }),
      get(`${runtimes}/<ns>-vm`),
      get(`${runtimes}/<ns>-vm`, { accept: table }),
      patch('merge', `${runtimes}/<ns>-vm`, { metadata: { labels: { a: 'b' } } }),
      patch('merge', `${runtimes}/<ns>-vm`, { handler: 'other' }, invalid),
      patch('merge', `${runtimes}/<ns>-vm`, { overhead: { podFixed: { cpu: '1' } } }),
      post(runtimes, { body: runtime({ handler: '' }, '<ns>-none'), ...invalid }),
      post(runtimes, { body: runtime({ handler: 'No_Handler' }, '<ns>-none'), ...invalid }),
      post(runtimes, {
        body: runtime({ overhead: { podFixed: { cpu: '-1' } } }, '<ns>-none'),
        ...invalid,
      }),
      post(runtimes, {
        body: runtime({ scheduling: { nodeSelector: { 'no/such/key': 'x' } } }, '<ns>-none'),
        ...invalid,
      }),
      post(runtimes, {
        body: runtime(
          {
            scheduling: {
              tolerations: [
                { key: 'a', operator: 'Exists' },
                { key: 'a', operator: 'Exists' },
              ],
            },
          },
          '<ns>-none',
        ),
        ...invalid,
      }),
      post(runtimes, { body: runtime({}, 'No_Name'), ...invalid }),
      remove(`${runtimes}/<ns>-vm`, { holds: { kind: 'Status' } }),
    ],
  },
  {
    title: 'a pod gets the overhead, the node selector and the tolerations of its runtime class',
    steps: [
      post(runtimes, {
        body: runtime({
          overhead: { podFixed: { cpu: '250m', memory: '120Mi' } },
          scheduling: {
            nodeSelector: { vm: 'yes' },
            tolerations: [{ key: 'vm', operator: 'Exists', effect: 'NoSchedule' }],
          },
        }),
      }),
      post(runtimes, { body: runtime({}, '<ns>-plain') }),
      post(pods, {
        ...of('web', { runtimeClassName: '<ns>-vm' }),
        isEventual: true,
        holds: {
          spec: { overhead: { cpu: '250m', memory: '120Mi' }, nodeSelector: { vm: 'yes' } },
        },
      }),
      post(pods, {
        ...of('more', {
          runtimeClassName: '<ns>-vm',
          nodeSelector: { size: 'l' },
          tolerations: [{ key: 'vm', operator: 'Exists', effect: 'NoSchedule' }],
        }),
      }),
      post(pods, {
        ...of('same', {
          runtimeClassName: '<ns>-vm',
          overhead: { cpu: '250m', memory: '120Mi' },
        }),
      }),
      post(pods, {
        ...of('conflict', { runtimeClassName: '<ns>-vm', nodeSelector: { vm: 'no' } }),
        ...forbidden,
      }),
      post(pods, {
        ...of('own', { runtimeClassName: '<ns>-vm', overhead: { cpu: '1' } }),
        ...forbidden,
      }),
      post(pods, {
        ...of('plain', { runtimeClassName: '<ns>-plain', overhead: { cpu: '1' } }),
        ...forbidden,
      }),
      post(pods, { ...of('without', { overhead: { cpu: '1' } }), ...forbidden }),
      post(pods, { ...of('unknown', { runtimeClassName: '<ns>-none' }), ...forbidden }),
      post(pods, { ...of('bad', { runtimeClassName: 'No_Class' }), ...forbidden }),
      remove(`${runtimes}/<ns>-vm`),
      remove(`${runtimes}/<ns>-plain`),
    ],
  },
]
