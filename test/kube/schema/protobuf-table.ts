import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { runGo } from '../build.ts'

/** The table, as it is committed. */
export const protobufTableFile = resolve(
  import.meta.dirname,
  '../../../src/main/sandbox/surface/protobuf-messages.json',
)

/** The kinds that the sandbox takes, and those of subresources. */
const roots = (
  'Pod Node Namespace Event ServiceAccount ConfigMap Secret Service PersistentVolumeClaim PersistentVolume Lease PodDisruptionBudget ' +
  'PriorityClass RuntimeClass StorageClass Binding Eviction TokenRequest SelfSubjectReview DeleteOptions ' +
  'ReplicationController Endpoints ResourceQuota LimitRange Deployment ReplicaSet StatefulSet DaemonSet ControllerRevision CronJob Job EndpointSlice ' +
  'Scale Role RoleBinding ClusterRole ClusterRoleBinding TokenReview SelfSubjectAccessReview SubjectAccessReview LocalSubjectAccessReview ' +
  'SelfSubjectRulesReview CertificateSigningRequest'
).split(' ')

/** Of two types of one name the first counts. */
const sources = [
  ...'core authentication policy scheduling node storage coordination apps batch autoscaling discovery rbac authorization certificates'
    .split(' ')
    .map((group) => ['k8s.io/api', `${group}/v1/types.go`] as const),
  ['k8s.io/apimachinery', 'pkg/apis/meta/v1/types.go'] as const,
]

/** Types with an encoding of their own, which the decoder knows. */
const known: Readonly<Record<string, string>> = {
  'resource.Quantity': 'quantity',
  'metav1.Time': 'time',
  Time: 'time',
  'metav1.MicroTime': 'microTime',
  'intstr.IntOrString': 'intOrString',
  int: 'int',
  int32: 'int',
  int64: 'int',
  uint8: 'int',
  bool: 'bool',
  string: 'string',
  '[]byte': 'bytes',
  'types.UID': 'string',
  'types.NodeName': 'string',
  'runtime.RawExtension': 'unknown',
  FieldsV1: 'unknown',
}

interface GoTypes {
  /** The text between the braces, by the name of the struct. */
  readonly structs: ReadonlyMap<string, string>
  /** What else a name stands for. */
  readonly others: ReadonlyMap<string, string>
}

/** Where Go keeps the source of a module. Throws without Go. */
async function folderOf(module: string): Promise<string> {
  const cwd = resolve(import.meta.dirname, '..')
  const asked = ['mod', 'download', '-json', module]
  const { code, output } = await runGo(asked, { cwd, environment: process.env })
  if (code !== 0) throw new Error(`the source of ${module} could not be had: ${output}`)
  return (JSON.parse(output) as { readonly Dir: string }).Dir
}

async function goTypes(): Promise<GoTypes> {
  const structs = new Map<string, string>()
  const others = new Map<string, string>()
  for (const [module, file] of sources) {
    const text = await readFile(join(await folderOf(module), file), 'utf8')
    for (const [, name = '', body = ''] of text.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms))
      structs.set(name, structs.get(name) ?? body)
    for (const [, name = '', type = ''] of text.matchAll(
      /^type (\w+) ((?:map|\[\]|string|u?int).*)$/gm,
    ))
      others.set(name, type)
  }
  return { structs, others }
}

function shapeOf(type: string, { structs, others }: GoTypes): string {
  const own = known[type]
  if (own !== undefined) return own
  if (type.startsWith('*')) return shapeOf(type.slice(1), { structs, others })
  if (type.startsWith('[]')) return `[]${shapeOf(type.slice(2), { structs, others })}`
  const value = /^map\[\w+\](.*)$/.exec(type)?.[1]
  if (value !== undefined) return `{}${shapeOf(value, { structs, others })}`
  const name = type.split('.').at(-1) ?? ''
  const meant = others.get(name)
  if (meant !== undefined) return shapeOf(meant, { structs, others })
  if (!structs.has(name)) throw new Error(`there is no type ${type}`)
  return name
}

/** A field with its tags; `number: name type`, and `*` where a zero value is not left out of JSON. */
function fieldEntry(line: string, types: GoTypes): readonly [string, string] | undefined {
  const [, type = '', tags = ''] = /^\t(?:\w+\s+)?([\w.*[\]]+)\s+`(.*)`/.exec(line) ?? []
  const [, number] = /protobuf:"\w+,(\d+)/.exec(tags) ?? []
  const [, name = '', options = ''] = /json:"([^,"]*)([^"]*)"/.exec(tags) ?? []
  if (number === undefined) return undefined
  const keepsZero = type.startsWith('*') || !options.includes('omitempty')
  return [number, `${name}${keepsZero ? '*' : ''} ${shapeOf(type, types)}`]
}

/** The fields of every message by number, from the Go types of Kubernetes' API. Throws without their source. */
export async function protobufTable(): Promise<
  Readonly<Record<string, Readonly<Record<string, string>>>>
> {
  const types = await goTypes()
  const table: Record<string, Record<string, string>> = {}
  const pending = [...roots]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name in table) continue
    const body = types.structs.get(name)
    if (body === undefined) throw new Error(`there is no type ${name}`)
    const fields = body.split('\n').flatMap((line) => {
      const entry = fieldEntry(line, types)
      return entry === undefined ? [] : [entry]
    })
    table[name] = Object.fromEntries(fields)
    for (const [, field] of fields) {
      const shape = field.split(' ')[1]?.replace(/^(\[\]|\{\})/, '') ?? ''
      if (/^[A-Z]/.test(shape)) pending.push(shape)
    }
  }
  return Object.fromEntries(Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** One message a line. */
export function protobufTableText(table: Awaited<ReturnType<typeof protobufTable>>): string {
  const lines = Object.entries(table).map(
    ([name, fields]) => `  ${JSON.stringify(name)}: ${JSON.stringify(fields)}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}
