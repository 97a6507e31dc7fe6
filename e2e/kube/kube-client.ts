import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { parse } from 'yaml'

interface Access {
  readonly server: string
  readonly ca: Buffer
  readonly token: string
}

interface Kubeconfig {
  readonly 'current-context': string
  readonly contexts: readonly {
    readonly name: string
    readonly context: { readonly cluster: string; readonly user: string }
  }[]
  readonly clusters: readonly {
    readonly name: string
    readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string }
  }[]
  readonly users: readonly { readonly name: string; readonly user: { readonly token: string } }[]
}

async function readAccess(path: string): Promise<Access> {
  const config = parse(await readFile(path, 'utf8')) as Kubeconfig // written by the program under test
  const context = config.contexts.find(({ name }) => name === config['current-context'])?.context
  const cluster = config.clusters.find(({ name }) => name === context?.cluster)?.cluster
  const user = config.users.find(({ name }) => name === context?.user)?.user
  if (cluster === undefined || user === undefined) throw new Error(`${path} is not complete`)
  return {
    server: cluster.server,
    ca: Buffer.from(cluster['certificate-authority-data'], 'base64'),
    token: user.token,
  }
}

/** The server's answer to one request. `body` is parsed where it is JSON. */
export interface KubeAnswer {
  readonly status: number
  readonly body: unknown
}

/** Plain HTTPS to the API server that a kubeconfig names, with its CA and its token. */
export class KubeClient {
  readonly #access: Access

  constructor(access: Access) {
    this.#access = access
  }

  static async read(kubeconfig: string): Promise<KubeClient> {
    return new KubeClient(await readAccess(kubeconfig))
  }

  request(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    contentType = 'application/json',
  ): Promise<KubeAnswer> {
    const { server, ca, token } = this.#access
    const text = body === undefined ? undefined : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const outgoing = request(new URL(path, server), {
        method,
        ca,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(text === undefined ? {} : { 'content-type': contentType }),
        },
      })
      outgoing.on('error', reject).on('response', (response) => {
        let received = ''
        response.on('data', (chunk: Buffer) => (received += chunk.toString()))
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: parsed(received) })
        })
      })
      outgoing.end(text)
    })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text // plain text: /healthz, or a proxy's words
  }
}
