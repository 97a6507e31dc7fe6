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

/** What the files of volumes are made of. */
export interface PayloadSources {
  readonly getConfigMap: GetObject<Pick<ConfigMap, 'data' | 'binaryData'>>
  readonly getSecret: GetObject<Pick<Secret, 'data'>>
  readonly tokens: Pick<TokenManager, 'getToken'>
  /** What the node can give to pods. */
  readonly allocatable: () => ResourceList
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

/** Source: pkg/volume/configmap SetUpAt. */
export async function configMapPayload(
  request: PayloadRequest,
  { getConfigMap }: PayloadSources,
): PayloadAnswer {
  const { source, defaultMode } = request
  const object = await objectOf(getConfigMap, textAt(source, 'name'), request)
  if (!object.ok) return object
  const missing = (key: string): string => `configmap references non-existent config key: ${key}`
  return objectPayload(configMapData(object.value), source, defaultMode, missing)
}

/** The name is in `secretName`, or in `name` of a source of a projected volume. Source: pkg/volume/secret SetUpAt. */
export async function secretPayload(
  request: PayloadRequest,
  { getSecret }: PayloadSources,
): PayloadAnswer {
  const { source, defaultMode } = request
  const name = textAt(source, 'secretName') || textAt(source, 'name')
  const object = await objectOf(getSecret, name, request)
  if (!object.ok) return object
  const missing = (key: string): string => `references non-existent secret key: ${key}`
  return objectPayload(secretData(object.value), source, defaultMode, missing)
}

async function tokenPayload(request: PayloadRequest, { tokens }: PayloadSources): PayloadAnswer {
  const { pod, source, defaultMode, causes } = request
  const audience = textAt(source, 'audience')
  const expirationSeconds = numberAt(source, 'expirationSeconds')
  const token = await tokens.getToken(pod, { audience, expirationSeconds }, causes)
  if (!token.ok) return token
  const projection: FileProjection = { data: token.value, mode: defaultMode }
  return ok(new Map([[textAt(source, 'path'), projection]]))
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
    const type = Object.keys(projection).find((key) => isJsonObject(projection[key])) ?? ''
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
