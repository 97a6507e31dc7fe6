import { connect } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import { isIP } from 'node:net'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { transportErrorOf } from '../../cluster/transport/transport-failures.ts'
import { isProxyable } from './kubelet-address.ts'
import type { KubeletAddress } from './kubelet-address.ts'
import type { KubeletProblem } from '../../../shared/model/inspect/kubelet-facts.ts'

/** What a kubelet's serving certificate must fulfil before a credential is sent. */
export interface KubeletTrust {
  /** PEM of the cluster's CA; undefined: nothing can be verified by it. */
  readonly clusterCa: string | undefined
  /** SHA-256 as `AB:CD:…`, that the user accepted for this node; undefined: none. */
  readonly acceptedFingerprint: string | undefined
}

/** A serving certificate, as a page shows it before the user accepts it. */
export interface KubeletCertificate {
  readonly fingerprint: string
  readonly subject: string
  readonly issuer: string
  readonly notAfter: string
  /** `cluster CA` and `accepted`: a credential may be sent; else why not. */
  readonly verifiedBy: 'cluster CA' | 'accepted' | undefined
  readonly problem: string
}

/** Reads the certificate of a connection and decides. `trust` decides alone: the store of this machine has no say. */
export function certificateOf(socket: TLSSocket, trust: KubeletTrust): KubeletCertificate {
  const certificate = socket.getPeerX509Certificate()
  const fingerprint = certificate?.fingerprint256 ?? ''
  const isByCa = trust.clusterCa !== undefined && socket.authorized
  const isAccepted = fingerprint !== '' && fingerprint === trust.acceptedFingerprint
  const reason = socket.authorizationError
  return {
    fingerprint,
    subject: certificate?.subject ?? '',
    issuer: certificate?.issuer ?? '',
    notAfter: certificate?.validTo ?? '',
    verifiedBy: isByCa ? 'cluster CA' : isAccepted ? 'accepted' : undefined,
    problem: isByCa || isAccepted ? '' : String(reason ?? 'no CA of the cluster is known'),
  }
}

/** TLS options with which every certificate is let through to `certificateOf`; sessions are not reused, so that each shows its own. */
export function tlsOptions(
  { host }: KubeletAddress,
  { clusterCa }: KubeletTrust,
): {
  readonly ca: string | string[]
  readonly rejectUnauthorized: false
  readonly servername?: string
} {
  return {
    // An empty list: no authority at all, where Node.js would take those of the machine.
    ca: clusterCa ?? [],
    rejectUnauthorized: false,
    ...(isIP(host) === 0 ? { servername: host } : {}),
  }
}

/** A name of a Node must not lead to this machine either. */
export function isProxyablePeer(socket: TLSSocket): boolean {
  return socket.remoteAddress !== undefined && isProxyable(socket.remoteAddress)
}

/** Connects without any credential, to look at the certificate. */
export function lookAtCertificate(
  address: KubeletAddress,
  trust: KubeletTrust,
  limits: { readonly timeoutMs: number; readonly isAllowedPeer: (socket: TLSSocket) => boolean },
): Promise<Result<KubeletCertificate, KubeletProblem>> {
  const server = `https://${address.host}:${address.port}`
  return new Promise((resolve) => {
    const socket = connect({ ...address, ...tlsOptions(address, trust) })
    const end = (result: Result<KubeletCertificate, KubeletProblem>): void => {
      socket.destroy()
      resolve(result)
    }
    socket.setTimeout(limits.timeoutMs, () => {
      end(err({ kind: 'away', message: `${server} did not respond in time.` }))
    })
    socket.once('secureConnect', () => {
      end(
        limits.isAllowedPeer(socket)
          ? ok(certificateOf(socket, trust))
          : err({ kind: 'away', message: `${server} leads to this machine: not asked.` }),
      )
    })
    socket.once('error', (error) => {
      end(err(connectionProblem(error, server)))
    })
  })
}

/** Nothing listens there, or no answer. */
export function connectionProblem(error: unknown, server: string): KubeletProblem {
  const { message, cause } = transportErrorOf(error, server)
  const isRefused = /ECONNREFUSED/.test(String(cause)) || message.includes('nothing listens there')
  return { kind: isRefused ? 'refused' : 'away', message }
}

/** Why a kubelet was not asked, with what the user can accept. */
export function untrusted(
  node: string,
  { problem, fingerprint }: KubeletCertificate,
): KubeletProblem {
  return {
    kind: 'untrusted',
    message: `Not asked: the certificate of the kubelet of ${node} is not signed by the cluster’s CA (${problem}). No token is sent to it unless you accept its fingerprint: ${fingerprint}.`,
  }
}
