import { createPrivateKey, generateKeyPairSync, webcrypto } from 'node:crypto'
import { Pkcs10CertificateRequest, X509Certificate, X509CertificateGenerator } from '@peculiar/x509'
import { generate } from 'selfsigned'

/** A certificate with its key, both PEM. */
export interface Certificate {
  readonly certificatePem: string
  readonly keyPem: string
}

/** The subject of a client certificate. */
export interface Subject {
  readonly user: string
  readonly group: string
}

/** The certificate authority of one control plane. */
export interface Authority {
  readonly caPem: string
  /** For localhost, and the address that the cluster's own service of the API server has. */
  readonly forServer: () => Promise<Certificate>
  readonly forClient: (subject: Subject) => Promise<Certificate>
  /** Signs a request for a serving certificate, PEM, as kube-controller-manager does once it is approved. */
  readonly sign: (requestPem: string) => Promise<string>
}

/** The first address of the service range: what pods call the API server. */
const serviceAddress = '10.96.0.1'

/** Creates a new certificate authority; P-256 keys take milliseconds. */
export async function makeAuthority(): Promise<Authority> {
  const common = {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - 3_600_000),
    notAfterDate: new Date(Date.now() + 7 * 86_400_000),
  } as const
  const authority = await generate([{ name: 'commonName', value: 'Nodescope test authority' }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  const ca = { key: authority.private, cert: authority.cert }
  return {
    caPem: authority.cert,
    forServer: async () => {
      const made = await generate([{ name: 'commonName', value: 'kube-apiserver' }], {
        ...common,
        ca,
        extensions: [
          { name: 'keyUsage', digitalSignature: true, critical: true },
          { name: 'extKeyUsage', serverAuth: true },
          {
            name: 'subjectAltName',
            altNames: [
              { type: 2, value: 'localhost' },
              { type: 2, value: 'kubernetes.default.svc' },
              { type: 7, ip: '127.0.0.1' },
              { type: 7, ip: serviceAddress },
            ],
          },
        ],
      })
      return { certificatePem: made.cert, keyPem: made.private }
    },
    forClient: async ({ user, group }) => {
      const made = await generate(
        [
          { name: 'organizationName', value: group },
          { name: 'commonName', value: user },
        ],
        {
          ...common,
          ca,
          extensions: [
            { name: 'keyUsage', digitalSignature: true, critical: true },
            { name: 'extKeyUsage', clientAuth: true },
          ],
        },
      )
      return { certificatePem: made.cert, keyPem: made.private }
    },
    sign: async (requestPem) => {
      const request = new Pkcs10CertificateRequest(requestPem)
      const { issuer } = new X509Certificate(authority.cert)
      const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
      const pkcs8 = createPrivateKey(authority.private).export({ type: 'pkcs8', format: 'der' })
      const signed = await X509CertificateGenerator.create({
        subject: request.subject,
        issuer,
        publicKey: request.publicKey,
        signingKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
        signingAlgorithm: algorithm,
        notBefore: common.notBeforeDate,
        notAfter: common.notAfterDate,
        extensions: request.extensions,
      })
      return `${signed.toString('pem')}\n`
    },
  }
}

/** The key pair for service account tokens. */
export function makeTokenKeys(): { readonly publicPem: string; readonly privatePem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    // Go's TLS and token code reads this older form of an EC key in every version.
    privatePem: privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
  }
}
