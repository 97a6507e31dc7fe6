import { createPrivateKey, X509Certificate } from 'node:crypto'
import { objectAt, textAt } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'

interface PemBlock {
  readonly type: string
  readonly text: string
}

function pemBlocks(text: string): readonly PemBlock[] {
  const pattern = /-----BEGIN ([^-\n]+)-----\n[\s\S]*?-----END \1-----/g
  return [...text.matchAll(pattern)].map(([all, type = '']) => ({ type, text: all }))
}

const isKey = ({ type }: PemBlock): boolean => /(^| )PRIVATE KEY$/.test(type)
const isCertificate = ({ type }: PemBlock): boolean => type === 'CERTIFICATE'

function certificateProblem(blocks: readonly PemBlock[]): string | undefined {
  const types = blocks.map(({ type }) => type)
  if (blocks.some(isCertificate)) return undefined
  if (types.length === 0) return 'tls: failed to find any PEM data in certificate input'
  if (types.length === 1 && types[0]?.endsWith('PRIVATE KEY') === true)
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`
}

function keyProblem(blocks: readonly PemBlock[]): string | undefined {
  const types = blocks.map(({ type }) => type)
  if (blocks.some(isKey)) return undefined
  if (types.length === 0) return 'tls: failed to find any PEM data in key input'
  if (types.length === 1 && types[0] === 'CERTIFICATE')
    return 'tls: found a certificate rather than a key in the PEM for the private key'
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`
}

function pairProblem(certificate: string, key: string): string | undefined {
  try {
    const parsed = new X509Certificate(certificate)
    const secret = createPrivateKey(key)
    if (parsed.publicKey.asymmetricKeyType !== secret.asymmetricKeyType)
      return 'tls: private key type does not match public key type'
    return parsed.checkPrivateKey(secret) ? undefined : 'tls: private key does not match public key'
  } catch {
    // Go's parsers name what they do not understand.
    return 'tls: the certificate or its key cannot be parsed'
  }
}

/** About the pair of a TLS secret. Source: pkg/registry/core/secret warningsForSecret, Go's tls.X509KeyPair. */
export function secretWarnings(secret: KubeObject): readonly string[] {
  if (secret['type'] !== 'kubernetes.io/tls') return []
  const decoded = (name: string): string =>
    Buffer.from(textAt(objectAt(secret, 'data'), name), 'base64').toString('latin1')
  const certificates = pemBlocks(decoded('tls.crt'))
  const keys = pemBlocks(decoded('tls.key'))
  const problem =
    certificateProblem(certificates) ??
    keyProblem(keys) ??
    pairProblem(certificates.find(isCertificate)?.text ?? '', keys.find(isKey)?.text ?? '')
  return problem === undefined ? [] : [problem]
}
