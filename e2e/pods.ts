/** Manifests for journeys. Node and namespace are the sandbox's own. */

interface Manifest {
  readonly apiVersion: 'v1'
  readonly kind: 'Pod'
  readonly metadata: {
    readonly namespace: string
    readonly name: string
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: object
}

function podRunning(name: string, script: string, more: object = {}): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name },
    spec: {
      containers: [{ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', script] }],
      ...more,
    },
  }
}

/** PID 1 without a handler: only SIGKILL ends it. */
export function podIgnoringSigterm(name: string, more: object = {}): Manifest {
  return podRunning(name, 'sleep 3600', more)
}

/** Exits 0 within a second after SIGTERM. */
export function podHandlingSigterm(name: string, more: object = {}): Manifest {
  return podRunning(name, 'trap "exit 0" TERM; while true; do sleep 1; done', more)
}

/** Its container crashes repeatedly. */
export function crashingPod(name: string): Manifest {
  return podRunning(name, 'exit 3')
}

/** Its container ends at once with 0, and is not restarted. */
export function endingPod(name: string): Manifest {
  return podRunning(name, 'exit 0', { restartPolicy: 'Never' })
}

/** Has environment variables, and keeps running. */
export function podWithEnvironment(
  name: string,
  environment: Readonly<Record<string, string>>,
): Manifest {
  const container = {
    name: 'c',
    image: 'busybox:1.36',
    command: ['sh', '-c', 'sleep 3600'],
    env: Object.entries(environment).map(([key, value]) => ({ name: key, value })),
  }
  return podRunning(name, '', { containers: [container] })
}

/** Prints, exits with 3 after eight seconds, and is restarted. The log of the run before the last is gone as soon as the last has ended. */
export function podPrintingAndExiting(name: string): Manifest {
  return podRunning(name, 'echo begins; sleep 8; echo last words; exit 3')
}

/** Its liveness probe fails every five seconds; the third failure in a row ends the container. */
export function podFailingLiveness(name: string): Manifest {
  const script = 'trap "exit 0" TERM; while true; do sleep 1; done'
  const livenessProbe = {
    exec: { command: ['cat', '/tmp/healthy'] },
    periodSeconds: 5,
    failureThreshold: 3,
  }
  const container = {
    name: 'c',
    image: 'busybox:1.36',
    command: ['sh', '-c', script],
    livenessProbe,
  }
  return podRunning(name, '', { containers: [container], terminationGracePeriodSeconds: 1 })
}

/** Needs more and more memory until its limit kills it, and is restarted; a second container needs little. */
export function podReachingMemoryLimit(name: string): Manifest {
  const command = ['sh', '-c', 'sleep 36000']
  const manifest = podRunning(name, '', {
    containers: [
      {
        name: 'c',
        image: 'busybox:1.36',
        command,
        resources: {
          requests: { cpu: '100m', memory: '128Mi' },
          limits: { cpu: '500m', memory: '256Mi' },
        },
      },
      {
        name: 'envoy',
        image: 'busybox:1.36',
        command,
        resources: { limits: { memory: '128Mi' } },
      },
    ],
  })
  const annotations = {
    'simulated.nodescope.dev/memory.c': '96Mi to 320Mi over 60s',
    'simulated.nodescope.dev/cpu.c': '120m to 700m over 50s',
    'simulated.nodescope.dev/memory.envoy': '41Mi',
    'simulated.nodescope.dev/cpu.envoy': '12m',
  }
  return { ...manifest, metadata: { ...manifest.metadata, annotations } }
}

/** Waits for the ConfigMap `rules` in a volume, and has the key `password` of the Secret `db` as a variable. */
export function podWithMissingVolume(name: string): Manifest {
  const secretKeyRef = { name: 'db', key: 'password' }
  const container = {
    name: 'c',
    image: 'busybox:1.36',
    command: ['sh', '-c', 'sleep 3600'],
    volumeMounts: [{ name: 'rules', mountPath: '/etc/rules' }],
    env: [{ name: 'DB_PASSWORD', valueFrom: { secretKeyRef } }],
  }
  const items = [{ key: 'rules.yaml', path: 'rules.yaml' }]
  const volumes = [{ name: 'rules', configMap: { name: 'rules', items } }]
  return podRunning(name, '', { containers: [container], volumes })
}

/** Its readiness probe succeeds. */
export function podWithReadiness(name: string): Manifest {
  const container = {
    name: 'c',
    image: 'busybox:1.36',
    command: ['sh', '-c', 'sleep 3600'],
    readinessProbe: { exec: { command: ['true'] }, periodSeconds: 1, failureThreshold: 1 },
  }
  return podRunning(name, '', { containers: [container] })
}

const labels = { app: 'web' }

/** Two pods of a server. */
export const webDeployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
  },
}
