import { stringify } from 'yaml'
import type { Certificate } from './certificates.ts'

/** A kubeconfig of one user with a client certificate, everything inside. */
export function kubeconfigText(facts: {
  readonly url: string
  readonly caPem: string
  readonly user: string
  readonly certificate: Certificate
}): string {
  const base64 = (pem: string): string => Buffer.from(pem).toString('base64')
  const { url, caPem, user, certificate } = facts
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'kube-up',
          cluster: { server: url, 'certificate-authority-data': base64(caPem) },
        },
      ],
      users: [
        {
          name: user,
          user: {
            'client-certificate-data': base64(certificate.certificatePem),
            'client-key-data': base64(certificate.keyPem),
          },
        },
      ],
      contexts: [{ name: user, context: { cluster: 'kube-up', user } }],
      'current-context': user,
    },
    { lineWidth: 0 },
  )
}
