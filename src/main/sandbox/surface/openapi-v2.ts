import type { KubeRequest, KubeResponse } from '../../../shared/kubernetes/request.ts'
import { kubernetesVersion } from './server-version.ts'

const title = 'Nodescope sandbox'

/** A protobuf field with text or a message, shorter than 128 bytes. */
function field(number: number, content: Uint8Array | string): Uint8Array {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes])
}

/** gnostic's openapi.v2.Document: 1 swagger, 2 info (1 title, 2 version), 8 paths. */
function emptyDocument(): Uint8Array {
  const info = Buffer.concat([field(1, title), field(2, kubernetesVersion)])
  return Buffer.concat([field(1, '2.0'), field(2, info), field(8, '')])
}

// With a dot before v1.0: kubectl cannot parse the @ that gnostic writes.
const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

/**
 * /openapi/v2 without kinds. kubectl requests it when v3 does not have a kind. With this answer, it reports that the server has
 * no such kind; without one, that it could not download OpenAPI.
 */
export function openApiV2Response(request: KubeRequest): KubeResponse | undefined {
  if (request.method !== 'GET' || request.path !== '/openapi/v2') return undefined
  if ((request.headers?.['accept'] ?? '').includes('protobuf')) {
    return { kind: 'text', status: 200, body: emptyDocument(), contentType: protobufType }
  }
  const info = { title, version: kubernetesVersion }
  return { kind: 'object', status: 200, body: { swagger: '2.0', info, paths: {} } }
}
