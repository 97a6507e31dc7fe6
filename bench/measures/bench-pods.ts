import type { Transport } from '../../src/shared/kubernetes/request.ts'
import { rootCa } from '../../src/main/sandbox/registry/root-ca.ts'
import { nodeName } from './bench-server.ts'

const path = '/api/v1/namespaces/default/pods'
const headers = { 'content-type': 'application/json', accept: 'application/json' }

/** What the volume of every pod's token needs; no controller publishes it here. */
async function createRootCa(transport: Transport): Promise<void> {
  const answer = await transport.send({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    headers,
    body: { apiVersion: 'v1', kind: 'ConfigMap', ...rootCa },
  })
  if (answer.status !== 201 && answer.status !== 409)
    throw new Error(`the ConfigMap was refused: ${JSON.stringify(answer)}`)
}

/** A server that answers them and logs nothing: a log grows with time, not with pods. */
const probed = {
  image: 'registry.k8s.io/echoserver:1.10',
  readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 10 },
  livenessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 10 },
}

/** An ordinary pod like one of a Deployment, already bound. */
function benchPod(index: number, hasProbes: boolean): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `bench-${String(index).padStart(5, '0')}`,
      namespace: 'default',
      labels: { app: 'bench', 'pod-template-hash': '7d4b9c6f8' },
    },
    spec: {
      nodeName,
      containers: [
        {
          name: 'main',
          image: 'registry.k8s.io/pause:3.10',
          env: [{ name: 'INDEX', value: String(index) }],
          ports: [{ containerPort: 8080 }],
          ...(hasProbes ? probed : {}),
        },
      ],
    },
  }
}

/** Creates the pods from one number to before another, a few at a time. */
export async function createPods(
  transport: Transport,
  count: number,
  concurrency: number,
  { from = 0, hasProbes = false }: { readonly from?: number; readonly hasProbes?: boolean } = {},
): Promise<void> {
  await createRootCa(transport)
  let next = from
  const create = async (): Promise<void> => {
    while (next < count) {
      const answer = await transport.send({
        method: 'POST',
        path,
        headers,
        body: benchPod(next++, hasProbes),
      })
      if (answer.status !== 201) throw new Error(`a pod was refused: ${JSON.stringify(answer)}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, create))
}

/** What the server's own pod says of itself: metadata is always there, a status nearly always. */
interface ShownPod {
  readonly metadata: { readonly name?: string }
  readonly status?: {
    readonly phase?: string
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  }
}

/** Resolves when this number of pods has had this phase. */
export function untilRunning(transport: Transport, count: number): Promise<void> {
  return untilSeen(transport, count, ({ status }) => status?.phase === 'Running')
}

/** Resolves when this number of pods has been ready: nothing more is written of a pod after that. */
export function untilReady(transport: Transport, count: number): Promise<void> {
  return untilSeen(
    transport,
    count,
    ({ status }) =>
      status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true,
  )
}

async function untilSeen(
  transport: Transport,
  count: number,
  isAsWanted: (pod: ShownPod) => boolean,
): Promise<void> {
  const answer = await transport.send({
    method: 'GET',
    path,
    query: { watch: 'true' },
    headers: { accept: 'application/json' },
  })
  if (answer.kind !== 'watch') throw new Error('the server does not watch')
  const seen = new Set<string>()
  for await (const event of answer.stream.events) {
    const pod = event.object as ShownPod
    if (!isAsWanted(pod)) continue
    seen.add(pod.metadata.name ?? '')
    if (seen.size === count) break
  }
  answer.stream.stop()
}
