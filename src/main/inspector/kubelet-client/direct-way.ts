import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { TLSSocket } from 'node:tls'
import { Agent, buildConnector } from 'undici'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Credential, CredentialSource } from '../../cluster/kubeconfig/credential.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import {
  certificateOf,
  connectionProblem,
  isProxyablePeer,
  lookAtCertificate,
  tlsOptions,
  untrusted,
} from './kubelet-certificate.ts'
import type { KubeletCertificate, KubeletTrust } from './kubelet-certificate.ts'
import type { KubeletAddress } from './kubelet-address.ts'
import type { KubeletProblem } from '../../../shared/model/inspect/kubelet-facts.ts'
import type { KubeletAnswer } from './kubelet-problem.ts'

/** One way to a kubelet's endpoints. Rejects nothing. */
export interface KubeletWay {
  readonly name: 'direct' | 'proxy'
  readonly get: (path: string) => Promise<Result<KubeletAnswer, KubeletProblem>>
  /** The serving certificate as it was last seen; undefined: none, or not seen by us. */
  readonly certificate: () => KubeletCertificate | undefined
  readonly close: () => Promise<void>
}

export interface DirectWayDeps {
  readonly nodeName: string
  readonly address: KubeletAddress
  readonly credentials: CredentialSource
  /** SHA-256 as `AB:CD:…`, of the certificate that the user accepted for this node; undefined: none. */
  readonly acceptedFingerprint: string | undefined
  /** Of one request, and of a connection. Default: 5 s. */
  readonly timeoutMs?: number
  /** Of one body, unpacked. Default: 64 MiB. */
  readonly maxBytes?: number
  /** Whether a connection leads where it may. Default: not to this machine. */
  readonly isAllowedPeer?: (socket: TLSSocket) => boolean
}

const unzip = promisify(gunzip)

/** Headers of a credential without those for the API server's impersonation, which no kubelet knows. */
function bearerOf(
  headers: Readonly<Record<string, string | readonly string[]>>,
): Record<string, string> {
  const { authorization } = headers
  return typeof authorization === 'string' ? { authorization } : {}
}

async function bodyOf(
  body: AsyncIterable<Buffer>,
  isZipped: boolean,
  limit: number,
): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw new TransportError('invalid', `returned more than ${limit} bytes`)
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks, size)
  return (isZipped ? await unzip(bytes, { maxOutputLength: limit }) : bytes).toString('utf8')
}

/**
 * Straight to the node's port over HTTPS. The cluster's CA is that of the credential: the kubeconfig's. Each connection's certificate is checked before a byte of a request is written, and
 * a client certificate is offered only after a connection without one was good. Redirects are not followed.
 */
export function directWay(deps: DirectWayDeps): KubeletWay {
  const {
    nodeName,
    address,
    credentials,
    acceptedFingerprint,
    timeoutMs = 5000,
    maxBytes = 64 * 1024 * 1024,
    isAllowedPeer = isProxyablePeer,
  } = deps
  const bracketed = address.host.includes(':') ? `[${address.host}]` : address.host
  const origin = `https://${bracketed}:${address.port}`
  let certificate: KubeletCertificate | undefined
  let agent: { readonly dispatcher: Agent; readonly tls: string } | undefined

  const agentFor = ({ tls: { cert, key } }: Credential, trust: KubeletTrust): Agent => {
    const tls = `${cert ?? ''}${key ?? ''}${trust.clusterCa ?? ''}`
    if (agent?.tls === tls) return agent.dispatcher
    void agent?.dispatcher.destroy()
    const pair = cert === undefined || key === undefined ? {} : { cert, key }
    const base = buildConnector({
      ...tlsOptions(address, trust),
      ...pair,
      maxCachedSessions: 0,
      timeout: timeoutMs,
    })
    const connect: buildConnector.connector = (options, callback) => {
      base(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null)
        if (!(socket instanceof TLSSocket)) return callback(new Error('no TLS'), null)
        certificate = certificateOf(socket, trust)
        if (certificate.verifiedBy !== undefined && isAllowedPeer(socket))
          return callback(null, socket)
        socket.destroy()
        return callback(
          new TransportError('invalid', untrusted(nodeName, certificate).message),
          null,
        )
      })
    }
    const dispatcher = new Agent({
      connect,
      connections: 2,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    agent = { dispatcher, tls }
    return dispatcher
  }

  const look = async (trust: KubeletTrust): Promise<KubeletProblem | undefined> => {
    if (agent !== undefined) return undefined
    const looked = await lookAtCertificate(address, trust, { timeoutMs, isAllowedPeer })
    if (!looked.ok) return looked.error
    certificate = looked.value
    return certificate.verifiedBy === undefined ? untrusted(nodeName, certificate) : undefined
  }

  const get = async (path: string): Promise<Result<KubeletAnswer, KubeletProblem>> => {
    try {
      const credential = await credentials.get()
      const trust = { clusterCa: credential.tls.ca, acceptedFingerprint }
      const problem = await look(trust)
      if (problem !== undefined) return err(problem)
      const answer = await agentFor(credential, trust).request({
        origin,
        path,
        method: 'GET',
        headers: {
          ...bearerOf(credential.headers),
          'accept-encoding': 'gzip',
          'user-agent': 'nodescope',
        },
        signal: AbortSignal.timeout(timeoutMs),
      })
      const isZipped = answer.headers['content-encoding'] === 'gzip'
      const body = await bodyOf(answer.body, isZipped, maxBytes)
      if (answer.statusCode === 401) credentials.refused()
      return ok({ status: answer.statusCode, body })
    } catch (error) {
      if (certificate !== undefined && certificate.verifiedBy === undefined)
        return err(untrusted(nodeName, certificate))
      return err(connectionProblem(error, origin))
    }
  }

  return {
    name: 'direct',
    get,
    certificate: () => certificate,
    close: async () => {
      await agent?.dispatcher.destroy()
      agent = undefined
    },
  }
}
