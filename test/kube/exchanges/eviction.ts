import { expect } from 'vitest'
import {
  boundPod,
  events,
  get,
  patch,
  pod,
  pods,
  post,
  put,
  remove,
  watch,
  web,
  type Ask,
  type Difference,
  type Scenario,
  type Step,
} from '../exchange.ts'

// A real server runs here without its controllers, so these exchanges say themselves what the
// disruption controller would have counted.

const budgets = '/apis/policy/v1/namespaces/<ns>/poddisruptionbudgets'
const guard = `${budgets}/guard`
const since = '2026-01-02T03:04:05Z'
const app = { app: 'web' }

type Fields = Readonly<Record<string, unknown>>

function budget(spec: Fields = {}, name = 'guard'): unknown {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { selector: { matchLabels: app }, ...spec },
  }
}

/** A pod with a budget, and its kubelet's status. */
function guarded(
  status: { readonly phase?: string; readonly ready?: string } = {},
): readonly Step[] {
  const { phase = 'Running', ready = 'True' } = status
  const body = pod('web', { metadata: { labels: app }, spec: { nodeName: 'n1' } })
  const conditions = [{ type: 'Ready', status: ready, lastTransitionTime: since }]
  return [
    post(pods, { body, save: 'web' }),
    patch('strategic', `${web}/status`, { status: { phase, conditions } }),
  ]
}

/** The status that the controller would write. */
function counted(status: Fields): Ask {
  const whole = {
    observedGeneration: 1,
    expectedPods: 3,
    currentHealthy: 3,
    desiredHealthy: 2,
    disruptionsAllowed: 1,
    ...status,
  }
  return patch('merge', `${guard}/status`, { status: whole })
}

const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web' } }

function evict(status: number, holds: unknown, options: Fields = {}): Ask {
  return post(`${web}/eviction`, { body: { ...eviction, ...options }, status, holds })
}

const evicted = evict(201, { status: 'Success' })

const refused = {
  reason: 'TooManyRequests',
  message: "Cannot evict pod as it would violate the pod's disruption budget.",
}

function heldBack(message: string, more: Fields = {}): unknown {
  return { ...refused, details: { causes: [{ reason: 'DisruptionBudget', message }], ...more } }
}

const needsTwo = heldBack('The disruption budget guard needs 2 healthy pods and has 2 currently')

const stillThere = get(web, { holds: { metadata: { generation: 1 } } })
const onItsWay = get(web, {
  holds: {
    metadata: { deletionGracePeriodSeconds: 30 },
    status: { conditions: [{ type: 'Ready' }, { type: 'DisruptionTarget', status: 'True' }] },
  },
})

function invalid(spec: Fields, holds: unknown, differs: readonly Difference[] = []): Ask {
  return post(budgets, { body: budget(spec), status: 422, holds, differs })
}

const spent = counted({ currentHealthy: 2, disruptionsAllowed: 0 })

