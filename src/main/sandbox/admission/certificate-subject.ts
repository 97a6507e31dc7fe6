import { objectAt, textAt } from '../../../shared/json.ts'
import type { KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { forbidden } from '../api-status.ts'
import { parseCertificateRequest } from '../certificates/certificate-request.ts'
import { clientSigner } from '../certificates/signer-rules.ts'
import { pemAt } from '../registry/certificate/certificate-request-strategy.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { StoredWrite } from './stored-write.ts'

/** CertificateSubjectRestriction: no client becomes an administrator. Source: plugin/pkg/admission/certificates/subjectrestriction (v1.34). */
export function certificateSubjectRefusal(
  type: ResourceType,
  { next, old }: StoredWrite,
): KubeStatus | undefined {
  if (type.kind !== 'CertificateSigningRequest' || old !== undefined) return undefined
  const spec = objectAt(next, 'spec')
  if (textAt(spec, 'signerName') !== clientSigner) return undefined
  const request = parseCertificateRequest(pemAt(spec, 'request'))
  if (!request.ok || !request.value.organizations.includes('system:masters')) return undefined
  const why = `use of ${clientSigner} signer with system:masters group is not allowed`
  return forbidden(type, next.metadata.name, why)
}
