import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/shared/json.ts'
import type { KubeObject, Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { TraceEvent } from '../../../src/shared/model/trace-event.ts'
import { CronJobChecks } from './cron-job-checks.ts'
import { DependentChecks } from './dependent-checks.ts'
import { JobChecks } from './job-checks.ts'
import { controllerManager, OwnerHistory } from './owner-history.ts'
import type { Followed, ObjectChange } from './owner-history.ts'
import { QuietWrites } from './quiet-writes.ts'
import { ReplicaChecks } from './replica-checks.ts'
import { SetChecks } from './set-checks.ts'
import { checkSettledOwners } from './settled-owners.ts'

const kinds: Partial<Record<Followed, string>> = {
  'apps/v1/replicasets': 'ReplicaSet',
  'apps/v1/deployments': 'Deployment',
  'apps/v1/statefulsets': 'StatefulSet',
  'apps/v1/daemonsets': 'DaemonSet',
  'batch/v1/cronjobs': 'CronJob',
  'batch/v1/jobs': 'Job',
  services: 'Service',
}

/** A cluster of which the checks are told. */
class Told {
  now = 0
  readonly found: number[] = []
  readonly #kinds = new Map<string, string>()
  readonly #history: OwnerHistory
  readonly dependents: DependentChecks
  #version = 0

  constructor() {
    const report = (invariant: number): void => {
      this.found.push(invariant)
    }
    const now = (): number => this.now
    this.#history = new OwnerHistory({
      watch: () => Promise.reject(new Error('nothing is watched')),
      now,
      onChange: (change: ObjectChange) => {
        for (const one of checks) one.take(change)
      },
    })
    const deps = { history: this.#history, now, report }
    this.dependents = new DependentChecks(deps)
    const checks = [
      new ReplicaChecks(deps),
      new SetChecks(deps),
      new JobChecks(deps),
      new CronJobChecks(deps),
      this.dependents,
    ]
  }

  /** `uid` is the name. `owner`: the name of the controller. */
  put(
    resource: Followed,
    name: string,
    parts: JsonObject & { readonly metadata?: JsonObject } = {},
    {
      owner,
      type = 'ADDED',
    }: { readonly owner?: string; readonly type?: ObjectChange['type'] } = {},
  ): KubeObject {
    this.#kinds.set(name, kinds[resource] ?? '')
    const version = String(++this.#version)
    const kind = this.#kinds.get(owner ?? '') ?? ''
    const ownerReferences =
      owner === undefined
        ? {}
        : {
            ownerReferences: [
              { apiVersion: 'v1', kind, name: owner, uid: owner, controller: true },
            ],
          }
    const metadata = {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion: version,
      ...ownerReferences,
      ...parts.metadata,
    }
    const object: KubeObject = { ...parts, metadata }
    this.#history.written(resource.split('/').at(-1) ?? '', version, controllerManager)
    this.#history.take(resource, type, object)
    return object
  }

  pod(
    name: string,
    owner: string | undefined,
    parts: JsonObject = {},
    type?: ObjectChange['type'],
  ): Pod {
    const pod = { spec: { containers: [] }, ...parts }
    const more = {
      ...(owner === undefined ? {} : { owner }),
      ...(type === undefined ? {} : { type }),
    }
    return this.put('pods', name, pod, more) as unknown as Pod
  }

  settled(mayWait = false): readonly number[] {
    const found: number[] = []
    const report = (invariant: number): void => {
      found.push(invariant)
    }
    checkSettledOwners({ history: this.#history, report, mayWait, now: this.now })
    return [...new Set(found)]
  }

  later(ms: number): void {
    this.now += ms
  }
}

const ready = {
  status: { phase: 'Running', podIP: '10.0.0.1', conditions: [{ type: 'Ready', status: 'True' }] },
}
const failed = { status: { phase: 'Failed' } }

describe('the checks of owners report', () => {
  it('29: a pod beyond the replicas of a ReplicaSet, but not beyond those that it has just had', () => {
    const told = new Told()
    told.put('apps/v1/replicasets', 'set', { spec: { replicas: 1 } })
    told.pod('one', 'set')
    expect(told.found).toEqual([])
    told.put('apps/v1/replicasets', 'set', { spec: { replicas: 2 } }, { type: 'MODIFIED' })
    told.put('apps/v1/replicasets', 'set', { spec: { replicas: 1 } }, { type: 'MODIFIED' })
    told.pod('two', 'set')
    expect(told.found).toEqual([])
    told.later(60_000)
    told.pod('three', 'set')
    expect(told.found).toEqual([29])
  })

  it('30: ReplicaSets of a Deployment that are too large together', () => {
    const told = new Told()
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 }
    told.put('apps/v1/deployments', 'web', { spec: { replicas: 2, strategy: { rollingUpdate } } })
    told.put('apps/v1/replicasets', 'old', { spec: { replicas: 2 } }, { owner: 'web' })
    told.put('apps/v1/replicasets', 'new', { spec: { replicas: 1 } }, { owner: 'web' })
    expect(told.found).toEqual([])
    told.put(
      'apps/v1/replicasets',
      'new',
      { spec: { replicas: 2 } },
      { owner: 'web', type: 'MODIFIED' },
    )
    expect(told.found).toEqual([30])
  })

  it('30: an available pod that a rollout may not take', () => {
    const told = new Told()
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 1 }
    told.put('apps/v1/deployments', 'web', { spec: { replicas: 3, strategy: { rollingUpdate } } })
    told.put('apps/v1/replicasets', 'old', { spec: { replicas: 3 } }, { owner: 'web' })
    for (const name of ['a', 'b', 'c']) told.pod(name, 'old', ready)
    const shrinkTo = (replicas: number): void => {
      told.put(
        'apps/v1/replicasets',
        'old',
        { spec: { replicas } },
        { owner: 'web', type: 'MODIFIED' },
      )
    }
    shrinkTo(2)
    expect(told.found).toEqual([])
    shrinkTo(1)
    expect(told.found).toEqual([30])
  })

  it('30: a Deployment that recreates beside an old pod', () => {
    const told = new Told()
    told.put('apps/v1/deployments', 'web', {
      spec: { replicas: 1, strategy: { type: 'Recreate' } },
    })
    told.put('apps/v1/replicasets', 'old', { spec: { replicas: 0 } }, { owner: 'web' })
    told.pod('a', 'old', ready, 'MODIFIED')
    told.put('apps/v1/replicasets', 'new', { spec: { replicas: 1 } }, { owner: 'web' })
    expect(told.found).toEqual([30])
  })

  it('31: a pod of a StatefulSet before its predecessor is ready, and an update after one that is not', () => {
    const told = new Told()
    told.put('apps/v1/statefulsets', 'db', { spec: { replicas: 2 } })
    told.put('namespaces', 'default')
    told.pod('db-0', 'db', ready)
    told.pod('db-1', 'db')
    expect(told.found).toEqual([])
    const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' }
    told.pod('db-0', 'db', { ...ready, metadata }, 'MODIFIED')
    expect(told.found).toEqual([31])
    told.later(60_000)
    told.pod('db-1', 'db')
    expect(told.found).toEqual([31, 31])
  })

  it('32: a second pod of a DaemonSet on a node, unless it may surge', () => {
    const told = new Told()
    told.put('apps/v1/daemonsets', 'agent', { spec: { template: { spec: {} } } })
    told.pod('a', 'agent', { spec: { nodeName: 'n1', containers: [] } })
    told.pod('b', 'agent', { spec: { nodeName: 'n2', containers: [] } })
    expect(told.found).toEqual([])
    told.pod('c', 'agent', { spec: { nodeName: 'n1', containers: [] } })
    expect(told.found).toEqual([32])
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 }
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate }
    told.put('apps/v1/daemonsets', 'agent', { spec: { updateStrategy } }, { type: 'MODIFIED' })
    told.pod('d', 'agent', { spec: { nodeName: 'n2', containers: [] } })
    expect(told.found).toEqual([32])
  })

  it('33: pods of a Job beyond parallelism, after its failures and after its end, and a lost end', () => {
    const told = new Told()
    told.put('batch/v1/jobs', 'job', { spec: { parallelism: 1, completions: 3, backoffLimit: 0 } })
    told.pod('a', 'job')
    expect(told.found).toEqual([])
    told.pod('b', 'job')
    expect(told.found.splice(0)).toEqual([33])
    told.pod('a', 'job', failed, 'MODIFIED')
    told.pod('b', 'job', failed, 'MODIFIED')
    told.later(60_000)
    told.pod('c', 'job')
    expect(told.found.splice(0)).toEqual([33])
    const ended = { status: { conditions: [{ type: 'Failed', status: 'True' }] } }
    told.put('batch/v1/jobs', 'job', { spec: { parallelism: 9 }, ...ended }, { type: 'MODIFIED' })
    told.later(60_000)
    told.pod('d', 'job')
    expect(told.found.splice(0)).toEqual([33])
    told.put('batch/v1/jobs', 'job', { spec: {} }, { type: 'MODIFIED' })
    expect(told.found).toEqual([33])
  })

  it('34: something that is created for an owner that is gone, and an orphan that is deleted', () => {
    const told = new Told()
    told.put('namespaces', 'default')
    told.put('apps/v1/replicasets', 'set', { spec: { replicas: 1 } })
    told.pod('a', 'set')
    const metadata = { finalizers: ['orphan'], deletionTimestamp: '2026-01-01T00:00:00Z' }
    told.put(
      'apps/v1/replicasets',
      'set',
      { spec: { replicas: 1 }, metadata },
      { type: 'MODIFIED' },
    )
    told.pod('a', undefined, { spec: { nodeName: 'n1', containers: [] } }, 'MODIFIED')
    told.put('apps/v1/replicasets', 'set', { spec: {} }, { type: 'DELETED' })
    told.put('nodes', 'n1')
    expect(told.found).toEqual([])
    told.pod('a', undefined, { spec: { nodeName: 'n1', containers: [] } }, 'DELETED')
    expect(told.found.splice(0)).toEqual([34])
    told.later(60_000)
    told.pod('b', 'set')
    expect(told.found).toEqual([34])
  })

  it('35: an eviction that leaves fewer healthy pods than a budget needs', () => {
    const told = new Told()
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'web' } } }
    told.put('poddisruptionbudgets', 'budget', { spec })
    const pods = ['a', 'b'].map((name) =>
      told.pod(name, undefined, { ...ready, metadata: { labels: { app: 'web' } } }),
    )
    for (const pod of pods.slice(0, 1)) told.dependents.onEvicted(pod)
    expect(told.found).toEqual([])
    for (const pod of pods.slice(1)) told.dependents.onEvicted(pod)
    expect(told.found).toEqual([35])
  })

  it('36: what outlives its owner, and owners that are deleted and stay', () => {
    const told = new Told()
    told.put('apps/v1/replicasets', 'set', { spec: { replicas: 1 } })
    told.pod('a', 'set')
    told.put('apps/v1/replicasets', 'set', { spec: {} }, { type: 'DELETED' })
    expect(told.settled()).toEqual([36])
  })

  it('37: a ReplicaSet without its pods, and a status that does not count them', () => {
    const told = new Told()
    told.put('apps/v1/replicasets', 'set', { spec: { replicas: 1 }, status: { replicas: 0 } })
    expect(told.settled()).toEqual([37])
    told.pod('a', 'set', ready)
    expect(told.settled()).toEqual([37])
    const status = { replicas: 1, readyReplicas: 1 }
    told.put('apps/v1/replicasets', 'set', { spec: { replicas: 1 }, status }, { type: 'MODIFIED' })
    expect(told.settled()).toEqual([])
  })

  it('37: a Deployment that counts wrong, unless a quota refuses its new ReplicaSet', () => {
    const told = new Told()
    const metadata = { namespace: 'team' }
    const spec = { replicas: 1, template: { spec: { containers: [] } } }
    const put = (status: JsonObject, type: ObjectChange['type']): void => {
      told.put('apps/v1/deployments', 'web', { metadata, spec, status }, { type })
    }
    const conditions = [
      { type: 'Progressing', status: 'False', reason: 'ReplicaSetCreateError' },
    ] as const
    put({ replicas: 1 }, 'ADDED')
    expect(told.settled(true)).toEqual([37])
    put({ replicas: 1, conditions }, 'MODIFIED')
    expect(told.settled()).toEqual([])
  })

  it('37: a Deployment without its pods, unless it recreates them and one that has ended is left', () => {
    const told = new Told()
    const template = { spec: { containers: [] } }
    const spec = { replicas: 1, strategy: { type: 'Recreate' }, template }
    told.put('apps/v1/deployments', 'web', { spec })
    told.put('apps/v1/replicasets', 'web-1', { spec: { replicas: 0, template } }, { owner: 'web' })
    expect(told.settled()).toEqual([37])
    told.pod('a', 'web-1', { status: { phase: 'Failed' } })
    expect(told.settled()).toEqual([])
  })

  it('37: a StatefulSet without a pod, unless a released pod has its name', () => {
    const told = new Told()
    const parts = { spec: { replicas: 1 }, status: { replicas: 0 } }
    told.put('apps/v1/statefulsets', 'db', parts)
    expect(told.settled(true)).toEqual([37])
    told.pod('db-0', 'db')
    told.pod('db-0', undefined, ready, 'MODIFIED')
    expect(told.settled()).toEqual([])
    told.pod('db-0', undefined, ready, 'DELETED')
    expect(told.settled(true)).toEqual([])
    expect(told.settled()).toEqual([37])
  })

  it('38: a Service without its ready pods', () => {
    const told = new Told()
    told.put('services', 'web', { spec: { selector: { app: 'web' } } })
    expect(told.settled()).toEqual([])
    told.pod('a', undefined, { ...ready, metadata: { labels: { app: 'web' } } })
    expect(told.settled()).toEqual([38])
    const labels = { 'kubernetes.io/service-name': 'web' }
    const endpoint = { conditions: { ready: true }, targetRef: { uid: 'a' } }
    const slice = { metadata: { labels }, endpoints: [endpoint] }
    told.put('discovery.k8s.io/v1/endpointslices', 'web-1', slice)
    const subsets = [{ addresses: [{ targetRef: { uid: 'a' } }] }]
    const endpoints = { metadata: { uid: 'endpoints' }, subsets }
    told.put('v1/endpoints', 'web', endpoints)
    expect(told.settled()).toEqual([])
  })

  it('39: controllers that write although nothing else changes', () => {
    const quiet = new QuietWrites()
    const found: number[] = []
    const report = (invariant: number): void => {
      found.push(invariant)
    }
    const write = (user: string, path: string): void => {
      const data = { method: 'PATCH', path, user, client: '' }
      quiet.take({ kind: 'request.received', data } as TraceEvent)
    }
    quiet.start()
    for (let count = 0; count < 20; count++) write(controllerManager, '/a')
    for (let count = 0; count < 100; count++) write(controllerManager, '/api/v1/events/e')
    quiet.stop(report)
    expect(found).toEqual([])
    quiet.start()
    write(controllerManager, '/a')
    quiet.stop(report)
    expect(found).toEqual([39])
  })

  const ended = { status: { conditions: [{ type: 'Complete', status: 'True' }] } }

  function toldOfCronJob(spec: JsonObject): {
    readonly told: Told
    readonly change: (more: JsonObject, status?: JsonObject) => void
    readonly job: (name: string, minute: number, more?: JsonObject) => void
  } {
    const told = new Told()
    const change = (more: JsonObject, status: JsonObject = {}): void => {
      const parts = { spec: { schedule: '* * * * *', ...more }, status }
      told.put('batch/v1/cronjobs', 'tick', parts, { type: 'MODIFIED' })
    }
    change(spec)
    const job = (name: string, minute: number, more: JsonObject = {}): void => {
      const due = new Date(minute * 60_000).toISOString()
      const annotations = { 'batch.kubernetes.io/cronjob-scheduled-timestamp': due }
      const parts = { spec: {}, metadata: { annotations }, ...more }
      told.put('batch/v1/jobs', name, parts, { owner: 'tick' })
    }
    return { told, change, job }
  }

  it('43: a second Job of a CronJob for one time, and one for a time at which it is not due', () => {
    const { told, job } = toldOfCronJob({})
    job('a', 1)
    job('b', 2)
    expect(told.found).toEqual([])
    job('c', 2)
    expect(told.found.splice(0)).toEqual([43])
    job('d', 2.5)
    expect(told.found).toEqual([43])
  })

  it('43: a Job of a CronJob that is suspended, but not of one that has just been', () => {
    const { told, change, job } = toldOfCronJob({})
    change({ suspend: true })
    job('a', 1)
    expect(told.found).toEqual([])
    told.later(60_000)
    job('b', 2)
    expect(told.found).toEqual([43])
  })

  it.each(['Forbid', 'Replace'])('43: two Jobs that run, with %s', (concurrencyPolicy) => {
    const { told, job } = toldOfCronJob({ concurrencyPolicy })
    job('a', 1, ended)
    job('b', 2)
    expect(told.found).toEqual([])
    job('c', 3)
    expect(told.found).toEqual([43])
  })

  it('44: a CronJob without the Job of its last due time, and one that lists another Job', () => {
    const { told, change, job } = toldOfCronJob({})
    expect(told.settled()).toEqual([])
    told.later(70_000)
    expect(told.settled()).toEqual([44])
    job('a', 1, { status: { active: 0 } })
    const lastScheduleTime = '1970-01-01T00:01:00Z'
    change({}, { lastScheduleTime })
    expect(told.settled()).toContain(44)
    change({}, { lastScheduleTime, active: [{ uid: 'a' }] })
    expect(told.settled()).not.toContain(44)
  })

  it('44: a CronJob with more ended Jobs than its limits', () => {
    const { told, job } = toldOfCronJob({ successfulJobsHistoryLimit: 1 })
    job('a', 1, ended)
    expect(told.settled()).toEqual([])
    job('b', 2, ended)
    expect(told.settled()).toEqual([44])
  })
})
