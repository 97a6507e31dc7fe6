import { callApi } from '../../../src/main/cluster/client/api-call.ts'
import { TransportApiClient } from '../../../src/main/cluster/client/api-client.ts'
import { loadKubeconfig } from '../../../src/main/cluster/kubeconfig/kubeconfig.ts'
import type { UndiciTransport } from '../../../src/main/cluster/transport/undici-transport.ts'
import { isJsonObject, type JsonObject } from '../../../src/shared/json.ts'
import type { HttpMethod } from '../../../src/shared/kubernetes/request.ts'
import type { Result } from '../../../src/shared/result.ts'

/** The value of a result that has to be good. */
export function must<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

/** A user with a kubeconfig and a client. */
export class Administrator {
  readonly transport: UndiciTransport
  readonly api: TransportApiClient

  constructor(transport: UndiciTransport) {
    this.transport = transport
    this.api = new TransportApiClient({ transport })
  }

  /** Sends JSON; throws the server's refusal. */
  async ask(method: HttpMethod, path: string, body?: unknown): Promise<JsonObject> {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { headers, body }
    const answer = must(await callApi(this.transport, { method, path, ...sent }))
    return isJsonObject(answer) ? answer : {}
  }

  /** A namespace with its default service account, because no controller creates it here. */
  async makeNamespace(name: string): Promise<void> {
    await this.ask('POST', '/api/v1/namespaces', { metadata: { name } })
    const accounts = `/api/v1/namespaces/${name}/serviceaccounts`
    await this.ask('POST', accounts, { metadata: { name: 'default' } })
  }

  async close(): Promise<void> {
    await this.transport.close()
  }
}

/** The user of a kubeconfig. */
export async function administratorOf(kubeconfig: string): Promise<Administrator> {
  const access = must(await loadKubeconfig({ file: kubeconfig, environment: {} }))
  return new Administrator(access.createTransport())
}
