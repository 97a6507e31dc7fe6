import type { JsonObject } from '../../../src/shared/json.ts'
import type { Container, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { shell, specOf } from './containers.ts'
import { isReady, type Scenario, type ScenarioRun } from './scenario-run.ts'

/** A container that serves; its ports are above those that need root. */
function agnhost(name: string, args: readonly string[], more: Partial<Container> = {}): Container {
  return { name, image: 'registry.k8s.io/e2e-test-images/agnhost:2.53', args, ...more }
}

const httpPort = 18_080
const healthPort = 15_000

function http(path: string, more: JsonObject = {}): JsonObject {
  return { httpGet: { port: httpPort, path, ...more } }
}

const site = ['netexec', `--http-port=${httpPort}`]
const health = ['grpc-health-checking', `--port=${healthPort}`, `--http-port=${httpPort}`]

/** Runs, and has a readiness probe, which has time on a busy machine. Of more events about one pod a kubelet drops some. */
function probed(name: string, probe: JsonObject): Container {
  const container = shell(name, "trap 'exit 0' TERM; sleep infinity & wait")
  return { ...container, readinessProbe: { periodSeconds: 5, timeoutSeconds: 4, ...probe } }
}

function isReadyIn({ status }: Pod, name: string): boolean {
  return (status?.containerStatuses ?? []).some((one) => one.name === name && one.ready)
}

async function removed(run: ScenarioRun, graceSeconds?: number): Promise<undefined> {
  await run.delete('web', graceSeconds)
  await run.untilGone('web')
  return undefined
}

/**
 * The containers that become ready do so one after the other; the others get an event each. A kubelet probes containers
 * that are not ready at each change of their pod, so the server outlives them.
 */
function probesOf(
  server: Container,
  good: readonly (readonly [name: string, probe: JsonObject])[],
  bad: readonly (readonly [name: string, probe: JsonObject])[],
): Scenario['steps'] {
  return async (run) => {
    await run.create('web', {
      containers: [
        { ...server, lifecycle: { preStop: { sleep: { seconds: 6 } } } },
        ...good.map(([name, probe], index) =>
          probed(name, { ...probe, initialDelaySeconds: 2 + 10 * index }),
        ),
        ...bad.map(([name, probe]) => probed(name, { ...probe, initialDelaySeconds: 2 })),
      ],
    })
    for (const [name] of bad) await run.untilEvent('Unhealthy', `spec.containers{${name}}`)
    await run.until('web', 'has the containers ready', (pod) =>
      good.every(([name]) => isReadyIn(pod, name)),
    )
    return removed(run)
  }
}

const probedPhases = { web: ['Pending', 'Running', 'Succeeded', 'gone'] }
const probedEvents = ['Created', 'Killing', 'Pulled', 'Started', 'Unhealthy']

/** Probes and hooks that reach what listens in the pod itself. */
export const podServers: readonly Scenario[] = [
  {
    title: 'HTTP probes of a server in the pod: answers of 200, 404 and 500, and a redirect',
    key: 'pod-http',
    phases: probedPhases,
    events: probedEvents,
    steps: probesOf(
      agnhost('server', site),
      [
        ['good', http('/echo?msg=fine')],
        ['redirected', http('/redirect?location=/healthz')],
      ],
      [
        ['missing', http('/echo?code=404&msg=none')],
        ['fails', http('/echo?code=500&msg=broken')],
      ],
    ),
  },
  {
    title:
      'HTTP probes of a server in the pod: by HTTPS, a redirect to a failure, a port without its name',
    key: 'pod-http-refused',
    phases: probedPhases,
    events: probedEvents,
    steps: probesOf(
      agnhost('server', site),
      [['created', http('/echo?code=201')]],
      [
        ['lost', http('/redirect?location=/echo%3Fcode%3D503')],
        ['secure', http('/healthz', { scheme: 'HTTPS' })],
        ['named', { httpGet: { port: 'other', path: '/healthz' } }],
      ],
    ),
  },
  {
    title: 'TCP probes of ports of the pod: one that opens later, and a closed one',
    key: 'pod-tcp',
    phases: probedPhases,
    events: probedEvents,
    steps: probesOf(
      shell('server', `trap 'exit 0' TERM; sleep 3; nc -l -k -p ${httpPort} & wait`),
      [['open', { tcpSocket: { port: httpPort } }]],
      [['closed', { tcpSocket: { port: httpPort + 1 } }]],
    ),
  },
  {
    title:
      'gRPC probes of a server in the pod: healthy, of a service that it does not have, without a server',
    key: 'pod-grpc',
    phases: probedPhases,
    events: probedEvents,
    steps: probesOf(
      agnhost('server', health),
      [['serving', { grpc: { port: healthPort } }]],
      [
        ['unknown', { grpc: { port: healthPort, service: 'other' } }],
        ['closed', { grpc: { port: healthPort + 1 } }],
        ['http', { grpc: { port: httpPort } }],
      ],
    ),
  },
  {
    title: 'a gRPC liveness probe restarts a server that is not serving any more',
    key: 'pod-grpc-liveness',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: probedEvents,
    cutAt: 'restarts 1',
    steps: async (run) => {
      const server = agnhost('server', [...health, '--delay-unhealthy-sec=8'], {
        livenessProbe: { grpc: { port: healthPort }, timeoutSeconds: 4, failureThreshold: 1 },
      })
      await run.create('web', specOf(server))
      await run.until('web', 'was restarted', ({ status }) =>
        (status?.containerStatuses ?? []).some(({ restartCount }) => restartCount === 1),
      )
      return removed(run, 0)
    },
  },
  {
    title: 'a preStop hook sends a request, after which the readiness probe fails',
    key: 'pod-pre-stop-http',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: probedEvents,
    steps: async (run) => {
      const container = shell('c', "trap 'sleep 8; exit 0' TERM; sleep infinity & wait")
      const grpc = { port: healthPort }
      await run.create('web', {
        containers: [
          {
            ...container,
            readinessProbe: { grpc, periodSeconds: 1, timeoutSeconds: 4, failureThreshold: 1 },
            lifecycle: { preStop: http('/make-not-serving') },
          },
          // It ends after the other container: a probe of a closed port would end by its timeout, before or after the pod.
          agnhost('server', health, { lifecycle: { preStop: { sleep: { seconds: 12 } } } }),
        ],
      })
      await run.until('web', 'is ready', isReady)
      return removed(run)
    },
  },
  {
    title: 'a postStart hook that sends a request: the status of the answer does not count',
    key: 'pod-post-start-http',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Started'],
    steps: async (run) => {
      const hook = http('/echo?code=500', { httpHeaders: [{ name: 'X-A', value: 'b' }] })
      const container = shell('c', "trap 'exit 0' TERM; sleep infinity & wait")
      await run.create('web', {
        containers: [agnhost('server', site), { ...container, lifecycle: { postStart: hook } }],
      })
      await run.until('web', 'is ready', isReady)
      return removed(run)
    },
  },
]
