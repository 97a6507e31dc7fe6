import { numberAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { humanDuration } from '../../../../shared/kubernetes/printers/age.ts'
import { ageColumn, column, nameColumn, tableOf } from './columns.ts'

/** Source: pkg/printers/internalversion extractCSRStatus (v1.34). */
function conditionText(request: KubeObject): string {
  const status = objectAt(request, 'status')
  const types = objectsAt(status, 'conditions').map((condition) => textAt(condition, 'type'))
  const decided = ['Denied', 'Approved'].find((type) => types.includes(type)) ?? 'Pending'
  const issued = textAt(status, 'certificate') === '' ? '' : ',Issued'
  return `${decided}${types.includes('Failed') ? ',Failed' : ''}${issued}`
}

/** Source: pkg/printers/internalversion printCertificateSigningRequest (v1.34). */
export const certificateRequestTable = tableOf(
  [
    nameColumn,
    ageColumn,
    column('SignerName', 'signer', 'The signer that is asked.'),
    column('Requestor', 'requestor', 'The user that asks.'),
    column('RequestedDuration', 'duration', 'How long the certificate is to be valid.'),
    column(
      'Condition',
      'condition',
      'Whether the request is approved, and the certificate issued.',
    ),
  ],
  (request: KubeObject) => {
    const spec = objectAt(request, 'spec')
    const seconds = numberAt(spec, 'expirationSeconds')
    return {
      signer: textAt(spec, 'signerName') || '<none>',
      requestor: textAt(spec, 'username'),
      duration: seconds === undefined ? '<none>' : humanDuration(seconds * 1000),
      condition: conditionText(request),
    }
  },
)
