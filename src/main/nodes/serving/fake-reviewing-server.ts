import { objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeRequest, KubeResponse, Transport } from '../../../shared/kubernetes/request.ts'
import { answer, refusal } from '../../cluster/transport/fake-transport.ts'

/** An API server that knows tokens and rights, the CA of client certificates, and signs when a test says so. */
export class FakeReviewingServer implements Transport {
  readonly requests: KubeRequest[] = []
  /** Users by token. */
  readonly tokens = new Map<string, JsonObject>()
  /** `user subresource`. */
  readonly rights = new Set<string>()
  clientCa = ''
  /** Paths that are forbidden. */
  readonly forbidden = new Set<string>()
  /** Of the request for a certificate. */
  signing: JsonObject = {}

  send(request: KubeRequest): Promise<KubeResponse> {
    this.requests.push(request)
    return Promise.resolve(this.#answer(request))
  }

  countOf(kind: string): number {
    return this.requests.filter(({ path }) => path.endsWith(`/${kind}`)).length
  }

  #answer({ path, body, method }: KubeRequest): KubeResponse {
    const spec = objectAt(Object(body) as JsonObject, 'spec')
    if (this.forbidden.has(path)) return refusal(403, 'Forbidden', 'no right')
    switch (path.slice(path.lastIndexOf('/') + 1)) {
      case 'tokenreviews': {
        const user = this.tokens.get(textAt(spec, 'token'))
        return answer(201, { status: { authenticated: user !== undefined, user } })
      }
      case 'subjectaccessreviews': {
        const part = textAt(objectAt(spec, 'resourceAttributes'), 'subresource')
        const allowed = this.rights.has(`${textAt(spec, 'user')} ${part}`)
        return answer(201, { status: { allowed } })
      }
      case 'extension-apiserver-authentication':
        return this.clientCa === ''
          ? refusal(404, 'NotFound', 'configmaps "extension-apiserver-authentication" not found')
          : answer(200, named('x', { data: { 'client-ca-file': this.clientCa } }))
      case 'certificatesigningrequests':
        return answer(201, named('csr-1', { spec }))
      default:
        return method === 'GET'
          ? answer(200, named('csr-1', { status: this.signing }))
          : refusal(404, 'NotFound', path)
    }
  }
}

function named(name: string, fields: object): object {
  return { apiVersion: 'v1', kind: 'X', metadata: { name }, ...fields }
}
