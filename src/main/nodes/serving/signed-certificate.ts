import { objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { TransportApiClient } from '../../cluster/client/api-client.ts'
import { certificateRequest } from './certificate-generation.ts'
import { missingRight } from './missing-right.ts'
import { pairIn } from './serving-certificate.ts'
import type { ServedNode, ServingCertificate } from './serving-certificate.ts'

const resource = 'certificates.k8s.io/v1/certificatesigningrequests'
const right = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' } as const

interface Requested {
  readonly name: string
  readonly keyPem: string
}

/** `waiting`: for an approval, with the name of the request. */
export type SigningState =
  | { readonly kind: 'waiting'; readonly name: string }
  | { readonly kind: 'signed'; readonly certificate: ServingCertificate }
  | { readonly kind: 'refused'; readonly name: string; readonly reason: string }

/**
 * Asks the signer kubernetes.io/kubelet-serving for a certificate, with one CertificateSigningRequest at a time (client-go
 * util/certificate).
 */
export class CertificateSigning {
  readonly #api: TransportApiClient
  readonly #node: ServedNode
  #requested: Requested | undefined

  constructor(deps: { readonly transport: Transport; readonly node: ServedNode }) {
    this.#api = new TransportApiClient(deps)
    this.#node = deps.node
  }

  /** Creates the request if there is none, and looks at it. The error is one sentence. */
  async look(): Promise<Result<SigningState, string>> {
    const requested = this.#requested ?? (await this.#create())
    if ('ok' in requested) return requested
    const found = await this.#api.get({ resource, name: requested.name })
    if (found.ok) return this.#stateOf(found.value, requested)
    // An old request is removed.
    if (found.error.kind === 'not-found') this.#requested = undefined
    const why = missingRight({ ...right, verb: 'get' }, found.error)
    return err(
      `The kubelet’s server cannot read the request ${requested.name} for its serving certificate: ${why}`,
    )
  }

  async #create(): Promise<Requested | Result<never, string>> {
    const { requestPem, keyPem } = await certificateRequest(this.#node)
    const created = await this.#api.create(
      { resource },
      {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { generateName: 'csr-' },
        spec: {
          request: Buffer.from(requestPem).toString('base64'),
          signerName: 'kubernetes.io/kubelet-serving',
          usages: ['digital signature', 'server auth'],
        },
      },
    )
    if (created.ok) {
      this.#requested = { name: created.value.metadata.name, keyPem }
      return this.#requested
    }
    const why = missingRight({ ...right, verb: 'create' }, created.error)
    return err(`The kubelet’s server cannot request a serving certificate: ${why}`)
  }

  #stateOf(object: KubeObject, { name, keyPem }: Requested): Result<SigningState, string> {
    const status = objectAt({ ...object }, 'status')
    const refusal = objectsAt(status, 'conditions').find((condition) =>
      ['Denied', 'Failed'].includes(textAt(condition, 'type')),
    )
    const certificate = Buffer.from(textAt(status, 'certificate'), 'base64').toString()
    if (refusal === undefined && certificate === '') return ok({ kind: 'waiting', name })
    this.#requested = undefined
    if (refusal !== undefined) {
      const words = [textAt(refusal, 'reason'), textAt(refusal, 'message')].filter(Boolean)
      const reason = `${textAt(refusal, 'type')}: ${words.join(', ')}`
      return ok({ kind: 'refused', name, reason })
    }
    const pair = pairIn(certificate, keyPem)
    return pair === undefined
      ? err(`The certificate in the request ${name} is for another key, or is none: it asks again.`)
      : ok({ kind: 'signed', certificate: pair })
  }
}
