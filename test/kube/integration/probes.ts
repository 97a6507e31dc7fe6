import type { JsonObject } from '../../../src/shared/json.ts'
import type { Container, ContainerStatus, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { httpServer, type TestServer } from '../../pod-network/servers.ts'
import { handlesSigterm, shell, specOf } from './containers.ts'
import { isReady, type Scenario, type ScenarioRun } from './scenario-run.ts'

/** Runs the script, and then until SIGTERM. */
function runs(script: string, name = 'c'): Container {
  return shell(name, `trap 'exit 0' TERM; ${script} sleep infinity & wait`)
}

function hasFile(path: string, more: JsonObject = {}): JsonObject {
  return { exec: { command: ['test', '-f', path] }, periodSeconds: 1, ...more }
}

function statusOf({ status = {} }: Pod, name = 'c'): ContainerStatus | undefined {
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
  return all.find((one) => one.name === name)
}

function isUnready(pod: Pod): boolean {
  return pod.status?.phase === 'Running' && !isReady(pod)
}

async function endOf(run: ScenarioRun): Promise<undefined> {
  await run.delete('web')
  await run.untilGone('web')
  return undefined
}

const restarted = 'running since then ready started restarts 1'

async function untilRestarted(run: ScenarioRun): Promise<undefined> {
  await run.until(
    'web',
    'was restarted',
    (pod) => statusOf(pod)?.restartCount === 1 && isReady(pod),
  )
  await run.delete('web', 0)
  await run.untilGone('web')
  return undefined
}

let shared: Promise<TestServer> | undefined

/** One server for both kubelets, whose port is in their events. */
function sharedServer(): Promise<TestServer> {
  shared ??= httpServer(({ url }, response) => {
    if (url === '/elsewhere') response.writeHead(302, { location: 'http://elsewhere.invalid/' })
    response.statusCode = url === '/fails' ? 500 : response.statusCode
    response.end('body')
  })
  return shared
}

/** What probes and hooks do to ordinary pods. */
export const probesAndHooks: readonly Scenario[] = [
  {
    title: 'a readiness probe that fails, succeeds, fails and succeeds again',
    key: 'readiness',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Started', 'Unhealthy'],
    steps: async (run) => {
      const script = 'sleep 8; touch /tmp/a; sleep 10; rm /tmp/a; sleep 10; touch /tmp/a;'
      const readinessProbe = hasFile('/tmp/a', { failureThreshold: 1 })
      await run.create('web', specOf({ ...runs(script), readinessProbe }))
      await run.untilRunning('web')
      await run.until('web', 'is not ready', isUnready)
      await run.untilRunning('web')
      return endOf(run)
    },
  },
  {
    title: 'a liveness probe that fails restarts its container, with the grace of the probe',
    key: 'liveness',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: ['Created', 'Pulled', 'Started', 'Unhealthy'],
    cutAt: restarted,
    steps: async (run) => {
      const container = shell('c', 'touch /tmp/a; sleep 8; rm /tmp/a; sleep infinity')
      const livenessProbe = hasFile('/tmp/a', {
        failureThreshold: 2,
        terminationGracePeriodSeconds: 3,
        initialDelaySeconds: 3,
      })
      await run.create('web', specOf({ ...container, livenessProbe }))
      return untilRestarted(run)
    },
  },
  {
    title: 'a liveness probe that fails under Never fails its pod',
    key: 'liveness-never',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Started', 'Unhealthy'],
    steps: async (run) => {
      const livenessProbe = hasFile('/tmp/a', { failureThreshold: 2, initialDelaySeconds: 5 })
      const spec = specOf({ ...handlesSigterm('c', 3), livenessProbe }, { restartPolicy: 'Never' })
      await run.create('web', spec)
      await run.untilEnded('web', 'Failed')
      return endOf(run)
    },
  },
  {
    title: 'a startup probe holds back the liveness and readiness probes',
    key: 'startup',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Started', 'Unhealthy'],
    steps: async (run) => {
      const container = {
        ...runs('sleep 10; touch /tmp/a; touch /tmp/b;'),
        startupProbe: hasFile('/tmp/a', { failureThreshold: 60 }),
        livenessProbe: hasFile('/tmp/b', { failureThreshold: 1 }),
        readinessProbe: hasFile('/tmp/b'),
      }
      await run.create('web', specOf(container))
      await run.until('web', 'runs without having started', isUnready)
      await run.untilRunning('web')
      return endOf(run)
    },
  },
  {
    title: 'a startup probe that fails restarts its container',
    key: 'startup-fails',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: ['Created', 'Pulled', 'Started', 'Unhealthy'],
    cutAt: 'restarts 1',
    steps: async (run) => {
      const startupProbe = hasFile('/tmp/a', { failureThreshold: 3, initialDelaySeconds: 4 })
      await run.create('web', specOf({ ...handlesSigterm('c', 7), startupProbe }))
      await run.until('web', 'was restarted', (pod) => statusOf(pod)?.restartCount === 1)
      await run.delete('web', 0)
      await run.untilGone('web')
      return undefined
    },
  },
  {
    title: 'probes that time out, that do not exist and that print something',
    key: 'probe-outputs',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Started', 'Unhealthy'],
    steps: async (run) => {
      const probed = (name: string, command: readonly string[]): Container => ({
        ...handlesSigterm(name),
        readinessProbe: { exec: { command }, periodSeconds: 5 },
      })
      // Once: a command that is running when its container ends has a result or not.
      const startupProbe = { exec: { command: ['sleep', '20'] }, failureThreshold: 1 }
      await run.create('web', {
        restartPolicy: 'Never',
        containers: [
          { ...handlesSigterm('late'), startupProbe: { ...startupProbe, initialDelaySeconds: 3 } },
          probed('missing', ['/no/such/command']),
          probed('prints', ['sh', '-c', 'echo one; echo two >&2; exit 4']),
        ],
      })
      for (const name of ['late', 'missing', 'prints'])
        await run.untilEvent('Unhealthy', `spec.containers{${name}}`)
      await run.until('web', 'has a container that ended', (pod) =>
        Boolean(statusOf(pod, 'late')?.state?.terminated),
      )
      await run.delete('web', 0)
      await run.untilGone('web')
      return undefined
    },
  },
  {
    title: 'probes over the network: a success, a failure, a redirect, a closed port',
    key: 'probe-network',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: ['Created', 'Killing', 'ProbeWarning', 'Pulled', 'Started', 'Unhealthy'],
    steps: async (run) => {
      const { port } = await sharedServer()
      const host = '127.0.0.1'
      const probed = (name: string, probe: JsonObject): Container => ({
        ...handlesSigterm(name),
        // Of more events about one pod a kubelet drops some.
        readinessProbe: { ...probe, periodSeconds: 4 },
      })
      await run.create('web', {
        // One becomes ready after the other.
        containers: [
          probed('good', { httpGet: { host, port, path: '/good' } }),
          probed('fails', { httpGet: { host, port, path: '/fails' } }),
          probed('elsewhere', {
            httpGet: { host, port, path: '/elsewhere' },
            initialDelaySeconds: 12,
          }),
          probed('tcp', { tcpSocket: { host, port }, initialDelaySeconds: 24 }),
          probed('closed', { tcpSocket: { host, port: 1 } }),
          probed('refused', { httpGet: { host, port: 1 } }),
        ],
      })
      for (const name of ['fails', 'closed', 'refused'])
        await run.untilEvent('Unhealthy', `spec.containers{${name}}`)
      await run.untilEvent('ProbeWarning', 'spec.containers{elsewhere}')
      await run.until('web', 'has three containers that are ready', (pod) =>
        ['good', 'elsewhere', 'tcp'].every((name) => statusOf(pod, name)?.ready === true),
      )
      await run.delete('web', 0)
      await run.untilGone('web')
      return undefined
    },
  },
  {
    title: 'a readiness probe goes on while its pod terminates, a liveness probe does not',
    key: 'probes-terminating',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Started', 'Unhealthy'],
    steps: async (run) => {
      const script = "trap 'rm /tmp/a; sleep 10; exit 0' TERM; touch /tmp/a; sleep infinity & wait"
      const container = {
        ...shell('c', script),
        readinessProbe: hasFile('/tmp/a', { failureThreshold: 1, initialDelaySeconds: 2 }),
        livenessProbe: hasFile('/tmp/a', { failureThreshold: 1, initialDelaySeconds: 2 }),
      }
      await run.create('web', specOf(container))
      await run.untilRunning('web')
      return endOf(run)
    },
  },
  {
    title: 'a sidecar that is not started by its startup probe holds back the app container',
    key: 'sidecar-startup',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Started', 'Unhealthy'],
    steps: async (run) => {
      const beside: Container = {
        ...runs('sleep 10; touch /tmp/a;', 'beside'),
        restartPolicy: 'Always',
        startupProbe: hasFile('/tmp/a', { failureThreshold: 60 }),
      }
      await run.create('web', { initContainers: [beside], containers: [handlesSigterm()] })
      await run.untilRunning('web')
      return endOf(run)
    },
  },
  {
    title: 'a sidecar is restarted by its liveness probe, and the app container runs on',
    key: 'sidecar-liveness',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: ['Created', 'Pulled', 'Started', 'Unhealthy'],
    cutAt: 'beside: running since then ready started restarts 1',
    steps: async (run) => {
      const beside: Container = {
        ...runs('touch /tmp/a; sleep 10; rm /tmp/a;', 'beside'),
        restartPolicy: 'Always',
        livenessProbe: hasFile('/tmp/a', { failureThreshold: 1, initialDelaySeconds: 3 }),
      }
      await run.create('web', { initContainers: [beside], containers: [handlesSigterm()] })
      await run.until(
        'web',
        'has a sidecar that was restarted',
        (pod) => statusOf(pod, 'beside')?.restartCount === 1 && isReady(pod),
      )
      await run.delete('web', 0)
      await run.untilGone('web')
      return undefined
    },
  },
  {
    title: 'the next container waits for a postStart hook',
    key: 'post-start',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Started'],
    steps: async (run) => {
      const lifecycle = { postStart: { exec: { command: ['sh', '-c', 'sleep 6'] } } }
      await run.create('web', {
        containers: [{ ...handlesSigterm('first'), lifecycle }, handlesSigterm('second')],
      })
      await run.untilRunning('web')
      return endOf(run)
    },
  },
  ...(
    [
      ['post-start-exec', 'a command', { exec: { command: ['sh', '-c', 'echo no; exit 3'] } }],
      ['post-start-http', 'a request', { httpGet: { host: '127.0.0.1', port: 1 } }],
    ] as const
  ).map(([key, what, postStart]): Scenario => ({
    title: `a postStart hook that fails kills its container: ${what}`,
    key,
    phases: { web: ['Pending', 'Failed', 'gone'] },
    events: ['Created', 'FailedPostStartHook', 'Killing', 'Pulled', 'Started'],
    steps: async (run) => {
      const container = { ...handlesSigterm('c', 4), lifecycle: { postStart } }
      await run.create('web', specOf(container, { restartPolicy: 'Never' }))
      await run.untilEnded('web', 'Failed')
      return endOf(run)
    },
  })),
  ...(
    [
      ['pre-stop-exec', 'a command', { exec: { command: ['sh', '-c', 'sleep 5'] } }],
      ['pre-stop-sleep', 'sleeping', { sleep: { seconds: 5 } }],
    ] as const
  ).map(([key, what, preStop]): Scenario => ({
    title: `a preStop hook takes part of the grace period: ${what}`,
    key,
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Started'],
    steps: async (run) => {
      const container = { ...shell('c', 'sleep infinity'), lifecycle: { preStop } }
      await run.create('web', specOf(container, { terminationGracePeriodSeconds: 12 }))
      await run.untilRunning('web')
      return endOf(run)
    },
  })),
  {
    title: 'a preStop hook that is not done within the grace period',
    key: 'pre-stop-late',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Started'],
    steps: async (run) => {
      const lifecycle = { preStop: { exec: { command: ['sleep', '60'] } } }
      const container = { ...handlesSigterm(), lifecycle }
      await run.create('web', specOf(container, { terminationGracePeriodSeconds: 6 }))
      await run.untilRunning('web')
      return endOf(run)
    },
  },
  {
    title: 'a preStop hook that fails does not keep its container from being stopped',
    key: 'pre-stop-fails',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'FailedPreStopHook', 'Killing', 'Pulled', 'Started'],
    steps: async (run) => {
      const lifecycle = { preStop: { exec: { command: ['sh', '-c', 'echo no >&2; exit 2'] } } }
      await run.create('web', specOf({ ...handlesSigterm(), lifecycle }))
      await run.untilRunning('web')
      return endOf(run)
    },
  },
]
