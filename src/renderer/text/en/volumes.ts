import { humanDuration } from '../../../shared/kubernetes/printers/age.ts'
import type {
  ReferredKind,
  ReferredObject,
  VariableSource,
  VolumePart,
} from '../../../shared/model/inside-pod/pod-volumes.ts'
import { clockText } from '../../words/time.ts'
import { counted } from './plural.ts'

/** `34 s`, then as kubectl writes it. */
function lasting(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  return seconds < 120 ? `${seconds} s` : humanDuration(milliseconds)
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ')
}

function keysText({ keys, keyCount, state, isOptional }: ReferredObject): string {
  const count = keys.length === 0 ? (keyCount ?? 0) : keys.length
  const shownCount = keys.length === 0 && keyCount === null ? '' : counted(count, 'key')
  const gone = state === 'missing' && isOptional ? 'absent' : ''
  return joined(shownCount, isOptional ? 'optional' : '', gone)
}

/** The last part of a path in the pod: `namespace` of `metadata.namespace`. */
function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

/** Every pod's: the admission controller of service accounts adds it. */
const clusterCa = 'kube-root-ca.crt'

function part(one: VolumePart): string {
  switch (one.kind) {
    case 'token':
      return one.audience === '' ? 'token' : `token for ${one.audience}`
    case 'downwardAPI':
      return one.items.map(lastPart).join(', ')
    case 'other':
      return one.type
    case 'object':
      if (one.object.kind === 'ConfigMap' && one.object.name === clusterCa) return 'CA'
      return `${one.object.kind} ${one.object.name}`
  }
}

function variableSource(source: VariableSource): string {
  switch (source.kind) {
    case 'spec':
      return 'written in the spec'
    case 'field':
      return `field ${source.path}`
    case 'resource':
      return joined(
        `resource ${source.resource}`,
        source.container === '' ? '' : `container ${source.container}`,
      )
    case 'service':
      return 'a Service of the namespace'
    case 'former':
      return 'its source no longer has it'
    case 'key':
      return `key ${source.key}`
    case 'envFrom':
      return joined(source.key === '' ? '' : `key ${source.key}`, 'envFrom')
  }
}

const mountFailure = (volume: string, message: string): string =>
  `MountVolume.SetUp failed for volume ${JSON.stringify(volume)} : ${message}`

