import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import type { Result } from '../../../shared/result.ts'
import { serverItself } from '../auth/caller.ts'
import type { Caller } from '../auth/caller.ts'
import { systemPriorityClasses } from './class-strategies.ts'
import type { ResourceType } from './resource-type.ts'
import { resourceTypes } from './resource-types.ts'
import { apiServerIp } from './service-allocation.ts'

const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'] as const

/** The API server as seen from pods. Nothing leads there: there is no network. */
const apiServerService: KubeObject = {
  metadata: {
    name: 'kubernetes',
    namespace: 'default',
    uid: '',
    labels: { component: 'apiserver', provider: 'kubernetes' },
  },
  spec: {
    clusterIP: apiServerIp,
    ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
  },
}

// The writer gives the uids.
const objects: readonly (readonly [string, KubeObject])[] = [
  ...namespaces.flatMap((name) => [
    ['namespaces', { metadata: { name, uid: '' } }] as const,
    ['serviceaccounts', { metadata: { name: 'default', namespace: name, uid: '' } }] as const,
  ]),
  ['services', apiServerService],
  ...systemPriorityClasses.map((one) => ['priorityclasses', one] as const),
]

function typeOf(plural: string): ResourceType {
  const type = resourceTypes.find((candidate) => candidate.plural === plural)
  if (type === undefined) throw new Error(`no resource ${plural}`)
  return type
}

interface Writer {
  readonly create: (
    type: ResourceType,
    object: KubeObject,
    context: {
      readonly caller: Caller
      readonly causes: readonly number[]
      readonly dryRun: boolean
      readonly subresource: string
    },
  ) => Result<KubeObject, KubeStatus>
}

/** What every server makes when it starts. */
export function createFirstObjects(writer: Writer): void {
  const context = { caller: serverItself, causes: [], dryRun: false, subresource: '' }
  for (const [plural, object] of objects) {
    const type = typeOf(plural)
    const created = writer.create(type, type.strategy.withDefaults(object), context)
    if (!created.ok) throw new Error(created.error.message)
  }
}
