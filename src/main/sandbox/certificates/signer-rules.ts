import type { CertificateRequest } from './certificate-request.ts'

/** The signers of kube-controller-manager. */
const servingSigner = 'kubernetes.io/kubelet-serving'
export const clientSigner = 'kubernetes.io/kube-apiserver-client'
export const kubeletClientSigner = 'kubernetes.io/kube-apiserver-client-kubelet'

function hasUsages(usages: readonly string[], auth: string): boolean {
  const wanted = ['digital signature', auth]
  const others = usages.filter((usage) => usage !== 'key encipherment')
  return others.length === wanted.length && wanted.every((usage) => others.includes(usage))
}

/** What both signers of kubelets demand; empty: nothing is missing. */
function subjectProblem({ organizations }: CertificateRequest): string {
  const isOfNodes = organizations.length === 1 && organizations[0] === 'system:nodes'
  return isOfNodes ? '' : 'subject organization is not system:nodes'
}

function nameProblem({ commonName }: CertificateRequest): string {
  return commonName.startsWith('system:node:')
    ? ''
    : 'subject common name does not begin with system:node:'
}

function usagesProblem(usages: readonly string[], auth: string): string {
  if (hasUsages(usages, auth)) return ''
  const wanted = ['digital signature', 'key encipherment', auth].toSorted()
  return `usages did not match [${wanted.join(' ')}]`
}

/** Source: pkg/apis/certificates/helpers.go ValidateKubeletServingCSR (v1.34). */
function servingProblem(request: CertificateRequest, usages: readonly string[]): string {
  const { dns, ip, email, uri } = request.names
  return (
    subjectProblem(request) ||
    (dns.length + ip.length === 0 ? 'DNS or IP subjectAltName is required' : '') ||
    (email.length > 0 ? 'Email subjectAltNames are not allowed' : '') ||
    (uri.length > 0 ? 'URI subjectAltNames are not allowed' : '') ||
    usagesProblem(usages, 'server auth') ||
    nameProblem(request)
  )
}

/** Source: pkg/apis/certificates/helpers.go ValidateKubeletClientCSR (v1.34). */
export function kubeletClientProblem(
  request: CertificateRequest,
  usages: readonly string[],
): string {
  const { dns, email, ip, uri } = request.names
  return (
    subjectProblem(request) ||
    (dns.length > 0 ? 'DNS subjectAltNames are not allowed' : '') ||
    (email.length > 0 ? 'Email subjectAltNames are not allowed' : '') ||
    (ip.length > 0 ? 'IP subjectAltNames are not allowed' : '') ||
    (uri.length > 0 ? 'URI subjectAltNames are not allowed' : '') ||
    nameProblem(request) ||
    usagesProblem(usages, 'client auth')
  )
}

/** Source: pkg/controller/certificates/signer/signer.go validAPIServerClientUsages (v1.34). */
function clientProblem(usages: readonly string[]): string {
  const allowed = ['digital signature', 'key encipherment', 'client auth']
  const other = usages.find((usage) => !allowed.includes(usage))
  if (other !== undefined) return `invalid usage for client certificate: ${other}`
  return usages.includes('client auth')
    ? ''
    : 'missing required usage for client certificate: client auth'
}

/** Why a signer does not sign a request, empty if it does; undefined: kube-controller-manager has no such signer. */
export function signingProblem(
  signer: string,
  request: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  switch (signer) {
    case servingSigner:
      return servingProblem(request, usages)
    case kubeletClientSigner:
      return kubeletClientProblem(request, usages)
    case clientSigner:
      return clientProblem(usages)
    default:
      return undefined
  }
}