export const volumes = {
  /** Names the request if it fails. */
  asked: 'the volumes',
  loading: 'Loading from the kubelet…',
  gone: 'The kubelet no longer has this pod.',
  title: 'Volumes',
  mounted: (mounted: number, used: number) => `${mounted} of ${used} mounted`,
  none: 'The pod has no volumes.',
  columns: { volume: 'Volume', from: 'From', at: 'Mounted at', state: 'State' },
  variableColumns: { name: 'Name', from: 'From', value: 'Value', state: 'State' },
  left: (count: number) => `${counted(count, 'more')} not shown.`,
  keysText,
  emptyDir: (medium: string, limit: string) => joined('emptyDir', medium, limit),
  hostPath: (path: string, type: string) => joined(`hostPath ${path}`, type),
  downwardAPI: (items: readonly string[]) => `downwardAPI: ${items.map(lastPart).join(', ')}`,
  projected: (parts: readonly VolumePart[]) => `projected: ${parts.map(part).join(', ')}`,
  claim: 'claim',
  lineTo: (container: string) => `${container}: `,
  readOnly: (path: string) => `${path}, read-only`,
  subPath: (path: string) => `subPath ${path}`,
  state: {
    unused: 'no container mounts it',
    waiting: 'to be mounted',
    mounting: (since: number | null, now: number) =>
      since === null ? 'being mounted' : `being mounted for ${lasting(now - since)}`,
    mounted: (since: number | null) => (since === null ? 'mounted' : `mounted ${clockText(since)}`),
    uncertain: 'may be mounted: the kubelet found it on the node when it started',
    unmounting: 'being unmounted',
    absent: 'not mounted',
    unknown: 'not known',
    updated: (at: number) => `files changed ${clockText(at)}`,
    renews: (at: number, now: number) =>
      at <= now ? 'token renewed at the next sync' : `token renewed in about ${lasting(at - now)}`,
    notFound: (since: string) => `not found, ${since}`,
    keyMissing: (keys: readonly string[], since: string) =>
      `${keys.length === 1 ? 'key' : 'keys'} ${keys.join(', ')} missing, ${since}`,
    found: 'found; mounted at the next try',
    failed: (count: number, since: string) =>
      `failed ${count === 1 ? 'once' : `${count} times`}, ${since}`,
    firstFailure: (reason: string, at: number) => `${reason}, first ${clockText(at)}`,
    unmountFailed: (count: number, message: string) =>
      `unmounting failed ${count === 1 ? 'once' : `${count} times`}: ${message}`,
    stale: (since: number) => `not updated since ${clockText(since)}: the files stay as they are`,
    nextTry: (at: number | null, now: number) =>
      at === null ? 'trying now' : `next try in ${lasting(at - now)}`,
    subPath: 'stays with the container: subPath never updates',
    asOf: (at: number) => `as of ${clockText(at)}`,
    asOfTitle:
      'The kubelet ended its watch of the object; it reads it again when a container starts',
  },
  since: (at: number, now: number) => humanDuration(Math.max(0, now - at)),
  environment: 'Environment',
  ofContainer: (container: string, count: number) =>
    `container ${container}, ${counted(count, 'variable')}`,
  noVariables: 'The spec of this container sets no variables.',
  given: 'Values of the running container',
  notGiven: 'Values that the container would get now',
  runtimeSilent:
    'The runtime does not say what the container got: the values are those that it would get now.',
  services: (count: number) => `Show ${counted(count, 'variable')} of Services`,
  hideServices: (count: number) => `Hide ${counted(count, 'variable')} of Services`,
  variableSource,
  /** For an object in envFrom that is not there: it has no variable. */
  allOf: '(all keys)',
  hidden: 'hidden',
  show: 'Show',
  hide: 'Hide',
  showLabel: (variable: string) => `Show ${variable}`,
  hideLabel: (variable: string) => `Hide ${variable}`,
  showFor: 'for 10 s',
  shownFor: (seconds: number) => `for ${seconds} s`,
  variable: {
    found: 'found',
    absent: 'absent; optional',
    unread: 'not read by the kubelet',
    pending: 'set when the pod has its address',
    keyMissing: 'key missing',
    objectMissing: 'not found',
    refused: 'no value',
    fails: '; then ',
    nextStart: '; the next start fails: ',
    error: 'CreateContainerConfigError',
    outdated: 'changed since the container started; the next start gets it',
    added: 'not in the running container; the next start gets it',
    former: 'gone at the next start',
  },
  headline: {
    failedMount: (since: string, count: number) =>
      `FailedMount for ${since}, ${count === 1 ? 'once' : `${count} times`}; `,
    mountFailure,
    nothingStarts: 'Nothing starts until every volume is mounted.',
    alsoMissing: (kind: ReferredKind, isKey: boolean) =>
      `${isKey ? `A key of a ${kind}` : `A ${kind}`} is missing as well: it would stop the container next.`,
    alsoRefused: (variable: string) =>
      `The variable ${variable} has no value: it would stop the container next.`,
    start: (container: string) => `CreateContainerConfigError of container ${container}; `,
    nextSync: (at: number | null, now: number) =>
      at === null ? 'retried at the next sync. ' : `next try in ${lasting(at - now)}. `,
    fix: 'The container is created when everything that its environment names is there.',
    update: (volume: string) => `The volume ${volume} is no longer updated; `,
    updateMeaning:
      'Running containers keep the files that they have. A new pod with this volume would not start.',
    next: (container: string) => `The next start of container ${container} fails. `,
    nextMeaning: 'The running container keeps the values that it was started with.',
    waiting: (container: string) =>
      `The container ${container} will fail with CreateContainerConfigError.`,
  },
  mend: 'Create what is missing',
  mendKeys: 'VALUE and FILE stand for what you know: the value of a key, or a file with it.',
  staticPod:
    'A static pod cannot refer to ConfigMaps, Secrets or claims: the kubelet rejects such a manifest.',
  noKubelet: 'No kubelet has this pod yet: only what its spec says is known.',
  orphan: 'This is an orphaned mirror: no kubelet runs it, so that only its spec is known.',
  stopped: 'The kubelet does not run. This is the last state that it knew.',
  keys: {
    missing: 'go to what is missing',
    show: 'show a value',
    copy: 'copy kubectl line',
  },
}
