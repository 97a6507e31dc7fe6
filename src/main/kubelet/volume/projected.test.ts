import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../shared/json.ts'
import type { ConfigMap, Secret } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import { fakePod } from '../pod/fake-pod.ts'
import type { Payload } from './file-projection.ts'
import { heldPayload, projectedPayload } from './projected.ts'
import type { PayloadSources } from './projected.ts'

const pod = fakePod({ name: 'p', namespace: 'n', uid: 'u' })
const configMap: Pick<ConfigMap, 'data' | 'binaryData'> = {
  data: { a: '1', b: '2' },
  binaryData: { c: 'AQI=' },
}
const secret: Pick<Secret, 'data'> = { data: { key: 'c2VjcmV0' } }

function sources(isHeld: boolean): PayloadSources {
  const missing = err({ kind: 'not-found', message: 'not found' } as const)
  return {
    getConfigMap: async (_, name) => (name === 'cm' ? ok(configMap) : missing),
    getSecret: async (_, name) => (name === 's' ? ok(secret) : missing),
    held: {
      configMap: (_, name) => (isHeld && name === 'cm' ? configMap : undefined),
      secret: (_, name) => (isHeld && name === 's' ? secret : undefined),
    },
    tokens: {
      getToken: async (_, { audience }) => ok(`token for ${audience}`),
      heldToken: (_, { audience }) => (isHeld ? `token for ${audience}` : undefined),
    },
    allocatable: () => ({ cpu: '4', memory: '8Gi' }),
  }
}

const token = { serviceAccountToken: { path: 'token', audience: 'a' } }
const wholeConfigMap = { configMap: { name: 'cm' } }
const fields = [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }]
const downwardAPI = { downwardAPI: { items: fields } }

/** Those of a projected volume, as both ways answer them. */
async function payloads(parts: readonly JsonObject[], isHeld = true) {
  const request = { pod, source: { sources: parts }, defaultMode: 0o600 }
  const collected = await projectedPayload({ ...request, causes: [] }, sources(isHeld))
  return { collected, held: heldPayload('projected', request, sources(isHeld)) }
}

describe('heldPayload', () => {
  it.each<[string, readonly JsonObject[]]>([
    ['a token', [token]],
    ['a ConfigMap', [wholeConfigMap]],
    [
      'items of a ConfigMap',
      [{ configMap: { name: 'cm', items: [{ key: 'a', path: 'x/y', mode: 0o400 }] } }],
    ],
    ['a Secret', [{ secret: { name: 's' } }]],
    ['the downward API', [downwardAPI]],
    [
      'several, the later ones win',
      [token, wholeConfigMap, { secret: { name: 's' } }, downwardAPI],
    ],
  ])('has the files that projectedPayload has of %s', async (_name, parts) => {
    const { collected, held } = await payloads(parts)
    const expected: Payload | undefined = collected.ok ? collected.value : undefined
    expect(expected?.size).toBeGreaterThan(0)
    expect(held).toEqual(expected)
  })

  it.each<[string, readonly JsonObject[], boolean]>([
    ['something that has to be waited for', [downwardAPI, token], false],
    ['a ConfigMap that is missing', [{ configMap: { name: 'other' } }], true],
    ['an optional one that is missing', [{ configMap: { name: 'other', optional: true } }], true],
    [
      'a key that is missing',
      [{ configMap: { name: 'cm', items: [{ key: 'z', path: 'z' }] } }],
      true,
    ],
    ['a source that Nodescope does not have', [{ clusterTrustBundle: { path: 'x' } }], true],
  ])('has none of %s', async (_name, parts, isHeld) => {
    expect((await payloads(parts, isHeld)).held).toBeUndefined()
  })
})
