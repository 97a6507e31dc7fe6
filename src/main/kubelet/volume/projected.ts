import { aggregateText } from '../../../shared/go/text.ts'
import {
  isJsonObject,
  numberAt,
  objectAt,
  objectsAt,
  ownField,
  textAt,
} from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { ConfigMap, Pod, Secret } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { podNamespace } from '../pod/identity.ts'
import type { ResourceList } from '../pod/resource-field.ts'
import type { ApiError } from '../ports.ts'
import { downwardApiPayload } from './downward-api.ts'
import type { FileProjection, Payload } from './file-projection.ts'
import { configMapData, objectPayload, secretData } from './object-payload.ts'
import type { TokenManager } from './token-manager.ts'

type GetObject<T> = (namespace: string, name: string) => Promise<Result<T, ApiError>>

type GetHeldObject<T> = (namespace: string, name: string) => T | undefined

/** What the files of volumes are made of. */
export interface PayloadSources {
  readonly getConfigMap: GetObject<Pick<ConfigMap, 'data' | 'binaryData'>>
  readonly getSecret: GetObject<Pick<Secret, 'data'>>
  readonly tokens: Pick<TokenManager, 'getToken' | 'heldToken'>
  /** What the node can give to pods. */
  readonly allocatable: () => ResourceList
  /** The same objects if they are known at once; else undefined. */
  readonly held: {
    readonly configMap: GetHeldObject<Pick<ConfigMap, 'data' | 'binaryData'>>
    readonly secret: GetHeldObject<Pick<Secret, 'data'>>
  }
}

interface PayloadRequest {
  readonly pod: Pod
  /** Of the volume, or of one source of a projected one. */
  readonly source: JsonObject
  readonly defaultMode: number
  readonly causes: TraceCauses
}

type PayloadAnswer = Promise<Result<Payload, string>>

/** An optional object that is not there counts as an empty one. */
async function objectOf<T>(
  get: GetObject<T>,
  name: string,
  { pod, source }: PayloadRequest,
): Promise<Result<Partial<T>, string>> {
  const got = await get(podNamespace(pod), name)
  if (got.ok) return got
  const isMissing = got.error.kind === 'not-found' && ownField(source, 'optional') === true
  return isMissing ? ok({}) : err(got.error.message)
}

const missingConfigKey = (key: string): string =>
  `configmap references non-existent config key: ${key}`
const missingSecretKey = (key: string): string => `references non-existent secret key: ${key}`

function secretNameOf(source: JsonObject): string {
  return textAt(source, 'secretName') || textAt(source, 'name')
}

/** Source: pkg/volume/configmap SetUpAt. */
export async function configMapPayload(
  request: PayloadRequest,
  { getConfigMap }: PayloadSources,
): PayloadAnswer {
  const { source, defaultMode } = request
  const object = await objectOf(getConfigMap, textAt(source, 'name'), request)
  if (!object.ok) return object
  return objectPayload(configMapData(object.value), source, defaultMode, missingConfigKey)
}

/** The name is in `secretName`, or in `name` of a source of a projected volume. Source: pkg/volume/secret SetUpAt. */
export async function secretPayload(
  request: PayloadRequest,
  { getSecret }: PayloadSources,
): PayloadAnswer {
  const { source, defaultMode } = request
  const object = await objectOf(getSecret, secretNameOf(source), request)
  if (!object.ok) return object
  return objectPayload(secretData(object.value), source, defaultMode, missingSecretKey)
}

async function tokenPayload(request: PayloadRequest, { tokens }: PayloadSources): PayloadAnswer {
  const { pod, source, causes } = request
  const token = await tokens.getToken(pod, tokenWish(source), causes)
  return token.ok ? ok(tokenFile(request, token.value)) : token
}

function tokenWish(source: JsonObject): Parameters<TokenManager['getToken']>[1] {
  const audience = textAt(source, 'audience')
  return { audience, expirationSeconds: numberAt(source, 'expirationSeconds') }
}

function tokenFile(
  { source, defaultMode }: Pick<PayloadRequest, 'source' | 'defaultMode'>,
  data: string,
): Payload {
  return new Map([[textAt(source, 'path'), { data, mode: defaultMode }]])
}

const projections: Readonly<
  Record<string, (request: PayloadRequest, sources: PayloadSources) => PayloadAnswer>
> = {
  configMap: configMapPayload,
  secret: secretPayload,
  serviceAccountToken: tokenPayload,
  downwardAPI: async ({ pod, source, defaultMode }, { allocatable }) =>
    downwardApiPayload(objectsAt(source, 'items'), pod, allocatable(), defaultMode),
}

/** Later sources win where paths are the same. Source: pkg/volume/projected collectData. */
export async function projectedPayload(
  request: PayloadRequest,
  sources: PayloadSources,
): PayloadAnswer {
  const payload = new Map<string, FileProjection>()
  const errors: string[] = []
  const { pod, defaultMode, causes } = request
  for (const projection of objectsAt(request.source, 'sources')) {
    const type = typeOf(projection)
    const collect = ownField(projections, type)
    const part =
      collect === undefined
        ? err(`Nodescope has no ${type} in projected volumes`)
        : await collect({ pod, source: objectAt(projection, type), defaultMode, causes }, sources)
    if (part.ok) for (const [path, file] of part.value) payload.set(path, file)
    else errors.push(part.error)
  }
  const error = aggregateText(errors)
  return error === undefined ? ok(payload) : err(error)
}

type HeldPayload = (
  request: Omit<PayloadRequest, 'causes'>,
  sources: PayloadSources,
) => Payload | undefined

const heldPayloads: Readonly<Record<string, HeldPayload>> = {
  configMap: ({ pod, source, defaultMode }, { held }) => {
    const object = held.configMap(podNamespace(pod), textAt(source, 'name'))
    return (
      object && valueOf(objectPayload(configMapData(object), source, defaultMode, missingConfigKey))
    )
  },
  secret: ({ pod, source, defaultMode }, { held }) => {
    const object = held.secret(podNamespace(pod), secretNameOf(source))
    return (
      object && valueOf(objectPayload(secretData(object), source, defaultMode, missingSecretKey))
    )
  },
  serviceAccountToken: (request, { tokens }) => {
    const token = tokens.heldToken(request.pod, tokenWish(request.source))
    return token === undefined ? undefined : tokenFile(request, token)
  },
  downwardAPI: ({ pod, source, defaultMode }, { allocatable }) =>
    valueOf(downwardApiPayload(objectsAt(source, 'items'), pod, allocatable(), defaultMode)),
  projected: ({ pod, source, defaultMode }, sources) => {
    const payload = new Map<string, FileProjection>()
    for (const projection of objectsAt(source, 'sources')) {
      const type = typeOf(projection)
      const part = heldPayload(
        type,
        { pod, source: objectAt(projection, type), defaultMode },
        sources,
      )
      if (part === undefined) return undefined
      for (const [path, file] of part) payload.set(path, file)
    }
    return payload
  },
}

/**
 * The files of a volume if all that they are made of is known at once; else undefined, also for each error. `type`: the field of
 * the volume, or of a source of a projected one.
 */
export function heldPayload(
  type: string,
  request: Omit<PayloadRequest, 'causes'>,
  sources: PayloadSources,
): Payload | undefined {
  return ownField(heldPayloads, type)?.(request, sources)
}

function valueOf<T>(result: Result<T, string>): T | undefined {
  return result.ok ? result.value : undefined
}

function typeOf(projection: JsonObject): string {
  return Object.keys(projection).find((key) => isJsonObject(projection[key])) ?? ''
}
