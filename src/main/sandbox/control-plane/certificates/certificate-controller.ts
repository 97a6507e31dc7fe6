import { X509Certificate } from 'node:crypto'
import { listAt, numberAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { fromTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { addressOf, objectKey } from '../../../cluster/client/resource-paths.ts'
import type { CertificateAuthority } from '../../certificates/certificate-authority.ts'
import { parseCertificateRequest } from '../../certificates/certificate-request.ts'
import type { CertificateRequest } from '../../certificates/certificate-request.ts'
import {
  kubeletClientProblem,
  kubeletClientSigner,
  signingProblem,
} from '../../certificates/signer-rules.ts'
import { pemAt } from '../../registry/certificate/certificate-request-strategy.ts'
import type { ControllerContext } from '../controller.ts'
import { repeat } from '../work-queue.ts'
import { WorkloadController } from '../workloads/workload-controller.ts'
import type { Outcome } from '../workloads/workload-controller.ts'

const resource = 'certificates.k8s.io/v1/certificatesigningrequests'

const specOf = (object: KubeObject): JsonObject => objectAt(object, 'spec')
const statusOf = (object: KubeObject): JsonObject => objectAt(object, 'status')

function conditionOf(object: KubeObject, type: string): JsonObject | undefined {
  return objectsAt(statusOf(object), 'conditions').find((condition) => condition['type'] === type)
}

function usagesOf(object: KubeObject): readonly string[] {
  return listAt(specOf(object), 'usages').map(String)
}

/**
 * Approves requests for the client certificates of kubelets if the requester may have one, and signs approved requests with the
 * CA of the sandbox; without a CA nothing is signed. Source: pkg/controller/certificates/approver/sarapprove.go,
 * signer/signer.go (v1.34).
 */
export class CertificateController extends WorkloadController {
  readonly #authority: CertificateAuthority | undefined

  constructor(context: ControllerContext, authority: CertificateAuthority | undefined) {
    const caches = [context.certificateRequests]
    super(context, { component: 'certificate-controller', caches })
    this.#authority = authority
    const enqueue = (object: KubeObject, causes: TraceCauses): void => {
      this.queue.add(objectKey(object.metadata), causes)
    }
    context.certificateRequests.addEventHandler({ onAdd: enqueue, onUpdate: enqueue })
  }

  protected async reconcile(_: string, name: string, causes: TraceCauses): Promise<Outcome> {
    const object = this.context.certificateRequests.get('', name)
    if (object === undefined || pemAt(statusOf(object), 'certificate') !== '') return undefined
    if (conditionOf(object, 'Denied') !== undefined) return undefined
    const request = parseCertificateRequest(pemAt(specOf(object), 'request'))
    if (!request.ok) return undefined
    if (conditionOf(object, 'Approved') === undefined)
      return await this.#approve(object, request.value, causes)
    if (conditionOf(object, 'Failed') !== undefined) return undefined
    return await this.#sign(object, request.value, causes)
  }

  async #approve(
    object: KubeObject,
    request: CertificateRequest,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const { signerName, username } = specOf(object)
    const isRecognized =
      signerName === kubeletClientSigner && kubeletClientProblem(request, usagesOf(object)) === ''
    if (!isRecognized) return undefined
    const kinds = [
      ...(username === request.commonName
        ? ([['selfnodeclient', 'self kubelet client certificate']] as const)
        : []),
      ['nodeclient', 'kubelet client certificate'] as const,
    ]
    for (const [subresource, what] of kinds) {
      const isAllowed = await this.#isAllowed(object, subresource)
      if (typeof isAllowed !== 'boolean') return isAllowed
      if (!isAllowed) continue
      const message = `Auto approving ${what} after SubjectAccessReview.`
      const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message }
      return await this.#write(object, 'approval', { conditions: [condition] }, causes)
    }
    return undefined
  }

  async #isAllowed(object: KubeObject, subresource: string): Promise<boolean | Outcome> {
    const { username: user, groups } = specOf(object)
    const resourceAttributes = {
      group: 'certificates.k8s.io',
      resource: 'certificatesigningrequests',
      verb: 'create',
      subresource,
      version: '*',
    }
    const review = await this.context.client.reviewAccess({ user, groups, resourceAttributes })
    return review.ok ? review.value['allowed'] === true : review.error
  }

  async #sign(
    object: KubeObject,
    request: CertificateRequest,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const usages = usagesOf(object)
    const problem = signingProblem(textAt(specOf(object), 'signerName'), request, usages)
    if (problem === undefined || this.#authority === undefined) return undefined
    if (problem !== '') {
      const reason = 'SignerValidationFailure'
      const failed = { type: 'Failed', status: 'True', reason, message: problem }
      const conditions = [...objectsAt(statusOf(object), 'conditions'), failed]
      return await this.#write(object, 'status', { conditions }, causes)
    }
    const expirationSeconds = numberAt(specOf(object), 'expirationSeconds')
    const now = this.context.clock.now()
    const signed = this.#authority.sign(request, { usages, expirationSeconds, now })
    if (!signed.ok) {
      this.context.log.warn('a certificate was not signed', { error: signed.error })
      return undefined
    }
    const certificate = Buffer.from(signed.value).toString('base64')
    return await this.#write(object, 'status', { certificate }, causes)
  }

  async #write(
    object: KubeObject,
    subresource: 'status' | 'approval',
    status: JsonObject,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const { resourceVersion } = object.metadata
    const patch = {
      type: 'merge',
      body: { metadata: { resourceVersion }, status },
      subresource,
    } as const
    const patched = await this.context.client.patch(addressOf(resource, object), patch, causes)
    return patched.ok ? undefined : patched.error
  }
}

const hourMs = 60 * 60 * 1000

function isExpired(pem: string, now: number): boolean {
  try {
    return now > Date.parse(new X509Certificate(pem).validTo)
  } catch {
    return false
  }
}

/** Source: pkg/controller/certificates/cleaner/cleaner.go handle (v1.34). */
function isOutdated(object: KubeObject, now: number): boolean {
  const isOld = (time: unknown, ms: number): boolean => {
    const at = fromTimestamp(typeof time === 'string' ? time : undefined)
    return at !== undefined && now - at > ms
  }
  const isPast = (type: string): boolean =>
    isOld(conditionOf(object, type)?.['lastUpdateTime'], hourMs)
  const certificate = pemAt(statusOf(object), 'certificate')
  const isIssued = certificate !== '' && conditionOf(object, 'Approved') !== undefined
  return (
    (isIssued && (isPast('Approved') || isExpired(certificate, now))) ||
    isPast('Denied') ||
    isPast('Failed') ||
    (objectsAt(statusOf(object), 'conditions').length === 0 &&
      isOld(object.metadata.creationTimestamp, 24 * hourMs))
  )
}

/** Deletes requests that were decided an hour ago, and those that wait for a day. Returns a function that stops it. */
export function startCertificateCleaner(context: ControllerContext): () => void {
  const { client, clock, certificateRequests } = context
  return repeat(context, hourMs, async () => {
    for (const object of certificateRequests.list())
      if (isOutdated(object, clock.now())) await client.delete(addressOf(resource, object), {})
  })
}