const outcomes: readonly Scenario[] = [
  {
    title: 'a budget that allows a disruption counts it and permits the eviction',
    steps: [
      ...guarded(),
      post(budgets, { body: budget({ minAvailable: 2 }) }),
      watch('budgets', budgets),
      counted({ disruptionsAllowed: 2, currentHealthy: 4 }),
      evicted,
      onItsWay,
      get(guard, {
        holds: { status: { disruptionsAllowed: 1, disruptedPods: { web: expect.any(String) } } },
      }),
      events('budgets', [
        { type: 'ADDED' },
        { type: 'MODIFIED', object: { status: { disruptionsAllowed: 2 } } },
        { type: 'MODIFIED', object: { status: { disruptionsAllowed: 1 } } },
      ]),
    ],
  },
  {
    title: 'the last disruption that is allowed turns the condition',
    steps: [
      ...guarded(),
      post(budgets, { body: budget({ minAvailable: 2 }) }),
      counted({
        conditions: [
          {
            type: 'DisruptionAllowed',
            status: 'True',
            reason: 'SufficientPods',
            observedGeneration: 1,
            lastTransitionTime: since,
          },
        ],
      }),
      evicted,
      get(guard, {
        holds: {
          status: {
            disruptionsAllowed: 0,
            conditions: [
              { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' },
            ],
          },
        },
      }),
    ],
  },
  {
    title: 'a budget that allows none refuses an eviction, but no deletion',
    steps: [
      ...guarded(),
      post(budgets, { body: budget({ minAvailable: 2 }) }),
      spent,
      evict(429, needsTwo),
      evict(429, needsTwo, { deleteOptions: { gracePeriodSeconds: 0 } }),
      stillThere,
      remove(web, { holds: { metadata: { deletionGracePeriodSeconds: 30 } } }),
      get(guard, { holds: { status: { disruptionsAllowed: 0 } } }),
    ],
  },
  {
    title: 'a budget that its controller has not seen yet refuses everything for ten seconds',
    steps: [
      ...guarded(),
      post(budgets, { body: budget({ minAvailable: 0 }) }),
      evict(
        429,
        heldBack('The disruption budget guard is still being processed by the server.', {
          retryAfterSeconds: 10,
        }),
      ),
      counted({ desiredHealthy: 0, disruptionsAllowed: 3 }),
      patch(
        'merge',
        guard,
        { spec: { minAvailable: 1 } },
        { holds: { metadata: { generation: 2 } } },
      ),
      evict(429, { details: { retryAfterSeconds: 10 } }),
      stillThere,
    ],
  },
  {
    title: 'a pod with two budgets cannot be evicted',
    steps: [
      ...guarded(),
      post(budgets, { body: budget() }),
      post(budgets, { body: budget({}, 'other') }),
      evict(500, { message: expect.stringContaining('more than one PodDisruptionBudget') }),
      stillThere,
    ],
  },
  {
    title: 'a budget of other pods, or of none, does not matter',
    steps: [
      ...guarded(),
      post(budgets, { body: budget({ selector: { matchLabels: { app: 'other' } } }, 'other') }),
      post(budgets, { body: budget({ selector: null }, 'none') }),
      evicted,
      onItsWay,
    ],
  },
  {
    title: 'an empty selector guards every pod of the namespace',
    steps: [
      ...guarded(),
      post(budgets, {
        body: budget({ selector: {}, maxUnavailable: 0 }),
        holds: { spec: { selector: {} } },
      }),
      spent,
      evict(429, needsTwo),
    ],
  },
  ...[
    ['In', 429],
    ['NotIn', 201],
    ['Exists', 429],
    ['DoesNotExist', 201],
  ].map(([operator, status]): Scenario => ({
    title: `a selector with ${operator}`,
    steps: [
      ...guarded(),
      post(budgets, {
        body: budget({
          selector: {
            matchExpressions: [
              {
                key: 'app',
                operator,
                ...(String(operator).endsWith('In') ? { values: ['web', 'api'] } : {}),
              },
            ],
          },
        }),
      }),
      spent,
      evict(Number(status), {}),
    ],
  })),
]

const skipped: readonly Scenario[] = [
  ...['Succeeded', 'Failed'].map((phase): Scenario => ({
    title: `a ${phase} pod goes without its budget being asked`,
    steps: [
      ...guarded({ phase, ready: 'False' }),
      post(budgets, { body: budget({ minAvailable: 2 }) }),
      spent,
      evicted,
      get(web, { status: 404 }),
      get(guard, { holds: { status: { disruptionsAllowed: 0 } } }),
    ],
  })),
  {
    title: 'a Pending pod is evicted whatever its budget',
    steps: [
      post(pods, { body: pod('web', { metadata: { labels: app }, spec: { nodeName: 'n1' } }) }),
      post(budgets, { body: budget({ minAvailable: 2 }) }),
      spent,
      evicted,
      get(web, { holds: { metadata: { deletionGracePeriodSeconds: 30 } } }),
    ],
  },
  {
    title: 'a terminating pod is evicted whatever its budget',
    steps: [
      ...guarded(),
      post(budgets, { body: budget({ minAvailable: 2 }) }),
      spent,
      remove(web),
      evict(201, { status: 'Success' }, { deleteOptions: { gracePeriodSeconds: 3 } }),
      get(web, { holds: { metadata: { deletionGracePeriodSeconds: 3 } } }),
    ],
  },
  {
    title: 'a Pending pod of an older version than the precondition is not evicted',
    steps: [
      post(pods, { body: pod('web', { metadata: { labels: app } }), save: 'web' }),
      patch('merge', web, { metadata: { labels: { a: 'b' } } }),
      evict(
        409,
        { reason: 'Conflict' },
        { deleteOptions: { preconditions: { resourceVersion: '<web.metadata.resourceVersion>' } } },
      ),
    ],
  },
]

const unhealthy: readonly Scenario[] = [
  {
    title: 'an unhealthy pod is evicted if the budget is met without it, and is not counted',
    steps: [
      ...guarded({ ready: 'False' }),
      post(budgets, { body: budget({ minAvailable: 2 }) }),
      spent,
      evicted,
      onItsWay,
      get(guard, { holds: { status: { disruptionsAllowed: 0, currentHealthy: 2 } } }),
    ],
  },
  {
    title: 'an unhealthy pod is not evicted if the budget is not met',
    steps: [
      ...guarded({ ready: 'False' }),
      post(budgets, {
        body: budget({ minAvailable: 2, unhealthyPodEvictionPolicy: 'IfHealthyBudget' }),
      }),
      counted({ currentHealthy: 1, disruptionsAllowed: 0 }),
      evict(429, heldBack('The disruption budget guard needs 2 healthy pods and has 1 currently')),
      stillThere,
    ],
  },
  {
    title: 'an unhealthy pod is always evicted with the policy AlwaysAllow',
    steps: [
      ...guarded({ ready: 'Unknown' }),
      post(budgets, {
        body: budget({ minAvailable: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
      }),
      // Not even seen by its controller.
      evicted,
      onItsWay,
    ],
  },
  {
    title: 'the eviction of a healthy pod can be refused with the policy AlwaysAllow, too',
    steps: [
      ...guarded(),
      post(budgets, {
        body: budget({ minAvailable: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
      }),
      spent,
      evict(429, needsTwo),
    ],
  },
]

const options: readonly Scenario[] = [
  {
    title: 'a dry-run eviction checks the budget and counts nothing',
    steps: [
      ...guarded(),
      post(budgets, { body: budget({ minAvailable: 2 }) }),
      counted({}),
      evict(201, { status: 'Success' }, { deleteOptions: { dryRun: ['All'] } }),
      get(guard, { holds: { status: { disruptionsAllowed: 1 } } }),
      stillThere,
      spent,
      evict(429, needsTwo, { deleteOptions: { dryRun: ['All'] } }),
      post(`${web}/eviction`, { body: eviction, query: { dryRun: 'All' }, status: 429 }),
    ],
  },
  {
    title: 'an eviction with a failing precondition has counted against the budget',
    steps: [
      ...guarded(),
      post(budgets, { body: budget({ minAvailable: 2 }) }),
      counted({}),
      evict(
        409,
        { reason: 'Conflict' },
        { deleteOptions: { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } } },
      ),
      get(guard, { holds: { status: { disruptionsAllowed: 0 } } }),
      stillThere,
    ],
  },
  {
    title: 'too many evictions that the controller has not seen',
    steps: [
      ...guarded(),
      post(budgets, { body: budget({ minAvailable: 2 }) }),
      counted({
        disruptedPods: Object.fromEntries(
          Array.from({ length: 2001 }, (_, index) => [`gone-${index}`, since]),
        ),
      }),
      evict(403, {
        reason: 'Forbidden',
        details: { group: 'policy', kind: 'poddisruptionbudget' },
      }),
    ],
  },
  {
    title: 'a pod without a budget, and a missing pod',
    steps: [
      post(pods, { body: boundPod('web') }),
      post(budgets, { body: budget() }),
      evicted,
      post(`${pods}/nobody/eviction`, {
        body: { ...eviction, metadata: { name: 'nobody' } },
        status: 404,
      }),
    ],
  },
]

const tableOf = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

const objects: readonly Scenario[] = [
  {
    title: 'a budget is created, changed, counted and shown',
    steps: [
      post(budgets, {
        body: {
          ...Object(budget({ minAvailable: '50%' })),
          status: { disruptionsAllowed: 7 },
        },
        save: 'guard',
        holds: {
          metadata: { generation: 1 },
          status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
        },
      }),
      post(budgets, { body: budget(), status: 409, holds: { reason: 'AlreadyExists' } }),
      put(guard, { body: budget({ minAvailable: 1 }), status: 422 }),
      patch(
        'merge',
        guard,
        { metadata: { labels: { a: 'b' } } },
        { holds: { metadata: { generation: 1 } } },
      ),
      patch(
        'strategic',
        guard,
        { spec: { selector: { matchLabels: { b: 'c' } } } },
        {
          holds: { metadata: { generation: 2 }, spec: { selector: { matchLabels: { b: 'c' } } } },
        },
      ),
      patch(
        'merge',
        guard,
        { spec: { minAvailable: null, maxUnavailable: 1 } },
        {
          holds: { metadata: { generation: 3 } },
        },
      ),
      put(guard, {
        body: {
          ...Object(budget({ maxUnavailable: 2 })),
          metadata: { name: 'guard', resourceVersion: '<guard.metadata.resourceVersion>' },
        },
        status: 409,
        holds: { reason: 'Conflict' },
      }),
      // A change of the rest does not change the status, and vice versa.
      patch(
        'merge',
        guard,
        { status: { disruptionsAllowed: 5 } },
        {
          holds: { status: { disruptionsAllowed: 0 } },
        },
      ),
      patch(
        'merge',
        `${guard}/status`,
        { spec: { maxUnavailable: 9 }, status: { disruptionsAllowed: 5 } },
        {
          holds: { spec: { maxUnavailable: 1 }, status: { disruptionsAllowed: 5 } },
        },
      ),
      get(`${guard}/status`),
      get(budgets, { holds: { kind: 'PodDisruptionBudgetList' } }),
      get(budgets, {
        accept: tableOf,
        holds: { rows: [{ cells: ['guard', 'N/A', '1', 5, expect.any(String)] }] },
      }),
      get(guard, { accept: tableOf }),
      remove(guard, { holds: { status: 'Success' } }),
      remove(guard, { status: 404, holds: { reason: 'NotFound' } }),
    ],
  },
  {
    title: 'budgets that ask for too little or for both',
    steps: [
      post(budgets, {
        body: { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'empty' } },
      }),
      post(budgets, { body: budget({}, 'neither'), holds: { metadata: { generation: 1 } } }),
      invalid({ minAvailable: 1, maxUnavailable: 1 }, { reason: 'Invalid' }),
      invalid({ minAvailable: '30%', maxUnavailable: '30%' }, { reason: 'Invalid' }),
      invalid({ minAvailable: -1 }, { reason: 'Invalid' }),
      invalid({ maxUnavailable: -1 }, { reason: 'Invalid' }),
      invalid({ minAvailable: '101%' }, { reason: 'Invalid' }),
      invalid({ maxUnavailable: 'some' }, { reason: 'Invalid' }),
      invalid({ maxUnavailable: '-5%' }, { reason: 'Invalid' }),
      invalid({ unhealthyPodEvictionPolicy: 'Sometimes' }, { reason: 'Invalid' }),
      invalid({ unhealthyPodEvictionPolicy: '' }, { reason: 'Invalid' }),
      post(budgets, { body: budget({ minAvailable: 1.5 }), status: 400 }),
      post(budgets, { body: budget({ minAvailable: true }), status: 400 }),
      post(budgets, { body: budget({ selector: 'app=web' }), status: 400 }),
      post(budgets, {
        body: budget({ minAvailabel: 1 }),
        query: { fieldValidation: 'Strict' },
        status: 400,
      }),
    ],
  },
  {
    title: 'budgets with invalid selectors',
    steps: [
      invalid({ selector: { matchLabels: { 'not/a/key': 'x' } } }, { reason: 'Invalid' }),
      invalid({ selector: { matchLabels: { app: 'not a value' } } }, { reason: 'Invalid' }),
      ...[
        { key: 'app', operator: 'In' },
        { key: 'app', operator: 'NotIn', values: [] },
        { key: 'app', operator: 'Exists', values: ['x'] },
        { key: 'app', operator: 'Like', values: ['x'] },
        { key: '', operator: 'Exists' },
        { key: 'app', operator: 'In', values: ['not a value', '-'] },
      ].map((requirement) =>
        invalid({ selector: { matchExpressions: [requirement] } }, { reason: 'Invalid' }),
      ),
    ],
  },
  {
    title: 'changes of a budget that are refused',
    steps: [
      post(budgets, { body: budget({ minAvailable: 1 }) }),
      patch('merge', guard, { spec: { maxUnavailable: 1 } }, { status: 422 }),
      patch('merge', guard, { spec: { minAvailable: 'x' } }, { status: 422 }),
      patch(
        'merge',
        guard,
        { spec: { selector: { matchLabels: { app: 'not a value' } } } },
        { status: 422 },
      ),
      patch(
        'merge',
        `${guard}/status`,
        { status: { disruptionsAllowed: -1, currentHealthy: -2 } },
        { status: 422 },
      ),
      patch(
        'merge',
        `${guard}/status`,
        { status: { desiredHealthy: -1, expectedPods: -2 } },
        { status: 422 },
      ),
      put(`${guard}/status`, {
        body: { ...Object(budget()), status: { disruptedPods: { web: 'now' } } },
        status: 400,
      }),
      ...[
        [{ type: 'A', status: 'Maybe', reason: 'Why', lastTransitionTime: since }],
        [{ type: 'not a type', status: 'True', reason: 'not a reason', lastTransitionTime: since }],
        [{ type: 'A', status: 'True', observedGeneration: -1 }],
        [
          { type: 'A', status: 'True', reason: 'Why', lastTransitionTime: since },
          { type: 'A', status: 'True', reason: 'Why', lastTransitionTime: since },
        ],
      ].map((conditions) =>
        patch('merge', `${guard}/status`, { status: { conditions } }, { status: 422 }),
      ),
      get(guard, { holds: { metadata: { generation: 1 } } }),
    ],
  },
]

export const evictions: readonly Scenario[] = [
  ...outcomes,
  ...skipped,
  ...unhealthy,
  ...options,
  ...objects,
]
