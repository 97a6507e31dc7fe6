import type { ServedNode, ServingCertificate } from './serving-certificate.ts'

const dayMs = 24 * 60 * 60 * 1000

/** For a year, as a kubelet makes one (client-go util/cert: GenerateSelfSignedCertKey), with an elliptic key instead of RSA. */
export async function selfSignedCertificate(
  { nodeName, address }: ServedNode,
  now: number,
): Promise<ServingCertificate> {
  // Imported on demand: it takes about 150 ms.
  const { generate } = await import('selfsigned')
  const commonName = `${nodeName}@${Math.trunc(now / 1000)}`
  const made = await generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - 60 * 60 * 1000),
    notAfterDate: new Date(now + 365 * dayMs),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: nodeName },
          { type: 7, ip: address },
        ],
      },
    ],
  })
  return { certificatePem: made.cert, keyPem: made.private }
}

/** A key, and the request for a certificate that the signer kubernetes.io/kubelet-serving accepts; both PEM. */
export async function certificateRequest({ nodeName, address }: ServedNode): Promise<{
  readonly requestPem: string
  readonly keyPem: string
}> {
  const { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } =
    await import('@peculiar/x509')
  const { KeyObject, webcrypto } = await import('node:crypto')
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [{ O: ['system:nodes'] }, { CN: [`system:node:${nodeName}`] }],
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: nodeName },
        { type: 'ip', value: address },
      ]),
    ],
  })
  const keyPem = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { requestPem: `${request.toString('pem')}\n`, keyPem: String(keyPem) }
}
